//! The random numbers of `CPython`: games with a program are those of the function that it was compiled from.

const WORDS: usize = 624;
const MIDDLE: usize = 397;

/// `random.Random(seed)`, a Mersenne twister.
#[derive(Clone, Debug)]
pub(super) struct Twister {
    words: Box<[u32; WORDS]>,
    next: usize,
}

impl Twister {
    /// That of a seed of 64 bits.
    #[allow(clippy::cast_possible_truncation, reason = "each half by itself, and places below 624")]
    pub(super) fn from_seed(seed: u64) -> Self {
        let both = [seed as u32, (seed >> 32) as u32];
        let key = if both[1] == 0 { &both[..1] } else { &both[..] };
        let mut words = Box::new([0_u32; WORDS]);
        words[0] = 19_650_218;
        for at in 1..WORDS {
            words[at] = mixed(words[at - 1]).wrapping_mul(1_812_433_253).wrapping_add(at as u32);
        }
        let (mut at, mut place) = (1, 0);
        for _ in 0..WORDS {
            let before = mixed(words[at - 1]).wrapping_mul(1_664_525);
            words[at] = (words[at] ^ before).wrapping_add(key[place]).wrapping_add(place as u32);
            at = Self::after(&mut words, at);
            place = (place + 1) % key.len();
        }
        for _ in 1..WORDS {
            let before = mixed(words[at - 1]).wrapping_mul(1_566_083_941);
            words[at] = (words[at] ^ before).wrapping_sub(at as u32);
            at = Self::after(&mut words, at);
        }
        words[0] = 1 << 31;
        Self { words, next: WORDS }
    }

    /// The next place to fill: after the last one the second, since the first is then the last.
    fn after(words: &mut [u32; WORDS], at: usize) -> usize {
        if at + 1 < WORDS {
            return at + 1;
        }
        words[0] = words[WORDS - 1];
        1
    }

    fn next_word(&mut self) -> u32 {
        if self.next == WORDS {
            for at in 0..WORDS {
                let (low, far) = (self.words[(at + 1) % WORDS], self.words[(at + MIDDLE) % WORDS]);
                let both = (self.words[at] & 1 << 31) | (low & !(1 << 31));
                self.words[at] = far ^ (both >> 1) ^ if both & 1 == 1 { 0x9908_B0DF } else { 0 };
            }
            self.next = 0;
        }
        let mut word = self.words[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9D2C_5680;
        word ^= word << 15 & 0xEFC6_0000;
        word ^ word >> 18
    }

    /// `getrandbits(64)`.
    pub(super) fn next_bits(&mut self) -> u64 {
        u64::from(self.next_word()) | u64::from(self.next_word()) << 32
    }

    /// `randrange(bound)`, of a bound that is at least 1.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        loop {
            let number = self.next_word() >> bound.leading_zeros();
            if number < bound {
                return number;
            }
        }
    }
}

fn mixed(word: u32) -> u32 {
    word ^ word >> 30
}

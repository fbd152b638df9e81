//! Streams of random numbers: the same on every machine, for ever.

use super::twister::Twister;
use crate::board::{GOLDEN, mix};

/// A splitmix64 generator, or that of `CPython`.
#[derive(Clone, Debug)]
pub struct Random(Source);

#[derive(Clone, Debug)]
enum Source {
    Mixed(u64),
    Python(Twister),
}

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self(Source::Mixed(seed))
    }

    /// The stream of `random.Random(seed)` in Python.
    #[must_use]
    pub fn of_python(seed: u64) -> Self {
        Self(Source::Python(Twister::from_seed(seed)))
    }

    /// Whether it is that of Python, where who draws a move draws it from a list in the board's order.
    pub(super) fn is_of_python(&self) -> bool {
        matches!(self.0, Source::Python(_))
    }

    /// The next 64 bits.
    pub fn next_bits(&mut self) -> u64 {
        match &mut self.0 {
            Source::Mixed(state) => {
                *state = state.wrapping_add(GOLDEN);
                mix(*state)
            }
            Source::Python(twister) => twister.next_bits(),
        }
    }

    /// A number below `bound`, which is at least 1. The bias is below `bound` in 2⁶⁴.
    #[allow(clippy::cast_possible_truncation, reason = "the high half of a product with a u32")]
    pub fn below(&mut self, bound: u32) -> u32 {
        if let Source::Python(twister) = &mut self.0 {
            return twister.below(bound);
        }
        ((u128::from(self.next_bits()) * u128::from(bound)) >> 64) as u32
    }
}

//! A stream of random numbers of our own: the same on every machine, for ever.

use crate::board::{GOLDEN, mix};

/// A splitmix64 generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// A number below `bound`, which is at least 1. The bias is below `bound` in 2⁶⁴.
    #[allow(clippy::cast_possible_truncation, reason = "the high half of a product with a u32")]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.next_bits()) * u128::from(bound)) >> 64) as u32
    }
}

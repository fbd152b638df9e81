//! What a run may cost.

use super::Bail;

/// The most that a run may cost, in nanoseconds as [`prices`](super::prices) have them: some hundredths of a second of
/// `CPython`.
pub const FUEL: u32 = 1 << 25;

/// What a run may still cost, and 1 more: nothing is left of it where a run was cut off.
#[derive(Debug)]
#[repr(transparent)]
pub struct Fuel(u32);

impl Fuel {
    /// For a run that may cost so much.
    #[inline]
    #[must_use]
    pub fn new(most: u32) -> Self {
        Self(most.saturating_add(1))
    }

    /// What was paid of so much.
    #[inline]
    #[must_use]
    pub fn paid_of(&self, most: u32) -> u32 {
        (most.saturating_add(1) - self.0).min(most)
    }

    /// Whether a run was cut off.
    #[inline]
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.0 == 0
    }

    /// What is left, and 1 more.
    pub(super) fn left(&self) -> u32 {
        self.0
    }

    /// Pays a price.
    #[inline]
    pub(super) fn pay(&mut self, price: u32) -> Result<(), Bail> {
        if price >= self.0 {
            self.0 = 0;
            return Err(Bail);
        }
        self.0 -= price;
        Ok(())
    }

    /// Pays so much for each of so many.
    #[inline]
    pub(super) fn pay_each(&mut self, price: u32, count: usize) -> Result<(), Bail> {
        self.pay(u32::try_from(count).map_or(u32::MAX, |count| price.saturating_mul(count)))
    }
}

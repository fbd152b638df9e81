//! Scrambled bits: for the hash of a position and the order of moves.

use super::cells::CellSet;
use super::geometry::Cell;
use super::player::Player;
use super::position::Position;

/// 2⁶⁴ divided by the golden ratio: consecutive multiples are spread evenly.
pub(crate) const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Scrambles 64 bits: the finaliser of the splitmix64 generator.
#[must_use]
#[inline]
pub(crate) const fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// The number that stands for the `number`-th fact about a position.
const fn key(number: u64) -> u64 {
    mix((number + 1).wrapping_mul(GOLDEN))
}

impl<S: CellSet> Position<S> {
    /// Equal for equal positions, whatever the width of the set and the moves that led here.
    ///
    /// Computed when asked for. Keeping it up to date in [`make`](Self::make) took a tenth of the time
    /// of every search, and no search looks positions up: they hardly ever repeat.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let size = self.size();
        let mut hash = key(u64::from(size.width()) << 32 | u64::from(size.height()));
        // Facts are numbered from 4 per cell: blocked, knight 1, knight 2.
        let about = |cell: Cell, fact: u64| key(4 * u64::from(cell.0) + fact);
        for cell in (0..size.cells()).map(Cell) {
            if !self.blank().contains(cell) {
                hash ^= about(cell, 1);
            }
        }
        for (player, fact) in Player::BOTH.into_iter().zip(2..) {
            if let Some(cell) = self.location(player) {
                hash ^= about(cell, fact);
            }
        }
        if self.to_move() == Player::Two {
            hash ^= key(0);
        }
        hash
    }
}

//! The order in which a list of knight's moves is handed out.

use super::geometry::Cell;
use super::hash::{GOLDEN, mix};

/// Shuffles the moves of a knight on `origin`, at most 8, given in increasing index.
///
/// The classic board shuffles with Python's global generator on every call. Here the order is a
/// function of a board's 64 bits and the cell the moves start from: nothing depends on how often
/// anybody asked. The cell is enough of the position, since in a game each is stood on only once,
/// so each turn gets a key of its own.
#[inline]
pub fn shuffle<T>(moves: &mut [T], bits: u64, origin: Cell) {
    shuffle_from(moves, bits, u64::from(origin.0));
}

/// The same from any place, even off the board: `origin` is `row + column * height`, modulo 2⁶⁴.
pub fn shuffle_from<T>(moves: &mut [T], bits: u64, origin: u64) {
    debug_assert!(moves.len() <= 8, "a knight has at most 8 moves");
    let mut key = mix(bits ^ origin.wrapping_add(1).wrapping_mul(GOLDEN));
    // For each number of moves left, the last of them is changed for one that the key picks. Spelled
    // out, so that each divisor is a constant: dividing was a fifth of listing a board's moves.
    macro_rules! pick {
        ($($left:literal)*) => {
            $(if moves.len() >= $left {
                #[allow(clippy::cast_possible_truncation, reason = "less than 8")]
                moves.swap($left - 1, (key % $left) as usize);
                key /= $left;
            })*
        };
    }
    pick!(8 7 6 5 4 3 2);
}

//! The order in which a list of knight's moves is handed out.

use crate::geometry::Cell;
use crate::hash::{GOLDEN, mix};

/// Shuffles the moves of a knight on `origin`, given in increasing index.
///
/// The classic board shuffles with Python's global generator on every call. Here the order is a
/// function of a board's 64 bits and the cell the moves start from: nothing depends on how often
/// anybody asked. The cell is enough of the position, since in a game each is stood on only once,
/// so each turn gets a key of its own.
pub fn shuffle<T>(moves: &mut [T], bits: u64, origin: Cell) {
    let mut key = mix(bits ^ (u64::from(origin.0) + 1).wrapping_mul(GOLDEN));
    for last in (1..moves.len()).rev() {
        let choices = last as u64 + 1;
        #[allow(clippy::cast_possible_truncation, reason = "less than the length of a slice")]
        moves.swap(last, (key % choices) as usize);
        key /= choices;
    }
}

//! Baselines: the four heuristics of the course. All are terminal-aware.
//!
//! ```text
//!       0   1   2   3   4
//!   0 | . | o | . | o | . |     p is scored, o moves of p, x blocked, q the opponent
//!   1 | x | . | . | . | o |
//!   2 | . | . | p | . | . |     open      7, p's moves
//!   3 | o | . | . | . | o |     improved  7 less the moves of q: 7 - 2 = 5
//!   4 | q | o | . | o | . |     center    (5/2 - 2)² + (5/2 - 2)² = 0.5
//! ```

use super::Ending::TerminalAware;
use super::entry::Entry;
use super::formula::Formula;
use crate::board::{CellSet, Player, Position};

pub(super) fn registry() -> Vec<Entry> {
    vec![
        Entry::new("null", "0 while the game goes on", "0", TerminalAware, |_| Null),
        Entry::new("open", "the player's moves", "|L(p)|", TerminalAware, |_| Open),
        Entry::new(
            "center",
            "the square of the player's distance from the centre: larger is farther",
            "(H/2 - row)² + (W/2 - column)² of loc(p)",
            TerminalAware,
            |_| Center,
        ),
        Entry::new(
            "improved",
            "the player's moves less the opponent's",
            "|L(p)| - |L(o)|",
            TerminalAware,
            |_| Improved,
        ),
    ]
}

struct Null;

impl Formula for Null {
    #[inline]
    fn value<S: CellSet>(&self, _: &Position<S>, _: Player) -> f64 {
        0.0
    }
}

struct Open;

impl Formula for Open {
    #[inline]
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        f64::from(position.mobility(player))
    }
}

struct Center;

impl Formula for Center {
    #[inline]
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        square_of_center_distance(position, player)
    }
}

/// 0 where the player is not placed.
#[inline]
pub(super) fn square_of_center_distance<S: CellSet>(position: &Position<S>, player: Player) -> f64 {
    let size = position.size();
    position.location(player).map_or(0.0, |cell| {
        let (row, column) = size.coordinates(cell);
        // Half a cell off the true middle: that is how the classic game defines it.
        let down = f64::from(size.height()) / 2.0 - f64::from(row);
        let right = f64::from(size.width()) / 2.0 - f64::from(column);
        down * down + right * right
    })
}

struct Improved;

impl Formula for Improved {
    #[inline]
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        // From the mover's side, whose moves are at hand. `-lead` would make a zero negative.
        let mover = position.to_move();
        let lead =
            f64::from(position.mobility(mover)) - f64::from(position.mobility(mover.opponent()));
        if player == mover { lead } else { 0.0 - lead }
    }
}

//! The four baselines of the course. All are terminal-aware.
//!
//! ```text
//!       0   1   2   3   4
//!   0 | . | o | . | o | . |     p is scored, o moves of p, x blocked, q the opponent
//!   1 | x | . | . | . | o |
//!   2 | . | . | p | . | . |     open      7, p's moves
//!   3 | o | . | . | . | o |     improved  7 less the moves of q: 7 - 2 = 5
//!   4 | q | o | . | o | . |     center    (5/2 - 2)² + (5/2 - 2)² = 0.5
//! ```

use std::sync::Arc;

use super::{Formula, NativeHeuristic, finished};
use crate::cells::CellSet;
use crate::player::Player;
use crate::position::Position;

pub(super) fn registry() -> Vec<Arc<NativeHeuristic>> {
    vec![
        NativeHeuristic::new("null", "0 while the game goes on", Null),
        NativeHeuristic::new("open", "the player's moves", Open),
        NativeHeuristic::new(
            "center",
            "the square of the player's distance from the centre: larger is farther",
            Center,
        ),
        NativeHeuristic::new("improved", "the player's moves less the opponent's", Improved),
    ]
}

struct Null;

impl Formula for Null {
    #[inline]
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        finished(position, player).unwrap_or(0.0)
    }
}

struct Open;

impl Formula for Open {
    #[inline]
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        finished(position, player).unwrap_or_else(|| f64::from(position.mobility(player)))
    }
}

struct Center;

impl Formula for Center {
    #[inline]
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        finished(position, player).unwrap_or_else(|| {
            let size = position.size();
            position.location(player).map_or(0.0, |cell| {
                let (row, column) = size.coordinates(cell);
                // Half a cell off the true middle: that is how the classic game defines it.
                let down = f64::from(size.height()) / 2.0 - f64::from(row);
                let right = f64::from(size.width()) / 2.0 - f64::from(column);
                down * down + right * right
            })
        })
    }
}

struct Improved;

impl Formula for Improved {
    #[inline]
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        finished(position, player).unwrap_or_else(|| {
            // From the mover's side, whose moves are at hand.
            let mover = position.to_move();
            let lead = f64::from(position.mobility(mover))
                - f64::from(position.mobility(mover.opponent()));
            if player == mover { lead } else { -lead }
        })
    }
}

//! Space: the blank cells around a player, a king's move away. The formulas alone, at the end of a game
//! too.
//!
//! ```text
//!       0   1   2   3   4
//!   0 | . | x | . | . | . |     p is scored, q the opponent, x blocked, s around p, t around q
//!   1 | . | s | s | s | . |
//!   2 | t |s t| p | s | . |     space             8
//!   3 | q |s t| s | s | . |     space_difference  8 - 5 = 3
//!   4 | t | t | . | . | . |
//! ```

use super::Ending::Plain;
use super::entry::Entry;
use super::formula::Formula;
use crate::board::{CellSet, Player, Position};

pub(super) fn registry() -> Vec<Entry> {
    vec![
        Entry::new(
            "space",
            "the blank cells around the player",
            "blank cells among the eight around loc(p)",
            Plain,
            |_| Space,
        )
        .called("D", "heuristic4"),
        Entry::new(
            "space_difference",
            "the blank cells around the player less those around the opponent",
            "space(p) - space(o)",
            Plain,
            |_| SpaceDifference,
        )
        .called("D", "heuristic2"),
        Entry::new(
            "lookahead_space",
            "the most blank cells around the player after a move of the side to move",
            "max of space(p) after each move of the side to move; 0 where there is none",
            Plain,
            |_| LookaheadSpace,
        )
        .called("D", "heuristic3"),
    ]
}

fn space<S: CellSet>(position: &Position<S>, player: Player) -> u32 {
    position.location(player).map_or(0, |cell| position.space_around(cell))
}

/// The blank cells around the player less those around its opponent.
pub(super) fn space_difference<S: CellSet>(position: &Position<S>, player: Player) -> f64 {
    f64::from(space(position, player)) - f64::from(space(position, player.opponent()))
}

struct Space;

impl Formula for Space {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        f64::from(space(position, player))
    }
}

struct SpaceDifference;

impl Formula for SpaceDifference {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        space_difference(position, player)
    }
}

struct LookaheadSpace;

impl Formula for LookaheadSpace {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let side = position.to_move();
        let moves = position.moves(side);
        // Without making the move: a cell is not among those around it.
        let most = if side == player {
            moves.map(|cell| position.space_around(cell)).max()
        } else {
            let now = space(position, player);
            let is_beside = |cell| {
                position
                    .location(player)
                    .is_some_and(|own| S::reaches(position.geometry().neighbours(own), cell))
            };
            moves.map(|cell| now - u32::from(is_beside(cell))).max()
        };
        f64::from(most.unwrap_or(0))
    }
}

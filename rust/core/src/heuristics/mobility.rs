//! Mobility: the moves that the players have, now and one step on.
//!
//! ```text
//!       0   1   2   3   4
//!   0 | . | x | . | o | . |     p is scored and to move, o moves of p, x blocked, q the opponent
//!   1 | o | . | . | . | o |
//!   2 | . | . | p | . | . |     mobility_difference  6 less the moves of q: 6 - 2 = 4
//!   3 | q | . | . | . | o |     aggressive           6 - 2 · 2 = 2
//!   4 | . | o | . | o | . |
//! ```
//!
//! `lookahead_mobility` adds to each of the moves the blank cells a knight's move from there;
//! `lookahead_ratio` takes each move and divides p's moves after it by those of q.

use super::Ending::{Plain, TerminalAware};
use super::baselines::square_of_center_distance;
use super::entry::Entry;
use super::formula::Formula;
use crate::board::{CellSet, Player, Position};

pub(super) fn registry() -> Vec<Entry> {
    vec![
        Entry::new(
            "mobility_difference",
            "the player's moves less the opponent's, at the end of a game too",
            "|L(p)| - |L(o)|",
            Plain,
            |_| Aggressive { factor: 1.0 },
        )
        .called("D", "heuristic1"),
        Entry::new(
            "aggressive",
            "the player's moves less a multiple of the opponent's",
            "|L(p)| - factor · |L(o)|",
            Plain,
            |values| Aggressive { factor: values[0] },
        )
        .called("E", "AB_Custom")
        .with("factor", 2.0, [-1e6, 1e6]),
        Entry::new(
            "corner_averse_mobility",
            "the player's moves that lead to no corner less the opponent's",
            "moves of L(p) to none of (0, 0), (0, H-1), (W-1, 0), (W-1, H-1), less those of L(o)",
            TerminalAware,
            |_| CornerAverse,
        )
        .called("A", "custom 3"),
        Entry::new(
            "mobility_center_distance",
            "the player's moves less the opponent's, and how much nearer the player is to the centre than the opponent",
            "|L(p)| - |L(o)| + d(o) - d(p), d = √((H/2 - row)² + (W/2 - column)²)",
            TerminalAware,
            |_| CenterDistance,
        )
        .called("A", "custom 2"),
        Entry::new(
            "lookahead_mobility",
            "the player's moves, and steps from there on the board as it stands, less the opponent's",
            "R(p) - R(o), R(x) = |L(x)| + Σ blank cells a knight's move from m, over m in L(x)",
            TerminalAware,
            |_| LookaheadMobility,
        )
        .called("A", "custom 1"),
        Entry::new(
            "lookahead_ratio",
            "the player's moves over the opponent's, on average over the side to move's steps to the player's moves",
            "mean over m in L(p) of |L(p)| / |L(o)| once the side to move is on m; inf as soon as \
             |L(o)| is 0 there; -inf where L(p) is empty",
            Plain,
            |_| LookaheadRatio,
        )
        .called("E", "AB_Custom_2"),
    ]
}

#[derive(Clone, Copy)]
pub(super) struct Aggressive {
    pub(super) factor: f64,
}

impl Formula for Aggressive {
    #[inline]
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let [own, other] =
            [player, player.opponent()].map(|side| f64::from(position.mobility(side)));
        own - self.factor * other
    }
}

/// The player's moves less the opponent's.
pub(super) fn mobility_difference<S: CellSet>(position: &Position<S>, player: Player) -> f64 {
    Aggressive { factor: 1.0 }.value(position, player)
}

struct CornerAverse;

impl Formula for CornerAverse {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let size = position.size();
        let (row, column) = (i64::from(size.width()) - 1, i64::from(size.height()) - 1);
        // The cells that the report prints, a row first. They are the corners of square boards only, and
        // on a board with a side of 1 some are the same.
        let mut corners = [(0, 0), (0, column), (row, 0), (row, column)]
            .map(|(row, column)| size.cell(row, column));
        for at in 1..corners.len() {
            if corners[..at].contains(&corners[at]) {
                corners[at] = None;
            }
        }
        let corners = corners.into_iter().flatten().filter(|&cell| position.blank().contains(cell));
        let [mut own, mut other] =
            [player, player.opponent()].map(|side| f64::from(position.mobility(side)));
        for cell in corners {
            own -= f64::from(u8::from(position.reaches(player, cell)));
            other -= f64::from(u8::from(position.reaches(player.opponent(), cell)));
        }
        own - other
    }
}

struct CenterDistance;

impl Formula for CenterDistance {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let [own, other] = [player, player.opponent()]
            .map(|side| square_of_center_distance(position, side).sqrt());
        mobility_difference(position, player) + other - own
    }
}

struct LookaheadMobility;

impl Formula for LookaheadMobility {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let [own, other] = [player, player.opponent()].map(|side| {
            position
                .moves(side)
                .map(|cell| f64::from(1 + position.mobility_from(cell)))
                .sum::<f64>()
        });
        own - other
    }
}

struct LookaheadRatio;

impl Formula for LookaheadRatio {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let stepping = position.to_move();
        let standing = position.mobility(stepping.opponent());
        let (mut total, mut moves) = (0.0, 0_u32);
        for cell in position.moves(player) {
            // Without making the move: it takes its own cell from those who reach it. Nothing on the
            // board is a knight's move from itself.
            let left = standing - u32::from(position.reaches(stepping.opponent(), cell));
            let stepped = position.mobility_from(cell);
            let (own, other) = if stepping == player { (stepped, left) } else { (left, stepped) };
            if other == 0 {
                return f64::INFINITY;
            }
            total += f64::from(own) / f64::from(other);
            moves += 1;
        }
        if moves == 0 { f64::NEG_INFINITY } else { total / f64::from(moves) }
    }
}

//! Floods: each cell in reach counts 1 / (1 + steps), on the way through blank cells. Stuck-aware.
//!
//! ```text
//!       0   1   2   3   4
//!   0 | 4 | x | 2 | 1 | 4 |     the steps of the player in the middle, x blocked, q its opponent:
//!   1 | 1 | 2 | 3 | 2 | 1 |     R = 1/1 + 6/2 + 8/3 + 4/4 + 4/5 = 8.467
//!   2 | 2 | 3 | 0 | 3 | 2 |
//!   3 | q | 2 | 3 | 2 | 1 |
//!   4 | 4 | 1 | 2 | 1 | 4 |
//! ```
//!
//! A flood goes by whole sets of cells: all that are a knight's move from the last ring, are blank and
//! have not been reached, are the next one. Sums begin with the nearest ring.

use super::Ending::StuckAware;
use super::distance::{Center, Opponent};
use super::entry::Entry;
use super::formula::Formula;
use crate::board::{CellSet, Player, Position};

pub(super) fn registry() -> Vec<Entry> {
    vec![
        Entry::new(
            "bfs",
            "the cells in the player's reach less the opponent's, each the less the more moves away",
            "R(p) - R(o), R(x) = Σ 1/(1 + d) over loc(x) and the blank cells that x can come to \
             through blank cells, d the moves to there",
            StuckAware,
            |_| Bfs,
        )
        .of_report("C"),
        Entry::new(
            "bfs_close_to_opponent",
            "bfs, less the distance between the two players",
            "bfs + close_to_opponent",
            StuckAware,
            |_| And(Opponent { sign: -1.0 }),
        )
        .of_report("C"),
        Entry::new(
            "bfs_far_from_opponent",
            "bfs, and the distance between the two players",
            "bfs + far_from_opponent",
            StuckAware,
            |_| And(Opponent { sign: 1.0 }),
        )
        .of_report("C"),
        Entry::new(
            "bfs_close_to_center",
            "bfs, and how much nearer the player is to the centre than the opponent",
            "bfs + close_to_center",
            StuckAware,
            |_| And(Center { sign: -1.0 }),
        )
        .of_report("C"),
        Entry::new(
            "bfs_far_from_center",
            "bfs, and how much farther the player is from the centre than the opponent",
            "bfs + far_from_center",
            StuckAware,
            |_| And(Center { sign: 1.0 }),
        )
        .of_report("C"),
    ]
}

struct Bfs;

impl Formula for Bfs {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let [own, other] = [player, player.opponent()].map(|side| {
            let Some(from) = position.location(side) else { return 0.0 };
            let (mut total, mut steps) = (0.0, 0.0);
            for ring in position.geometry().rings(from, position.blank()) {
                steps += 1.0;
                total += f64::from(ring.count()) / steps;
            }
            total
        });
        own - other
    }
}

/// `bfs` and another formula.
struct And<F>(F);

impl<F: Formula> Formula for And<F> {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        Bfs.value(position, player) + self.0.value(position, player)
    }
}

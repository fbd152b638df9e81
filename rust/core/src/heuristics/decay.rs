//! Decay: each blank cell counts r to the power of its knight distance on an empty board. Stuck-aware.
//!
//! ```text
//!       0   1   2   3   4
//!   0 | 4 | 1 | 2 | 1 | 4 |     the distances from the middle of a board of 5 by 5. With r = 1/2 and all
//!   1 | 1 | 2 | 3 | 2 | 1 |     cells blank D is 1 + 8/2 + 8/4 + 4/8 + 4/16 = 7.75
//!   2 | 2 | 3 | 0 | 3 | 2 |
//!   3 | 1 | 2 | 3 | 2 | 1 |
//!   4 | 4 | 1 | 2 | 1 | 4 |
//! ```
//!
//! The cells at each distance are a ring, a set of cells that is kept for each size and cell, on boards
//! of up to 128 cells: then D is a count and a product for each ring. Sums begin with the nearest ring.

use super::Ending::StuckAware;
use super::entry::Entry;
use super::formula::Formula;
use crate::board::{CellSet, Player, Position};

pub(super) fn registry() -> Vec<Entry> {
    let with_divisor = |divisor: u32| {
        Entry::new(
            &format!("knight_decay_{divisor}"),
            "the player's blank cells less the opponent's, each the less the more knight's moves away",
            "D(p) - D(o), D(x) = Σ r^d over loc(x) and all blank cells, d the knight's moves from \
             loc(x) on an empty board; what cannot be reached there counts nothing",
            StuckAware,
            |values| KnightDecay { r: values[0] },
        )
        .of_report("C")
        .with("r", 1.0 / f64::from(divisor), [0.0, 1.0])
    };
    (2..=10).map(with_divisor).collect()
}

struct KnightDecay {
    r: f64,
}

impl Formula for KnightDecay {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        self.sum(position, player) - self.sum(position, player.opponent())
    }
}

impl KnightDecay {
    /// D, 0 where the player is not placed.
    fn sum<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let Some(from) = position.location(player) else { return 0.0 };
        let geometry = position.geometry();
        match geometry.kept_rings(from) {
            Some(rings) => self.over(rings, position.blank()),
            None => self.over(geometry.rings(from, &S::full(position.size())), position.blank()),
        }
    }

    fn over<S: CellSet, R: std::borrow::Borrow<S>>(
        &self,
        rings: impl IntoIterator<Item = R>,
        blank: &S,
    ) -> f64 {
        // The player's own cell, which is not blank, is the first ring.
        let (mut total, mut share) = (1.0, 1.0);
        for ring in rings.into_iter().skip(1) {
            share *= self.r;
            total += f64::from(ring.borrow().and(blank).count()) * share;
        }
        total
    }
}

//! Distance: how far the players are from the centre, or from each other, by rows and columns. All are
//! stuck-aware.
//!
//! ```text
//!       0   1   2   3   4
//!   0 | . | x | . | . | . |     p is scored, q the opponent, x blocked; (2.5, 2.5) counts as the centre
//!   1 | . | . | . | . | . |
//!   2 | . | . | p | . | . |     c(p) = 0.5 + 0.5 = 1 and c(q) = 0.5 + 2.5 = 3:
//!   3 | q | . | . | . | . |     close_to_center  3 - 1 = 2
//!   4 | . | . | . | . | . |     far_from_opponent  1 row and 2 columns: 3
//! ```

use super::Ending::StuckAware;
use super::entry::Entry;
use super::formula::Formula;
use crate::board::{CellSet, Player, Position};

pub(super) fn registry() -> Vec<Entry> {
    vec![
        Entry::new(
            "close_to_center",
            "how much nearer the player is to the centre than the opponent",
            "c(o) - c(p), c = |H/2 - row| + |W/2 - column|",
            StuckAware,
            |_| Center { sign: -1.0 },
        )
        .of_report("C"),
        Entry::new(
            "far_from_center",
            "how much farther the player is from the centre than the opponent",
            "c(p) - c(o), c = |H/2 - row| + |W/2 - column|",
            StuckAware,
            |_| Center { sign: 1.0 },
        )
        .of_report("C"),
        Entry::new(
            "close_to_opponent",
            "the distance between the two players, negative",
            "-(rows + columns between loc(p) and loc(o))",
            StuckAware,
            |_| Opponent { sign: -1.0 },
        )
        .of_report("C"),
        Entry::new(
            "far_from_opponent",
            "the distance between the two players",
            "rows + columns between loc(p) and loc(o)",
            StuckAware,
            |_| Opponent { sign: 1.0 },
        )
        .of_report("C"),
    ]
}

/// How much farther from the centre the player is than its opponent, or nearer.
pub(super) struct Center {
    pub(super) sign: f64,
}

impl Formula for Center {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let [own, other] = [player, player.opponent()].map(|side| center_distance(position, side));
        self.sign * (own - other) + 0.0
    }
}

fn center_distance<S: CellSet>(position: &Position<S>, player: Player) -> f64 {
    let size = position.size();
    position.location(player).map_or(0.0, |cell| {
        let (row, column) = size.coordinates(cell);
        (f64::from(size.height()) / 2.0 - f64::from(row)).abs()
            + (f64::from(size.width()) / 2.0 - f64::from(column)).abs()
    })
}

/// The distance between the players, or its negative.
pub(super) struct Opponent {
    pub(super) sign: f64,
}

impl Formula for Opponent {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let size = position.size();
        let places = [player, player.opponent()]
            .map(|side| position.location(side).map(|cell| size.coordinates(cell)));
        let [Some((row, column)), Some((to_row, to_column))] = places else { return 0.0 };
        // A zero has no sign for the caller, though the factor gives it one.
        self.sign * f64::from(row.abs_diff(to_row) + column.abs_diff(to_column)) + 0.0
    }
}

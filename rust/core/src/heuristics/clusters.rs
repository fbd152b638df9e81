//! Clusters: the least occupied part of the board. The formula alone, at the end of a game too.
//!
//! ```text
//!       0   1   2   3   4
//!   0 | x | x | x | . | . |     p is scored, q the opponent, x blocked. Windows have 2 rows and 2
//!   1 | x | x | . | . | . |     columns here; the first that is all blank begins at (3, 1), marked w,
//!   2 | . | . | p | . | . |     and its centre is (4, 2): 2 rows from p, so of aggressive 3 and
//!   3 | q | w | w | . | . |     (10 - 2) / 10 it makes 3.8
//!   4 | . | w | w | . | . |
//! ```

use super::Ending::Plain;
use super::entry::Entry;
use super::formula::Formula;
use super::mobility::Aggressive;
use crate::board::{Cell, CellSet, Player, Position};

pub(super) fn registry() -> Vec<Entry> {
    vec![
        Entry::new(
            "aggressive_open_cluster",
            "aggressive, and how near the player is to the least occupied part of the board",
            "aggressive + (H + W - m)/(H + W) once H·W/5 cells are blocked, m the rows and columns from \
             loc(p) to the centre of the least occupied window, round(H/2) by round(W/2) with halves to the even number, the \
             first from the top down and then to the right",
            Plain,
            |_| OpenCluster,
        )
        .called("E", "AB_Custom_3 as described"),
    ]
}

struct OpenCluster;

impl Formula for OpenCluster {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let aggressive = Aggressive { factor: 2.0 }.value(position, player);
        let size = position.size();
        let blocked = size.cells() - position.blank().count();
        let Some(place) = position.location(player) else { return aggressive };
        if blocked * 5 < size.cells() {
            return aggressive;
        }
        let (row, column) = size.coordinates(place);
        let (to_row, to_column) = least_occupied_center(position);
        let away = row.abs_diff(to_row) + column.abs_diff(to_column);
        let sides = size.height() + size.width();
        aggressive + (f64::from(sides) - f64::from(away)) / f64::from(sides)
    }
}

/// Half of a side, a half more rounded to the even number: 0 on a side of 1.
fn half(side: u32) -> u32 {
    side / 2 + u32::from(side % 4 == 3)
}

/// The centre of the least occupied window, of several the first from the top down, then to the right.
fn least_occupied_center<S: CellSet>(position: &Position<S>) -> (u32, u32) {
    let size = position.size();
    let (height, width) = (size.height(), size.width());
    let (rows, columns) = (half(height), half(width));
    // For each row the blank cells in the window's columns, which go along with it.
    let mut in_row = vec![0_u32; height as usize];
    let blank = |row: usize, column: u32| {
        #[allow(clippy::cast_possible_truncation, reason = "a row of the board")]
        let cell = Cell(row as u32 + column * height);
        u32::from(position.blank().contains(cell))
    };
    let mut best = (None, (0, 0));
    for left in 0..=width - columns {
        for (row, count) in in_row.iter_mut().enumerate() {
            if left == 0 {
                *count = (0..columns).map(|column| blank(row, column)).sum();
            } else if columns > 0 {
                *count = *count - blank(row, left - 1) + blank(row, left + columns - 1);
            }
        }
        let mut inside: u32 = in_row[..rows as usize].iter().sum();
        for top in 0..=height - rows {
            if top > 0 && rows > 0 {
                inside = inside - in_row[top as usize - 1] + in_row[(top + rows) as usize - 1];
            }
            if best.0.is_none_or(|most| inside > most) {
                best = (Some(inside), (top + rows / 2, left + columns / 2));
            }
        }
    }
    best.1
}

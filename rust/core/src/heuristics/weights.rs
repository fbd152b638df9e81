//! Weights: moves and cells, by how near they are to the middle. The formulas alone, at the end of a game
//! too.
//!
//! ```text
//!        0      1      2      3      4
//!   0 | 0.25 | 0.38 | 0.50 | 0.38 | 0.25 |     the weights of a board of 5 by 5: 1 in the middle,
//!   1 | 0.38 | 0.56 | 0.75 | 0.56 | 0.38 |     a factor of 1/2 at each edge
//!   2 | 0.50 | 0.75 | 1.00 | 0.75 | 0.50 |
//!   3 | 0.38 | 0.56 | 0.75 | 0.56 | 0.38 |     weighted_open of a player in the middle who has 6
//!   4 | 0.25 | 0.38 | 0.50 | 0.38 | 0.25 |     moves: 6 · 1.00
//! ```

use super::Ending::Plain;
use super::entry::Entry;
use super::formula::Formula;
use crate::board::{Cell, CellSet, Player, Position, Size};

pub(super) fn registry() -> Vec<Entry> {
    vec![
        Entry::new(
            "weighted_open",
            "the player's moves times the weight of its cell",
            "|L(p)| · w(loc(p)), w = (1 - |row - (W-1)/2| / (W-1)) · (1 - |column - (H-1)/2| / (H-1)), \
             where a factor whose side is 1 counts 1",
            Plain,
            |_| WeightedOpen,
        )
        .called("B", "custom 1"),
        Entry::new(
            "weighted_improved",
            "the player's moves times the weight of its cell, less the same of the opponent",
            "|L(p)| · w(loc(p)) - |L(o)| · w(loc(o)), w as in weighted_open",
            Plain,
            |_| WeightedImproved,
        )
        .called("B", "custom 2"),
        Entry::new(
            "weighted_moves",
            "the weights of the cells that the player can move to, less the opponent's",
            "Σ w over L(p) - Σ w over L(o), w as in weighted_open",
            Plain,
            |_| WeightedMoves,
        )
        .called("B", "custom 3"),
    ]
}

/// The weight of a cell. The report measures rows by the width and columns by the height, which is the
/// same on a square board; a factor whose side is 1 counts 1.
fn weight(size: Size, cell: Cell) -> f64 {
    let (row, column) = size.coordinates(cell);
    let factor = |place: u32, side: u32| {
        if side == 1 {
            return 1.0;
        }
        let middle = f64::midpoint(f64::from(side), 1.0) - 1.0;
        1.0 - 0.5 * (f64::from(place) - middle).abs() / ((f64::from(side) - 1.0) / 2.0)
    };
    factor(row, size.width()) * factor(column, size.height())
}

fn weighted_open<S: CellSet>(position: &Position<S>, player: Player) -> f64 {
    let weights = position.geometry().weights(weight);
    let value = position
        .location(player)
        .map_or(0.0, |cell| f64::from(position.mobility(player)) * weights[cell.index()]);
    // No moves times a weight below 0, as there are where the sides differ, is a zero with a sign.
    value + 0.0
}

struct WeightedOpen;

impl Formula for WeightedOpen {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        weighted_open(position, player)
    }
}

struct WeightedImproved;

impl Formula for WeightedImproved {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        weighted_open(position, player) - weighted_open(position, player.opponent())
    }
}

struct WeightedMoves;

impl Formula for WeightedMoves {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let weights = position.geometry().weights(weight);
        let [own, other] = [player, player.opponent()].map(|side| {
            let mut total = 0.0;
            for cell in position.moves(side) {
                total += weights[cell.index()];
            }
            total
        });
        own - other
    }
}

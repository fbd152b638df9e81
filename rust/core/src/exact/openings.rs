//! Who wins the openings of 7 by 7: found once by the solver, and looked up since.
//!
//! An opening is a position at most four moves after both knights were placed, or before. Almost always the
//! colours of the knights' cells say who wins: knights change colour with every move, so the player who wins
//! from knights on one colour loses from knights on two after any move. `openings.txt` lists the others.
//! Positions that turns and mirrorings of the board make of each other are one opening.

use std::iter;
use std::sync::LazyLock;

use smallvec::SmallVec;

use super::outcome::have_same_colour;
use crate::board::{Cell, CellSet, Position};

const SIDE: u32 = 7;
/// How many moves after the placements are looked up.
const MOVES: usize = 4;

/// Row and column.
type Place = (u32, u32);
/// Where the player to move stands, where the other one does, and the cells that they have left.
type Places = SmallVec<[Place; MOVES + 2]>;

/// The openings in which the colours do not name the winner. A line each: the cell of the player to move,
/// that of the other, and the cells that they have left, each as row and column.
static STRANGE: LazyLock<Box<[u64]>> = LazyLock::new(|| {
    let digits = |cell: &str| {
        let [row, column] = cell.as_bytes() else { panic!("{cell} is a row and a column") };
        (u32::from(row - b'0'), u32::from(column - b'0'))
    };
    let lines = include_str!("openings.txt").lines();
    let mut keys: Box<[u64]> =
        lines.map(|line| key(&line.split(' ').map(digits).collect::<Places>())).collect();
    keys.sort_unstable();
    keys
});

/// Whether the player to move wins, where the position is an opening.
///
/// ```text
///   moves made                none, none    one, none    both placed, and 0 to 4 moves
///   the player to move        loses         wins         wins from knights on one colour, mostly
/// ```
pub(super) fn wins<S: CellSet>(position: &Position<S>) -> Option<bool> {
    let size = position.size();
    if (size.width(), size.height()) != (SIDE, SIDE) {
        return None;
    }
    let mover = position.to_move();
    let blocked = (size.cells() - position.blank().count()) as usize;
    let (own, other) =
        match (position.location(mover), position.location(mover.opponent()), blocked) {
            (Some(own), Some(other), 2..) if blocked <= MOVES + 2 => (own, other),
            (None, None, 0) => return Some(false),
            (None, Some(other), 1) => return (!position.blank().contains(other)).then_some(true),
            _ => return None,
        };
    if own == other || [own, other].iter().any(|&each| position.blank().contains(each)) {
        return None;
    }
    let is_left = |cell: &Cell| !position.blank().contains(*cell) && ![own, other].contains(cell);
    let left = (0..size.cells()).map(Cell).filter(is_left);
    let places: Places =
        [own, other].into_iter().chain(left).map(|cell| size.coordinates(cell)).collect();
    is_played(places[0], places[1], &places[2..])
        .then(|| have_same_colour(size, own, other) != STRANGE.binary_search(&key(&places)).is_ok())
}

/// Whether moves lead there from two placed knights: the last one was the other knight's.
fn is_played(own: Place, other: Place, left: &[Place]) -> bool {
    left.is_empty()
        || left.iter().any(|&from| {
            let apart = (from.0.abs_diff(other.0), from.1.abs_diff(other.1));
            let before: Places = left.iter().copied().filter(|&each| each != from).collect();
            matches!(apart, (1, 2) | (2, 1)) && is_played(from, own, &before)
        })
}

/// The same number for all turns and mirrorings of an opening, and another for each other opening.
fn key(places: &[Place]) -> u64 {
    let image = |turn: u32, (row, column): Place| {
        let row = if turn & 1 == 0 { row } else { SIDE - 1 - row };
        let column = if turn & 2 == 0 { column } else { SIDE - 1 - column };
        if turn & 4 == 0 { row * SIDE + column } else { column * SIDE + row }
    };
    let number = |turn| {
        let mut cells: SmallVec<[u32; MOVES + 2]> =
            places.iter().map(|&place| image(turn, place)).collect();
        cells[2..].sort_unstable();
        iter::once(1).chain(cells).fold(0, |number, cell| number << 6 | u64::from(cell))
    };
    (0..8).map(number).min().expect("there are eight")
}

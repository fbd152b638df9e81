//! Moves between Python and the engine: pairs of integers, and lists of them.

use isolation_core::{AnyPosition, Cell, Size, shuffle, with_position};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};
use smallvec::SmallVec;

use crate::errors;

/// Cells copied out of a position: a knight's moves without an allocation.
pub(crate) type Cells = SmallVec<[Cell; 8]>;

/// The moves from a cell, in the order in which a board with these bits lists them; all blank cells,
/// from the first column on, for a player who is not placed.
pub(crate) fn listed(position: &AnyPosition, from: Option<Cell>, order_bits: u64) -> Cells {
    let mut cells: Cells = with_position!(position, |position| position.moves_from(from).collect());
    if let Some(origin) = from {
        shuffle(&mut cells, order_bits, origin);
    }
    cells
}

/// Boards with at most so many cells share their tuples: a tuple cannot change, and handing one out
/// again takes a tenth of making it.
const SHARED: u32 = 128;

/// A cell as `(row, column)`.
pub(crate) fn coordinates(py: Python<'_>, size: Size, cell: Cell) -> Bound<'_, PyTuple> {
    // By height, then by cell: that spares the division into row and column as well.
    static TUPLES: [PyOnceLock<Vec<Py<PyTuple>>>; SHARED as usize] =
        [const { PyOnceLock::new() }; SHARED as usize];
    let height = size.height();
    match TUPLES.get(height as usize) {
        Some(tuples) if cell.0 < SHARED => {
            let tuples = tuples.get_or_init(py, || {
                let pairs = (0..SHARED).map(|index| (index % height, index / height));
                pairs.map(|pair| new_tuple(py, pair).unbind()).collect()
            });
            tuples[cell.index()].bind(py).clone()
        }
        _ => new_tuple(py, size.coordinates(cell)),
    }
}

fn new_tuple(py: Python<'_>, (row, column): (u32, u32)) -> Bound<'_, PyTuple> {
    PyTuple::new(py, [row, column]).expect("a tuple of two small integers")
}

/// A new list of cells as `(row, column)`.
pub(crate) fn list<'py>(
    py: Python<'py>,
    size: Size,
    cells: &Cells,
) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, cells.iter().map(|&cell| coordinates(py, size, cell)))
}

/// What somebody gave as a move: its first two entries.
pub(crate) struct GivenMove<'py> {
    entries: [Bound<'py, PyAny>; 2],
    /// Row and column, None where an integer is too large for any board.
    numbers: Option<(i64, i64)>,
}

impl<'py> GivenMove<'py> {
    /// Takes any sequence whose first two entries are integers. May run any code.
    pub(crate) fn new(given: &Bound<'py, PyAny>) -> PyResult<Self> {
        let entries = match given.cast_exact::<PyTuple>() {
            Ok(pair) => [pair.get_item(0), pair.get_item(1)],
            Err(_) => [given.get_item(0), given.get_item(1)],
        };
        let [Ok(row), Ok(column)] = entries else { return Err(errors::no_move(given)) };
        let number = |entry: &Bound<'py, PyAny>| match entry.extract::<i64>() {
            Ok(number) => Ok(Some(number)),
            // An integer, and far off any board.
            Err(error) if error.is_instance_of::<PyOverflowError>(entry.py()) => Ok(None),
            Err(_) => Err(errors::no_move(given)),
        };
        let numbers = number(&row)?.zip(number(&column)?);
        Ok(Self { entries: [row, column], numbers })
    }

    /// The cell, None where it is off the board.
    pub(crate) fn cell(&self, size: Size) -> Option<Cell> {
        self.numbers.and_then(|(row, column)| size.cell(row, column))
    }

    /// The error that the move is outside the board.
    pub(crate) fn off_board(&self, board: &str) -> PyErr {
        let [row, column] = self
            .entries
            .each_ref()
            .map(|entry| entry.str().map_or_else(|_| "?".into(), |text| text.to_string()));
        errors::off_board(self.entries[0].py(), &row, &column, board)
    }
}

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

/// Tuples below this row and column are made once: a tuple cannot change, so it can be shared, and
/// handing one out again takes a tenth of making it.
const SHARED: u32 = 32;

/// A cell as `(row, column)`.
pub(crate) fn coordinates(py: Python<'_>, size: Size, cell: Cell) -> Bound<'_, PyTuple> {
    static TUPLES: PyOnceLock<Vec<Py<PyTuple>>> = PyOnceLock::new();
    let (row, column) = size.coordinates(cell);
    if row < SHARED && column < SHARED {
        let tuples = TUPLES.get_or_init(py, || {
            let pairs = (0..SHARED).flat_map(|row| (0..SHARED).map(move |column| (row, column)));
            pairs.map(|pair| new_tuple(py, pair).unbind()).collect()
        });
        return tuples[(row * SHARED + column) as usize].bind(py).clone();
    }
    new_tuple(py, (row, column))
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

/// What somebody gave as a move: its two entries, as integers of Python.
pub(crate) struct GivenMove<'py> {
    row: Bound<'py, PyAny>,
    column: Bound<'py, PyAny>,
}

impl<'py> GivenMove<'py> {
    /// The first two entries of any sequence, if they are integers. May run any code.
    pub(crate) fn new(given: &Bound<'py, PyAny>) -> PyResult<Self> {
        let entry = |at: usize| -> PyResult<Bound<'py, PyAny>> {
            match given.cast_exact::<PyTuple>() {
                Ok(tuple) => tuple.get_item(at),
                Err(_) => given.get_item(at),
            }
        };
        match (entry(0), entry(1)) {
            (Ok(row), Ok(column)) => {
                let given = Self { row, column };
                Ok(given)
            }
            _ => Err(errors::no_move(given)),
        }
    }

    /// The cell, None where it is off the board, an error where the entries are no integers.
    pub(crate) fn cell(&self, size: Size, given: &Bound<'py, PyAny>) -> PyResult<Option<Cell>> {
        let number = |entry: &Bound<'py, PyAny>| match entry.extract::<i64>() {
            Ok(number) => Ok(Some(number)),
            // An integer, and far off any board.
            Err(error) if error.is_instance_of::<PyOverflowError>(entry.py()) => Ok(None),
            Err(_) => Err(errors::no_move(given)),
        };
        let (row, column) = (number(&self.row)?, number(&self.column)?);
        Ok(row.zip(column).and_then(|(row, column)| size.cell(row, column)))
    }

    /// The error that the move is outside the board.
    pub(crate) fn off_board(&self, board: &str) -> PyErr {
        let shown = |entry: &Bound<'py, PyAny>| {
            entry.str().map_or_else(|_| "?".into(), |text| text.to_string())
        };
        errors::off_board(self.row.py(), &shown(&self.row), &shown(&self.column), board)
    }
}

//! Moves between Python and the engine: pairs of integers, and lists of them.

use isolation_core::{AnyPosition, Cell, CellSet, Size, shuffle, shuffle_from, with_position};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyList, PyTuple};
use smallvec::SmallVec;

use crate::errors::{Error, shown};

/// Cells copied out of a position: a knight's moves without an allocation.
pub(crate) type Cells = SmallVec<[Cell; 8]>;

/// The moves from a cell, in the order in which a board with these bits lists them; all blank cells,
/// from the first column on, for a player who is not placed.
pub(crate) fn listed(position: &AnyPosition, from: Option<Cell>, order_bits: u64) -> Cells {
    let Some(origin) = from else {
        return with_position!(position, |position| position.moves_from(None).collect());
    };
    // Filled in its place: to copy it right after its cells were written one by one waits for them, a third
    // of the time of this function.
    let mut cells = Cells::new();
    with_position!(position, |position| {
        for cell in position.moves_from(from) {
            cells.push(cell);
        }
    });
    shuffle(&mut cells, order_bits, origin);
    cells
}

/// The moves from a place off the board: the classic board lists those that lead back onto it.
pub(crate) fn listed_from_outside(
    position: &AnyPosition,
    from: &GivenMove,
    order_bits: u64,
) -> Cells {
    let Some((row, column)) = from.0 else { return Cells::new() };
    with_position!(position, |position| {
        let size = position.size();
        let mut cells: Cells = size
            .knight_moves_from(row, column)
            .filter(|&cell| position.blank().contains(cell))
            .collect();
        let origin = column.wrapping_mul(i64::from(size.height())).wrapping_add(row);
        shuffle_from(&mut cells, order_bits, origin.cast_unsigned());
        cells
    })
}

/// Boards with at most so many cells share their tuples: a tuple cannot change, and handing one out
/// again takes a tenth of making it.
const SHARED: u32 = 128;

/// The shared tuples of boards of a height, by cell: looking one up also spares the division into row
/// and column. None where the board has too many cells.
fn shared(py: Python<'_>, size: Size) -> Option<&[Py<PyTuple>]> {
    static TUPLES: [PyOnceLock<Vec<Py<PyTuple>>>; SHARED as usize + 1] =
        [const { PyOnceLock::new() }; SHARED as usize + 1];
    if size.cells() > SHARED {
        return None;
    }
    let height = size.height();
    let tuples = &TUPLES[height as usize];
    if tuples.get(py).is_none() {
        let pairs = (0..SHARED).map(|index| (index % height, index / height));
        let made = pairs.map(|pair| new_tuple(py, pair).unbind()).collect();
        // Not made by `get_or_init`: a collection of garbage meanwhile may call what needs them too,
        // and would wait for itself.
        let _ = tuples.set(py, made);
    }
    tuples.get(py).map(Vec::as_slice)
}

/// A cell as `(row, column)`.
pub(crate) fn coordinates(py: Python<'_>, size: Size, cell: Cell) -> Bound<'_, PyTuple> {
    match shared(py, size) {
        Some(tuples) => tuples[cell.index()].bind(py).clone(),
        None => new_tuple(py, size.coordinates(cell)),
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
    match shared(py, size) {
        Some(tuples) => PyList::new(py, cells.iter().map(|&cell| &tuples[cell.index()])),
        None => PyList::new(py, cells.iter().map(|&cell| new_tuple(py, size.coordinates(cell)))),
    }
}

/// What somebody gave as a move: row and column, None where one is too large for any board.
pub(crate) struct GivenMove(Option<(i64, i64)>);

impl GivenMove {
    /// Takes any sequence whose first two entries are integers. May run any code.
    pub(crate) fn new(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some(usual) = Self::pair_of_small_integers(given) {
            return Ok(usual);
        }
        match (given.get_item(0), given.get_item(1)) {
            (Ok(row), Ok(column)) => Ok(Self(number(given, &row)?.zip(number(given, &column)?))),
            _ => Err(Error::NoMove(shown(given)).into()),
        }
    }

    /// The usual move, taken apart without owning its entries or making room for errors: a tenth of a
    /// forecast.
    #[inline]
    fn pair_of_small_integers(given: &Bound<'_, PyAny>) -> Option<Self> {
        let small = |entry: &Bound<'_, PyAny>| entry.cast_exact::<PyInt>().ok()?.extract().ok();
        let [row, column] = given.cast_exact::<PyTuple>().ok()?.as_slice() else { return None };
        Some(Self(Some((small(row)?, small(column)?))))
    }

    /// Row and column, None where one is too large for any board.
    pub(crate) fn pair(&self) -> Option<(i64, i64)> {
        self.0
    }

    /// The cell, None where it is off the board.
    pub(crate) fn cell(&self, size: Size) -> Option<Cell> {
        self.0.and_then(|(row, column)| size.cell(row, column))
    }
}

/// An entry of a move as an integer, None where it is one of more than 64 bits.
fn number(given: &Bound<'_, PyAny>, entry: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    match entry.extract::<i64>() {
        Ok(number) => Ok(Some(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => Ok(None),
        Err(_) => Err(Error::NoMove(shown(given)).into()),
    }
}

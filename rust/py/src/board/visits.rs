//! Which cells player 2 went to. Nothing but the oldest private name of the board's state, in which a cell
//! says who went there, ever tells.

use isolation_core::{Cell, Player, Size};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

/// A set of cells. In one integer where they fit, since every forecast copies it.
#[derive(Clone)]
pub(crate) enum Visits {
    Few(u128),
    Many(Box<[u64]>),
}

impl Visits {
    pub(super) fn none(size: Size) -> Self {
        match size.cells() {
            ..=128 => Self::Few(0),
            cells => Self::Many(vec![0; cells.div_ceil(64) as usize].into()),
        }
    }

    /// Notes who went to a cell.
    #[inline]
    pub(crate) fn note(&mut self, mover: Player, cell: Cell) {
        let second = mover == Player::Two;
        match self {
            Self::Few(cells) => {
                *cells = *cells & !(1 << cell.0) | u128::from(second) << cell.0;
            }
            Self::Many(words) => {
                let (word, bit) = (&mut words[cell.index() / 64], cell.0 % 64);
                *word = *word & !(1 << bit) | u64::from(second) << bit;
            }
        }
    }

    /// The same cells by index on a board of another size.
    pub(super) fn resized(&self, size: Size) -> Self {
        let mut visits = Self::none(size);
        for cell in (0..size.cells()).map(Cell).filter(|&cell| self.holds(cell)) {
            visits.note(Player::Two, cell);
        }
        visits
    }

    pub(super) fn holds(&self, cell: Cell) -> bool {
        match self {
            Self::Few(cells) => cells.checked_shr(cell.0).is_some_and(|from| from & 1 == 1),
            Self::Many(words) => {
                words.get(cell.index() / 64).is_some_and(|word| word >> (cell.0 % 64) & 1 == 1)
            }
        }
    }

    /// As an integer of Python, whose bit i stands for cell i.
    pub(super) fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Few(cells) => Ok(cells.into_pyobject(py)?.into_any()),
            Self::Many(words) => {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                let bytes = PyBytes::new(py, &bytes);
                py.get_type::<PyInt>().call_method1("from_bytes", (bytes, "little"))
            }
        }
    }

    /// From such an integer; bits beyond the board's cells are no cells.
    pub(super) fn from_python(given: &Bound<'_, PyInt>, size: Size) -> PyResult<Self> {
        let mut visits = Self::none(size);
        for cell in (0..size.cells()).map(Cell) {
            let bit = given.rshift(cell.0)?.bitand(1)?;
            if bit.is_truthy()? {
                visits.note(Player::Two, cell);
            }
        }
        Ok(visits)
    }
}

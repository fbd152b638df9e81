//! Native heuristics as Python objects.

use std::sync::Arc;

use isolation_core::{NativeHeuristic, heuristics, with_position};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::board::Board;
use crate::errors;

/// A heuristic that runs inside the engine at full speed.
///
/// It is also a plain function of a board and one of its players:
///
/// >>> from isolation_fast import Board, heuristics
/// >>> board = Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
/// >>> heuristics.improved(board, board.active_player)
/// -2.0
#[pyclass(frozen, module = "isolation_fast._native", name = "Heuristic")]
pub(crate) struct Heuristic {
    pub(crate) native: Arc<NativeHeuristic>,
}

#[pymethods]
impl Heuristic {
    /// The name under which it is registered.
    ///
    /// >>> heuristics.improved.name
    /// 'improved'
    #[getter]
    fn name(&self) -> &str {
        self.native.name
    }

    /// What it measures, in one line.
    ///
    /// >>> heuristics.improved.summary
    /// "the player's moves less the opponent's"
    #[getter]
    fn summary(&self) -> &str {
        self.native.summary
    }

    /// The value of the board for one of its players.
    fn __call__(&self, game: &Bound<'_, PyAny>, player: &Bound<'_, PyAny>) -> PyResult<f64> {
        let board = game.cast::<Board>().map_err(|_| errors::no_board(game))?;
        match Board::clear_position(board)? {
            Ok(position) => {
                let seat = Board::seat_of(board, player)?;
                Ok(with_position!(&position, |position| self.native.value(position, seat)))
            }
            Err(doubt) => self.value_in_doubt(game, player, doubt),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().native.name == self.native.name)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        pyo3::types::PyString::new(py, self.native.name).hash()
    }

    fn __repr__(&self) -> String {
        format!("heuristics.{}", self.native.name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&str,))> {
        Ok((py.import("isolation_fast._native")?.getattr("heuristic")?, (self.native.name,)))
    }
}

impl Heuristic {
    /// The value of a board that is no position of two players, because somebody has set its
    /// `_active_player` alone or its players are equal: what the same formula in Python makes of what
    /// the board's methods say, as on the classic board.
    fn value_in_doubt(
        &self,
        game: &Bound<'_, PyAny>,
        player: &Bound<'_, PyAny>,
        doubt: &str,
    ) -> PyResult<f64> {
        let py = game.py();
        let formulas = py.import("isolation_fast.reference.heuristics")?.getattr("HEURISTICS")?;
        match formulas.get_item(self.native.name) {
            Ok(formula) => formula.call1((game, player))?.extract(),
            Err(_) => Err(errors::turn(py, doubt)),
        }
    }
}

/// The registered names, in the order in which they are listed to people.
#[pyfunction]
pub(crate) fn heuristic_names() -> Vec<&'static str> {
    heuristics::all().iter().map(|heuristic| heuristic.name).collect()
}

/// The native heuristic of that name; `KeyError` where none is registered under it.
#[pyfunction]
pub(crate) fn heuristic(name: &str) -> PyResult<Heuristic> {
    let native = heuristics::find(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
    Ok(Heuristic { native })
}

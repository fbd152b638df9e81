//! Native heuristics as Python objects, and Python functions as heuristics of the engine.

use std::sync::Arc;

use isolation_core::{
    AnyPosition, CellSet, NativeHeuristic, Player, Position, heuristics, with_position,
};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFloat, PyInt, PyList, PyTuple, PyType};

use crate::board::{Board, Seating};
use crate::errors;
use crate::nesting::Nesting;

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

/// A Python function in the place of a heuristic.
pub(crate) struct Callback<'py> {
    function: Bound<'py, PyAny>,
    /// The player to score, the very object that the board was made with.
    player: Bound<'py, PyAny>,
    seating: Seating,
    /// Moves played before the root, and blank cells there: together they number a position's moves.
    root_moves: i64,
    root_blanks: u32,
    nesting: Nesting,
}

impl<'py> Callback<'py> {
    pub(crate) fn new(
        function: &Bound<'py, PyAny>,
        player: Bound<'py, PyAny>,
        seating: Seating,
        root_moves: i64,
        root: &AnyPosition,
    ) -> PyResult<Self> {
        let root_blanks = with_position!(root, |position| position.blank().count());
        let nesting = Nesting::begin()?;
        Ok(Self { function: function.clone(), player, seating, root_moves, root_blanks, nesting })
    }

    fn name(&self) -> String {
        let name = self
            .function
            .getattr("__name__")
            .or_else(|_| self.function.repr().map(Bound::into_any));
        name.map_or_else(|_| "<unnamed>".to_owned(), |name| format!("`{name}`"))
    }

    /// The answer as a number.
    fn number<S: CellSet>(
        &self,
        answer: &Bound<'py, PyAny>,
        position: &Position<S>,
    ) -> PyResult<f64> {
        let number = match answer.cast_exact::<PyFloat>() {
            Ok(number) => Some(number.value()),
            Err(_) => real_number(answer)?,
        };
        match number {
            Some(number) if !number.is_nan() => Ok(number),
            _ => Err(errors::heuristic_result(&self.name(), answer, &position.to_string())),
        }
    }

    /// Says in a note of the exception where it happened, and leaves it otherwise as it is.
    fn annotated<S: CellSet>(&self, error: PyErr, position: &Position<S>) -> PyErr {
        const BEGINNING: &str = "raised by heuristic";
        let note = format!("{BEGINNING} {} for {:?}", self.name(), position.to_string());
        // What `add_note` does, which Python 3.10 does not have. An exception that takes no attribute
        // goes without.
        let value = error.value(self.function.py());
        let notes = value.getattr("__notes__").or_else(|_| {
            let notes = PyList::empty(value.py()).into_any();
            value.setattr("__notes__", &notes).map(|()| notes)
        });
        let _ = notes.and_then(|notes| {
            // One that is raised again and again says the last place only.
            let last = notes.len()?.wrapping_sub(1);
            match notes.get_item(last) {
                Ok(said) if said.str()?.to_string_lossy().starts_with(BEGINNING) => {
                    notes.set_item(last, note)
                }
                _ => notes.call_method1("append", (note,)).map(drop),
            }
        });
        error
    }
}

impl<S: CellSet> isolation_core::Heuristic<S> for Callback<'_>
where
    AnyPosition: From<Position<S>>,
{
    type Error = PyErr;
    // A call takes longer than a look at the clock, and may take milliseconds.
    const NODES_BETWEEN_LOOKS: u64 = 1;

    fn evaluate(&mut self, position: &Position<S>, _: Player) -> PyResult<f64> {
        let py = self.function.py();
        let ply = self.root_blanks - position.blank().count();
        self.nesting.stands_at(ply);
        let moves = self.root_moves + i64::from(ply);
        // A new board each time: the function may keep it, or change it.
        let board = Board::new(position.clone().into(), self.seating.clone_ref(py), moves);
        let board = Bound::new(py, board)?;
        match self.function.call1((board, &self.player)) {
            Ok(answer) => self.number(&answer, position),
            Err(error) => Err(self.annotated(error, position)),
        }
    }
}

/// The value of an int, a bool, a scalar of numpy, a Fraction: whatever is one real number. None for
/// all else: texts, complex numbers, arrays of several.
fn real_number(answer: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    static REAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static COMPLEX: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let py = answer.py();
    let real = if answer.is_instance_of::<PyInt>() || answer.is_instance_of::<PyFloat>() {
        true
    } else {
        answer.is_instance(REAL.import(py, "numbers", "Real")?)?
            // Real numbers that are not registered as such: Decimal, numpy.bool, what numpy.where
            // makes of two numbers, which has a `__len__` that it does not answer.
            || (answer.hasattr("__float__")?
                && !answer.is_instance(COMPLEX.import(py, "numbers", "Complex")?)?
                && !answer.is_instance_of::<PyTuple>()
                && answer.len().is_err())
    };
    Ok(if real { answer.extract().ok() } else { None })
}

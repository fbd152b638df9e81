//! Python functions as heuristics of the engine.

use isolation_core::{
    AnyPosition, Cell, CellSet, Clock, Halt, Meter, Player, Position, Stop, with_position,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFloat, PyInt, PyList, PyTuple, PyType};

use crate::board::{Board, Root, Visits};
use crate::errors::{Error, shown};
use crate::nesting::Nesting;

/// What a search makes of a NaN that a Python function returns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nan {
    /// It is compared as any number is, and counted.
    Course,
    /// It is an error.
    Refuse,
}

impl Nan {
    /// Of a flag: the words are checked in Python.
    pub(crate) fn of(refused: bool) -> Self {
        if refused { Self::Refuse } else { Self::Course }
    }
}

/// A Python function in the place of a heuristic.
pub(crate) struct Callback<'py> {
    function: Bound<'py, PyAny>,
    /// The player to score, the very object that the board was made with.
    player: Bound<'py, PyAny>,
    root: Root,
    /// The moves made since the root, who makes the next one, and who went where up to here.
    line: Vec<Cell>,
    mover: Player,
    visits: Visits,
    /// The exceptions of the heuristic's own that end a search as a spent budget does.
    stops: Option<Bound<'py, PyAny>>,
    nesting: Nesting,
    nan: Nan,
    /// How often it has returned NaN.
    pub(crate) nans: u64,
}

impl<'py> Callback<'py> {
    pub(crate) fn new(
        function: &Bound<'py, PyAny>,
        root: Root,
        nan: Nan,
        stops: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        Ok(Self {
            function: function.clone(),
            player: root.player(function.py()),
            line: Vec::new(),
            mover: with_position!(&root.position, |position| position.to_move()),
            visits: root.visits.clone(),
            root,
            stops,
            nesting: Nesting::begin()?,
            nan,
            nans: 0,
        })
    }

    /// Whether an exception ends the search as a spent budget does.
    fn is_stop(&self, error: &PyErr) -> bool {
        let py = self.function.py();
        self.stops.as_ref().is_some_and(|stops| error.matches(py, stops).unwrap_or(false))
    }

    /// A new board for a position below the root: the function may keep it, or change it.
    fn board<S: CellSet>(&self, position: &Position<S>) -> PyResult<Bound<'py, Board>>
    where
        AnyPosition: From<Position<S>>,
    {
        let py = self.function.py();
        let moves = self.root.move_count.wrapping_add(self.ply().into());
        let seating = self.root.seating.clone_ref(py);
        Bound::new(py, Board::new(position.clone().into(), seating, moves, self.visits.clone()))
    }

    fn ply(&self) -> u32 {
        u32::try_from(self.line.len()).expect("no line is longer than MAX_PLIES")
    }
}

impl<S: CellSet> isolation_core::Heuristic<S> for Callback<'_>
where
    AnyPosition: From<Position<S>>,
{
    type Error = PyErr;

    fn nodes_between_looks(&self, _: u32) -> u64 {
        // A call takes longer than a look at the clock, and may take milliseconds.
        1
    }

    fn evaluate<C: Clock>(
        &mut self,
        position: &Position<S>,
        _: Player,
        _: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<PyErr>> {
        self.nesting.stands_at(self.ply());
        let answer = self.board(position).and_then(|board| {
            self.function.call1((board, &self.player)).map_err(|error| {
                if self.is_stop(&error) {
                    error
                } else {
                    annotated(error, &self.function, &position.to_string())
                }
            })
        });
        let number = answer.and_then(|answer| match real_number(&answer)? {
            Some(number) if number.is_nan() && self.nan == Nan::Course => {
                self.nans += 1;
                Ok(number)
            }
            number => required(number, &self.function, &answer, || position.to_string()),
        });
        number.map_err(|error| {
            if self.is_stop(&error) { Halt::Stop(Stop::Heuristic) } else { Halt::Heuristic(error) }
        })
    }

    fn entered(&mut self, cell: Cell) {
        self.line.push(cell);
        self.visits.note(self.mover, cell);
        self.mover = self.mover.opponent();
    }

    fn left(&mut self) {
        if let Some(cell) = self.line.pop() {
            self.visits.take_back(cell, &self.root.visits);
            self.mover = self.mover.opponent();
        }
    }
}

fn name_of(function: &Bound<'_, PyAny>) -> String {
    let name = function.getattr("__name__").or_else(|_| function.repr().map(Bound::into_any));
    name.map_or_else(|_| "<unnamed>".to_owned(), |name| format!("`{name}`"))
}

/// Says in a note of the exception where it happened, and leaves it otherwise as it is.
pub(crate) fn annotated(error: PyErr, function: &Bound<'_, PyAny>, position: &str) -> PyErr {
    const BEGINNING: &str = "raised by heuristic";
    let note = format!("{BEGINNING} {} for {position:?}", name_of(function));
    // What `add_note` does, which Python 3.10 does not have. An exception that takes no attribute
    // goes without.
    let value = error.value(function.py());
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

/// The answer of a heuristic as a number; an error for NaN too.
pub(crate) fn as_number(
    function: &Bound<'_, PyAny>,
    answer: &Bound<'_, PyAny>,
    position: impl FnOnce() -> String,
) -> PyResult<f64> {
    required(real_number(answer)?, function, answer, position)
}

fn required(
    number: Option<f64>,
    function: &Bound<'_, PyAny>,
    answer: &Bound<'_, PyAny>,
    position: impl FnOnce() -> String,
) -> PyResult<f64> {
    let is_nan = number.is_some_and(f64::is_nan);
    if let (Some(number), false) = (number, is_nan) {
        return Ok(number);
    }
    let (heuristic, answer, position) = (name_of(function), shown(answer), position());
    Err(if is_nan {
        Error::Nan { heuristic, answer, position }
    } else {
        Error::Answer { heuristic, answer, position }
    }
    .into())
}

/// The value of an int, a bool, a scalar of numpy, a Fraction: whatever is one real number, or NaN. None
/// for all else: texts, complex numbers, arrays of several.
fn real_number(answer: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    static REAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static COMPLEX: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if let Ok(number) = answer.cast_exact::<PyFloat>() {
        return Ok(Some(number.value()));
    }
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

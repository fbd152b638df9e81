//! Python functions as heuristics of the engine.

use std::sync::Arc;
use std::time::Duration;

use isolation_core::{
    AnyPosition, Cell, CellSet, Clock, Failure, Halt, Meter, Options, Player, Position, Report,
    Stop,
};
use pyo3::prelude::*;

use crate::answers::{annotated, real_number, required};
use crate::board::{Board, Root, Visits};
use crate::compiled::{Compiled, Use};
use crate::difference::Difference;
use crate::errors::Error;
use crate::nesting::Nesting;
use crate::running::Prepared;
use crate::spending::{Paid, Spending, Terms};
use crate::watch::{Watch, detached};

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

/// A Python function in the place of a heuristic. Where it is compiled, its program is asked first.
struct Callback<S: CellSet> {
    function: Py<PyAny>,
    /// The player to score, the very object that the board was made with.
    player: Py<PyAny>,
    root: Root,
    /// The moves made since the root, and who made the first of them.
    line: Vec<Cell>,
    mover: Player,
    /// The exceptions of the heuristic's own that end a search as a spent budget does.
    stops: Option<Py<PyAny>>,
    nesting: Nesting,
    nan: Nan,
    /// How often it has returned NaN.
    nans: u64,
    program: Option<Use<S>>,
    /// Where work is spent as the search goes.
    spending: Option<Spending>,
    nodes_between_looks: u64,
    watched: Vec<Watched<S>>,
    /// Where the program gave another value than the function. The search is then worth nothing.
    difference: Option<Difference>,
}

/// A value of a program that is to be compared with the function's own.
struct Watched<S: CellSet> {
    position: Position<S>,
    move_count: i64,
    visits: Visits,
    value: f64,
}

/// So many are compared at a time: each time takes the interpreter.
const COMPARED_TOGETHER: usize = 16;

/// How long a search with a program may go on between two looks at the clock.
const BETWEEN_LOOKS: Duration = Duration::from_micros(50);
const MOST_BETWEEN_LOOKS: u64 = 1024;

impl<S: CellSet> Callback<S>
where
    AnyPosition: From<Position<S>>,
{
    fn new(attempt: Attempt<'_, S>) -> Result<Self, Failure<PyErr>> {
        let Attempt { function, player, root, stops, nan, mut program, position, spending, .. } =
            attempt;
        let nodes_between_looks = program
            .as_mut()
            .and_then(|program| program.time(position, position.to_move()))
            .map_or(1, |time| BETWEEN_LOOKS.as_nanos() / time.as_nanos().max(1))
            .clamp(1, MOST_BETWEEN_LOOKS.into());
        Ok(Self {
            function,
            player,
            line: Vec::new(),
            mover: position.to_move(),
            root,
            stops,
            nesting: Nesting::begin().map_err(Failure::Heuristic)?,
            nan,
            nans: 0,
            program,
            spending,
            nodes_between_looks: u64::try_from(nodes_between_looks).unwrap_or(MOST_BETWEEN_LOOKS),
            watched: Vec::new(),
            difference: None,
        })
    }

    /// Whether an exception ends the search as a spent budget does.
    fn is_stop(&self, py: Python<'_>, error: &PyErr) -> bool {
        let stops = self.stops.as_ref();
        stops.is_some_and(|stops| error.matches(py, stops.bind(py)).unwrap_or(false))
    }

    /// A new board for a position below the root: the function may keep it, or change it.
    fn board<'py>(
        &self,
        py: Python<'py>,
        position: Position<S>,
        move_count: i64,
        visits: Visits,
    ) -> PyResult<Bound<'py, Board>> {
        let seating = self.root.seating.clone_ref(py);
        Bound::new(py, Board::new(position.into(), seating, move_count, visits))
    }

    /// Who went where up to here.
    fn visits(&self) -> Visits {
        let mut visits = self.root.visits.clone();
        let movers = [self.mover, self.mover.opponent()].into_iter().cycle();
        for (&cell, mover) in self.line.iter().zip(movers) {
            visits.note(mover, cell);
        }
        visits
    }

    fn ply(&self) -> u32 {
        u32::try_from(self.line.len()).expect("no line is longer than MAX_PLIES")
    }

    fn move_count(&self) -> i64 {
        self.root.move_count.wrapping_add(self.ply().into())
    }

    /// What the function says of a board.
    fn asked(&mut self, py: Python<'_>, position: &Position<S>) -> Result<f64, Halt<PyErr>> {
        let function = self.function.bind(py).clone();
        self.nesting.stands_at(self.ply());
        let board = self.board(py, position.clone(), self.move_count(), self.visits());
        let answer = board.and_then(|board| {
            function.call1((board, &self.player)).map_err(|error| {
                if self.is_stop(py, &error) {
                    error
                } else {
                    annotated(error, &function, &position.to_string())
                }
            })
        });
        let number = answer.and_then(|answer| match real_number(&answer)? {
            Some(number) if number.is_nan() && self.nan == Nan::Course => {
                self.nans += 1;
                Ok(number)
            }
            number => required(number, &function, &answer, || position.to_string()),
        });
        let number = number.and_then(|number| {
            self.program.as_mut().map_or(Ok(()), |program| program.asked(&function))?;
            Ok(number)
        });
        number.map_err(|error| {
            if self.is_stop(py, &error) {
                Halt::Stop(Stop::Heuristic)
            } else {
                Halt::Heuristic(error)
            }
        })
    }

    /// Notes a value to be compared; compares those that were noted once there are enough.
    #[cold]
    fn watch(&mut self, position: &Position<S>, value: f64) -> Result<(), Halt<PyErr>> {
        let (move_count, visits) = (self.move_count(), self.visits());
        self.watched.push(Watched { position: position.clone(), move_count, visits, value });
        if self.watched.len() == COMPARED_TOGETHER {
            Python::attach(|py| self.compare(py))?;
        }
        Ok(())
    }

    /// Compares the values that were noted with the function's own.
    ///
    /// # Errors
    /// Where one differs: then the search is to be made anew, without the program.
    fn compare(&mut self, py: Python<'_>) -> Result<(), Halt<PyErr>> {
        let function = self.function.bind(py).clone();
        for each in std::mem::take(&mut self.watched) {
            let board = self.board(py, each.position.clone(), each.move_count, each.visits);
            let own = board.and_then(|board| function.call1((board, &self.player)));
            self.difference = Difference::between(each.value, own, || each.position.to_string());
            if self.difference.is_some() {
                return Err(Halt::Stop(Stop::Heuristic));
            }
        }
        Ok(())
    }
}

impl<S: CellSet> isolation_core::Heuristic<S> for Callback<S>
where
    AnyPosition: From<Position<S>>,
{
    type Error = PyErr;

    fn nodes_between_looks(&self, _: u32) -> u64 {
        // A call takes longer than a look at the clock, and may take milliseconds.
        self.nodes_between_looks
    }

    fn evaluate<C: Clock>(
        &mut self,
        position: &Position<S>,
        player: Player,
        meter: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<PyErr>> {
        let (move_count, order_bits) = (self.move_count(), self.root.seating.order_bits);
        if let Some(program) = &mut self.program
            && let Some(value) = program.value(position, player, move_count, order_bits)
        {
            if program.is_watched() {
                self.watch(position, value)?;
            }
            return Ok(value);
        }
        let value = Python::attach(|py| {
            if let Some(spending) = &mut self.spending {
                spending.begin();
            }
            let value = self.asked(py, position)?;
            if let Some(spending) = &mut self.spending {
                spending.pay(py, meter).map_err(Halt::Heuristic)??;
            }
            Ok(value)
        });
        if self.nodes_between_looks > 1 {
            meter.look_soon();
        }
        value
    }

    fn last_plies(
        &mut self,
        position: &Position<S>,
        player: Player,
        alpha: f64,
        beta: f64,
    ) -> Option<(f64, u64)> {
        let (move_count, order_bits) = (self.move_count(), self.root.seating.order_bits);
        let program = self.program.as_mut()?;
        program.last_plies(position, player, [alpha, beta], move_count, order_bits)
    }

    fn entered(&mut self, cell: Cell) {
        self.line.push(cell);
    }

    fn left(&mut self) {
        self.line.pop();
    }
}

/// A search with a Python function in the place of a heuristic.
pub(crate) struct PythonSearch<'a, 'py> {
    pub(crate) function: &'a Bound<'py, PyAny>,
    pub(crate) compiled: Option<&'a Bound<'py, Compiled>>,
    /// Its program, if that was just found to hold.
    pub(crate) held: Option<&'a Arc<Prepared>>,
    pub(crate) nan: Nan,
    pub(crate) stops: Option<Bound<'py, PyAny>>,
    /// Whether nothing is compiled in the search but beside it, as its time is limited.
    pub(crate) by_clock: bool,
    /// How work is spent; nothing is compiled then.
    pub(crate) spending: Option<Terms<'a, 'py>>,
}

/// What such a search found.
pub(crate) struct Found {
    pub(crate) report: Report,
    /// How often the function returned NaN.
    pub(crate) nans: u64,
    /// Up to where its work is paid, where any is spent.
    pub(crate) paid: Option<Paid>,
}

/// A search that may be made anew.
pub(crate) struct Attempt<'s, S: CellSet> {
    function: Py<PyAny>,
    player: Py<PyAny>,
    root: Root,
    stops: Option<Py<PyAny>>,
    nan: Nan,
    program: Option<Use<S>>,
    position: &'s Position<S>,
    options: &'s Options,
    spending: Option<Spending>,
}

impl PythonSearch<'_, '_> {
    /// Searches without the interpreter while a program answers, and holds it where the function does.
    pub(crate) fn search<S: CellSet>(
        &self,
        root: &Root,
        position: &Position<S>,
        options: &Options,
    ) -> PyResult<Found>
    where
        AnyPosition: From<Position<S>>,
    {
        let py = self.function.py();
        self.undisputed(root, position, options, |attempt| {
            if attempt.program.as_ref().is_some_and(Use::has_program) {
                return Ok(detached(py, |watch| attempt.run(watch), Error::of_search)?);
            }
            let mut watch = Watch::start();
            Ok(attempt.run(&mut watch).map_err(|failure| Error::of_search(failure, &mut watch))?)
        })
    }

    /// Searches, and should the program differ from the function once more without it.
    pub(crate) fn undisputed<S: CellSet>(
        &self,
        root: &Root,
        position: &Position<S>,
        options: &Options,
        mut run: impl FnMut(Attempt<'_, S>) -> PyResult<(Found, Option<Difference>)>,
    ) -> PyResult<Found> {
        let py = self.function.py();
        loop {
            let compiled = self.compiled.filter(|_| root.seating.is_plain(py));
            let program = match compiled {
                Some(compiled) => {
                    let known = compiled.get();
                    let program = match self.held {
                        Some(held) if known.is_ready() => Some(Arc::clone(held)),
                        _ => known.program(self.function)?,
                    };
                    Some(Use::new(compiled, program, self.by_clock))
                }
                None => None,
            };
            let attempt = Attempt {
                function: self.function.clone().unbind(),
                player: root.player(py).clone().unbind(),
                root: root.clone_ref(py),
                stops: self.stops.clone().map(Bound::unbind),
                nan: self.nan,
                program,
                position,
                options,
                spending: self.spending.map(Spending::new),
            };
            match (run(attempt)?, compiled) {
                ((_, Some(difference)), Some(compiled)) => {
                    difference.report(compiled, self.function)?;
                }
                ((found, _), _) => return Ok(found),
            }
        }
    }
}

impl<S: CellSet> Attempt<'_, S>
where
    AnyPosition: From<Position<S>>,
{
    pub(crate) fn run<C: Clock>(
        self,
        clock: &mut C,
    ) -> Result<(Found, Option<Difference>), Failure<PyErr>> {
        let (position, options) = (self.position, self.options);
        let mut callback = Callback::new(self)?;
        let report = isolation_core::search(position, &mut callback, clock, options)?;
        if !callback.watched.is_empty() {
            // A difference is noted, and an exception is one.
            let _ = Python::attach(|py| callback.compare(py));
        }
        let paid = callback.spending.map(|spending| spending.paid);
        let found = Found { report, nans: callback.nans, paid };
        Ok((found, callback.difference))
    }
}

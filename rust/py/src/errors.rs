//! Every error that a person can see: its text, and the Python exception that carries it.
//!
//! The classes are defined in Python (`isolation_fast.exceptions`), where they are documented,
//! typed, have two bases and can be pickled.

use std::convert::Infallible;

use isolation_core::heuristics::{SumError, VariantError};
use isolation_core::program::ProgramError;
use isolation_core::{Failure, MAX_CELLS, MAX_PLIES, NativeHeuristic, NotationError, SizeError};
use isolation_jail::JailError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::watch::Watch;

/// What went wrong. A value that somebody gave is in it as [`shown`].
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Python(#[from] PyErr),
    #[error(transparent)]
    Size(#[from] SizeError),
    #[error(transparent)]
    Notation(#[from] NotationError),
    #[error(transparent)]
    Variant(#[from] VariantError),
    #[error(transparent)]
    Sum(#[from] SumError),
    #[error(transparent)]
    Program(#[from] ProgramError),
    #[error("{0}")]
    Instruction(String),
    #[error("no machine code runs the program: {0}")]
    MachineCode(String),
    #[error(transparent)]
    NotLocked(#[from] JailError),
    #[error("{name} must be from 1 to {MAX_CELLS}, not {value}")]
    Side { name: &'static str, value: String },
    #[error("{name} must be an integer, not {value}")]
    NoInteger { name: &'static str, value: String },
    #[error("{name} must be an integer of at most 64 bits, not {value}")]
    NoCount { name: &'static str, value: String },
    #[error("{name} must be a number, not {value}")]
    NoNumber { name: String, value: String },
    #[error("{0} is too large for a float")]
    NoFloat(String),
    #[error("the board's _board_state is no position: {0}")]
    State(String),
    #[error("it is not clear who is to move on the board: {0}")]
    Turn(&'static str),
    #[error("move ({}, {}) is outside the {board}", .cell[0], .cell[1])]
    OffBoard { cell: [String; 2], board: String },
    #[error("move {number}, ({row}, {column}), is not legal on '{position}'")]
    IllegalMove { number: usize, row: i64, column: i64, position: String },
    #[error("a move is a pair of integers (row, column), not {0}")]
    NoMove(String),
    #[error("game must be an isolation_fast.Board, not {0}")]
    NoBoard(String),
    #[error("boards[{at}] must be an isolation_fast.Board or a position as a text, not {value}")]
    NoBoardOfMany { at: usize, value: String },
    #[error(
        "{player} is not a player of this board; they are {} and {}, \
         and board.active_player is the one to move", .players[0], .players[1]
    )]
    Stranger { player: String, players: [String; 2] },
    #[error("boards[{at}]: {problem}")]
    StrangerOfMany { at: usize, problem: String },
    #[error(
        "a score is a real number that a float can hold, and heuristic {heuristic} returned {answer} \
         for {position:?}"
    )]
    Answer { heuristic: String, answer: String, position: String },
    #[error(
        "NaN is neither larger nor smaller than any score, and heuristic {heuristic} returned {answer} \
         for {position:?}"
    )]
    Nan { heuristic: String, answer: String, position: String },
    #[error(
        "{heuristic} has more than {nodes} positions to walk below {position:?}; allow it more by \
         isolation_fast.evaluate(board, heuristic, nodes=...), or search with a budget, which ends its walks"
    )]
    WalkTooLong { heuristic: String, nodes: u64, position: String },
    #[error("a value took {took} microseconds of the reference machine, and may take {most}")]
    ValueWork { took: u64, most: u64 },
    #[error("depth must be at most {MAX_PLIES} on a board of this size, not {0}")]
    TooDeep(u32),
    #[error(
        "{0} is part of the engine, which is not for code in a jail: this process was locked by \
         isolation_fast.jail.lock_down; the board's methods and isolation_fast.reference go on working"
    )]
    Locked(String),
    #[error("the engine answers its referee once in a process, which must be locked by then")]
    NotServed,
    /// A native heuristic in a way that it is not used.
    #[error("{0}")]
    Misuse(String),
}

/// With `?`, every source of an error becomes one.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The name of the exception in `isolation_fast.exceptions`; none for Python's own `TypeError`.
    fn class(&self) -> Option<&'static str> {
        Some(match self {
            Self::Size(_) | Self::Side { .. } => "InvalidBoardError",
            Self::Notation(_) | Self::State(_) | Self::Turn(_) => "InvalidPositionError",
            Self::Variant(_)
            | Self::Sum(_)
            | Self::NoFloat(_)
            | Self::Program(_)
            | Self::Instruction(_)
            | Self::MachineCode(_) => "InvalidArgumentError",
            Self::NotLocked(_) => "JailError",
            Self::OffBoard { .. } | Self::IllegalMove { .. } => "IllegalMoveError",
            Self::Stranger { .. } | Self::StrangerOfMany { .. } => "UnknownPlayerError",
            Self::Answer { .. } | Self::Nan { .. } => "HeuristicResultError",
            Self::WalkTooLong { .. } => "WalkTooLongError",
            Self::ValueWork { .. } => "ValueWorkError",
            Self::TooDeep(_) => "InvalidBudgetError",
            Self::Locked(_) | Self::NotServed => "EngineLockedError",
            _ => return None,
        })
    }

    /// A width or height that is none.
    pub(crate) fn side(name: &'static str, value: &Bound<'_, PyAny>) -> Self {
        let is_integer = value.hasattr("__index__").unwrap_or(false);
        let value = shown(value);
        if is_integer { Self::Side { name, value } } else { Self::NoInteger { name, value } }
    }

    /// A move that leaves the board.
    pub(crate) fn off_board(given: &Bound<'_, PyAny>, board: String) -> Self {
        let cell =
            [0, 1].map(|at| given.get_item(at).map_or_else(|_| "?".into(), |entry| shown(&entry)));
        Self::OffBoard { cell, board }
    }

    /// An object that is neither player.
    pub(crate) fn stranger(player: &Bound<'_, PyAny>, players: &[Py<PyAny>; 2]) -> Self {
        let players = players.each_ref().map(|each| shown(each.bind(player.py())));
        Self::Stranger { player: shown(player), players }
    }

    /// The error of one among many boards: where it is one about players, with the place of the board.
    pub(crate) fn of_many(self, py: Python<'_>, at: usize) -> Self {
        let error = PyErr::from(self);
        if exceptions(py, "UnknownPlayerError").is_ok_and(|class| error.is_instance(py, &class)) {
            return Self::StrangerOfMany { at, problem: error.value(py).to_string() };
        }
        Self::Python(error)
    }

    /// Values of parameters without the parameters' names.
    pub(crate) fn parameters_without_names(heuristic: &NativeHeuristic) -> Self {
        let named: Vec<String> =
            heuristic.parameters().map(|(each, value)| format!("{}={value}", each.name)).collect();
        let name = heuristic.base().unwrap_or(&heuristic.name);
        Self::Misuse(if named.is_empty() {
            format!("{name} has no parameters")
        } else {
            format!("parameters are given by name, such as {name}.variant({})", named.join(", "))
        })
    }

    /// A heuristic that was not called with a board and a player.
    pub(crate) fn call(heuristic: &NativeHeuristic, named: Option<&Bound<'_, PyDict>>) -> Self {
        let name = heuristic.base().unwrap_or("a weighted sum");
        let given = named.into_iter().flat_map(PyDictMethods::keys);
        let parameter = given
            .map(|key| key.to_string())
            .find(|key| heuristic.parameters().any(|(each, _)| each.name == key.as_str()));
        Self::Misuse(match parameter {
            Some(key) => format!(
                "{name} is called with a board and a player; with another {key} it is {name}.variant({key}=...)"
            ),
            None => format!(
                "{name} is called with a board and one of its players, such as board.active_player; \
                 isolation_fast.evaluate(board, heuristic) takes the one to move"
            ),
        })
    }

    /// Heuristics that were added or multiplied as numbers are.
    pub(crate) fn arithmetic(heuristic: &NativeHeuristic) -> Self {
        let name = heuristic.base().unwrap_or("improved");
        Self::Misuse(format!(
            "heuristics are no numbers; a sum is heuristics.weighted_sum({{'{name}': 2.0, 'space': -0.5}})"
        ))
    }

    /// A search that has no report. `watch` holds what a signal handler raised.
    pub(crate) fn of_search<E: Into<Self>>(failure: Failure<E>, watch: &mut Watch) -> Self {
        match failure {
            Failure::Heuristic(error) => error.into(),
            Failure::Interrupted => watch.interruption().into(),
            Failure::TooDeep(depth) => Self::TooDeep(depth),
        }
    }
}

impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        if let Error::Python(error) = error {
            return error;
        }
        let made = Python::attach(|py| {
            let message = match &error {
                // Python looks for a word that is like it.
                Error::Variant(VariantError::Unknown { parameter, allowed, .. }) => py
                    .import("isolation_fast.text")?
                    .call_method1("unknown_word", ("parameter", parameter, allowed))?
                    .extract()?,
                other => other.to_string(),
            };
            Ok(match error.class() {
                Some(class) => Self::from_value(exceptions(py, class)?.call1((message,))?),
                None => PyTypeError::new_err(message),
            })
        });
        made.unwrap_or_else(|error| error)
    }
}

fn exceptions<'py>(py: Python<'py>, class: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("isolation_fast.exceptions")?.getattr(class)
}

/// The `repr` of a value, short, whatever its `__repr__` does.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 200;
    let text = match value.repr() {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => value
            .get_type()
            .name()
            .map_or_else(|_| "an object".to_owned(), |name| format!("<{name} object>")),
    };
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

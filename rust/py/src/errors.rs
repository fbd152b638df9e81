//! Every error that a person can see, as the Python exception that says it.
//!
//! The classes are defined in Python (`isolation_fast.exceptions`), where they are documented,
//! typed, have two bases and can be pickled.

use std::convert::Infallible;

use isolation_core::heuristics::VariantError;
use isolation_core::{Failure, MAX_CELLS, MAX_PLIES, NativeHeuristic, NotationError, SizeError};
use isolation_jail::JailError;
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::watch::Watch;

fn exception(py: Python<'_>, class: &str, message: String) -> PyErr {
    let made = py
        .import("isolation_fast.exceptions")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1((message,)));
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// A size that no board can have.
pub(crate) fn size(py: Python<'_>, error: &SizeError) -> PyErr {
    exception(py, "InvalidBoardError", error.to_string())
}

/// A width or height that is not even a number a board could have.
pub(crate) fn side(py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyErr {
    if !value.hasattr("__index__").unwrap_or(false) {
        return PyTypeError::new_err(format!("{name} must be an integer, not {}", shown(value)));
    }
    exception(
        py,
        "InvalidBoardError",
        format!("{name} must be from 1 to {MAX_CELLS}, not {}", shown(value)),
    )
}

/// A number of moves that is none.
pub(crate) fn no_count(name: &str, value: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "{name} must be an integer of at most 64 bits, not {}",
        shown(value)
    ))
}

/// A text that is no position.
pub(crate) fn notation(py: Python<'_>, error: &NotationError) -> PyErr {
    exception(py, "InvalidPositionError", error.to_string())
}

/// A `_board_state` that is no position.
pub(crate) fn state(py: Python<'_>, problem: &str) -> PyErr {
    exception(
        py,
        "InvalidPositionError",
        format!("the board's _board_state is no position: {problem}"),
    )
}

/// Players among whom it is not clear whose turn it is.
pub(crate) fn turn(py: Python<'_>, problem: &str) -> PyErr {
    exception(
        py,
        "InvalidPositionError",
        format!("it is not clear who is to move on the board: {problem}"),
    )
}

/// A move that leaves the board.
pub(crate) fn off_board(given: &Bound<'_, PyAny>, board: &str) -> PyErr {
    let [row, column] =
        [0, 1].map(|at| given.get_item(at).map_or_else(|_| "?".into(), |n| shown(&n)));
    exception(
        given.py(),
        "IllegalMoveError",
        format!("move ({row}, {column}) is outside the {board}"),
    )
}

/// Something that is no move at all.
pub(crate) fn no_move(value: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "a move is a pair of integers (row, column), not {}",
        shown(value)
    ))
}

/// Something that is no board of ours.
pub(crate) fn no_board(value: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("game must be an isolation_fast.Board, not {}", shown(value)))
}

/// An object that is neither player.
pub(crate) fn stranger(
    py: Python<'_>,
    player: &Bound<'_, PyAny>,
    players: &[Py<PyAny>; 2],
) -> PyErr {
    let [first, second] = players.each_ref().map(|player| shown(player.bind(py)));
    exception(
        py,
        "UnknownPlayerError",
        format!(
            "{} is not a player of this board; they are {first} and {second}, \
             and board.active_player is the one to move",
            shown(player)
        ),
    )
}

/// A heuristic's answer that is no number to compare.
pub(crate) fn heuristic_result(
    heuristic: &str,
    answer: &Bound<'_, PyAny>,
    position: &str,
) -> PyErr {
    exception(
        answer.py(),
        "HeuristicResultError",
        format!(
            "heuristic {heuristic} returned {} for {position:?}; it must return a real number \
             that a float can hold, infinities included, not NaN",
            shown(answer)
        ),
    )
}

/// An argument that makes no sense.
pub(crate) fn argument(py: Python<'_>, message: String) -> PyErr {
    exception(py, "InvalidArgumentError", message)
}

/// A variant of a heuristic that there is not.
pub(crate) fn variant(py: Python<'_>, error: &VariantError) -> PyErr {
    let message = match error {
        VariantError::Unknown { parameter, allowed, .. } => {
            let words = py.import("isolation_fast.text");
            let message = words.and_then(|words| {
                words.call_method1("unknown_word", ("parameter", parameter, allowed))?.extract()
            });
            match message {
                Ok(message) => message,
                Err(error) => return error,
            }
        }
        other => other.to_string(),
    };
    argument(py, message)
}

/// Values of parameters without the parameters' names.
pub(crate) fn parameters_without_names(heuristic: &NativeHeuristic) -> PyErr {
    let named: Vec<String> =
        heuristic.parameters().map(|(each, value)| format!("{}={value}", each.name)).collect();
    let name = heuristic.base().unwrap_or(&heuristic.name);
    PyTypeError::new_err(if named.is_empty() {
        format!("{name} has no parameters")
    } else {
        format!("parameters are given by name, such as {name}.variant({})", named.join(", "))
    })
}

/// A heuristic that was not called with a board and a player.
pub(crate) fn call(heuristic: &NativeHeuristic, named: Option<&Bound<'_, PyDict>>) -> PyErr {
    let name = heuristic.base().unwrap_or("a weighted sum");
    let given = named.into_iter().flat_map(PyDictMethods::keys);
    let parameter = given
        .map(|key| key.to_string())
        .find(|key| heuristic.parameters().any(|(each, _)| each.name == key.as_str()));
    PyTypeError::new_err(match parameter {
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
pub(crate) fn arithmetic(heuristic: &NativeHeuristic) -> PyErr {
    let name = heuristic.base().unwrap_or("improved");
    PyTypeError::new_err(format!(
        "heuristics are no numbers; a sum is heuristics.weighted_sum({{'{name}': 2.0, 'space': -0.5}})"
    ))
}

/// The error of one among many boards: where it is one about players, with the place of the board.
pub(crate) fn of_many(py: Python<'_>, at: usize, error: PyErr) -> PyErr {
    let about_players = py
        .import("isolation_fast.exceptions")
        .and_then(|module| module.getattr("UnknownPlayerError"))
        .is_ok_and(|class| error.is_instance(py, &class));
    if !about_players {
        return error;
    }
    exception(py, "UnknownPlayerError", format!("boards[{at}]: {}", error.value(py)))
}

/// A walk beyond what was allowed.
pub(crate) fn walk_too_long(py: Python<'_>, heuristic: &str, nodes: u64, position: &str) -> PyErr {
    exception(
        py,
        "WalkTooLongError",
        format!(
            "{heuristic} has more than {nodes} positions to walk below {position:?}; allow it more by \
             isolation_fast.evaluate(board, heuristic, nodes=...), or search with a budget, which ends \
             its walks"
        ),
    )
}

/// Something among many boards that is none.
pub(crate) fn no_board_of_many(at: usize, value: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "boards[{at}] must be an isolation_fast.Board or a position as a text, not {}",
        shown(value)
    ))
}

/// The engine, asked for in a process that was locked.
pub(crate) fn locked(py: Python<'_>, function: &str) -> PyErr {
    exception(
        py,
        "EngineLockedError",
        format!(
            "{function} is part of the engine, which is not for code in a jail: this process was locked by \
             isolation_fast.jail.lock_down; the board's methods and isolation_fast.reference go on working"
        ),
    )
}

/// The loop of a jailed process, for code that is not its `main`.
pub(crate) fn not_served(py: Python<'_>) -> PyErr {
    exception(
        py,
        "EngineLockedError",
        "the engine answers its referee once in a process, which must be locked by then".to_owned(),
    )
}

/// A process that was not locked.
pub(crate) fn not_locked(py: Python<'_>, error: &JailError) -> PyErr {
    exception(py, "JailError", error.to_string())
}

/// A search that has no report. `watch` holds what a signal handler raised.
pub(crate) fn failure(py: Python<'_>, failure: Failure<PyErr>, watch: &mut Watch) -> PyErr {
    match failure {
        Failure::Heuristic(error) => error,
        Failure::Interrupted => interruption(watch),
        Failure::TooDeep(depth) => exception(
            py,
            "InvalidBudgetError",
            format!("depth must be at most {MAX_PLIES} on a board of this size, not {depth}"),
        ),
    }
}

/// The same for a native heuristic, which cannot fail.
#[allow(clippy::needless_pass_by_value, reason = "handed over like every other error")]
pub(crate) fn native_failure(
    py: Python<'_>,
    error: Failure<Infallible>,
    watch: &mut Watch,
) -> PyErr {
    let error = match error {
        Failure::Heuristic(never) => match never {},
        Failure::Interrupted => Failure::Interrupted,
        Failure::TooDeep(depth) => Failure::TooDeep(depth),
    };
    failure(py, error, watch)
}

/// Work that was stopped from outside.
pub(crate) fn interruption(watch: &mut Watch) -> PyErr {
    watch.raised.take().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
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

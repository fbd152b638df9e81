//! `evaluate` and `evaluate_many`.

use isolation_core::{AnyPosition, Clock, Player, Stop, with_position};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyString};

use crate::board::{Board, DEFAULT_PLAYERS};
use crate::callback::as_number;
use crate::errors;
use crate::heuristics::Heuristic;
use crate::watch::{Watch, detached};

/// The value of a board for one of its players, or for the one to move. Arguments as checked by
/// `isolation_fast.evaluate`.
#[pyfunction]
#[pyo3(signature = (board, heuristic, player, nodes))]
pub(crate) fn evaluate(
    board: &Bound<'_, Board>,
    heuristic: &Bound<'_, PyAny>,
    player: Option<&Bound<'_, PyAny>>,
    nodes: u64,
) -> PyResult<f64> {
    if let Ok(heuristic) = heuristic.cast::<Heuristic>() {
        return native_value(heuristic.get(), board, player, nodes);
    }
    let player = player_or_active(board, player)?;
    let answer = heuristic.call1((board, player))?;
    as_number(heuristic, &answer, || board.call_method0("to_text")?.extract())
}

/// The value that a native heuristic gives a board, walking so many positions at the most.
pub(crate) fn native_value(
    heuristic: &Heuristic,
    board: &Bound<'_, Board>,
    player: Option<&Bound<'_, PyAny>>,
    nodes: u64,
) -> PyResult<f64> {
    let (position, seat) = match asked(heuristic, board, player)? {
        Asked::Position(position, seat) => (position, seat),
        Asked::Known(value) => return Ok(value),
    };
    let native = &heuristic.native;
    if !native.walks() {
        return Ok(with_position!(&position, |position| native.value(position, seat)));
    }
    detached(
        board.py(),
        |watch| {
            with_position!(&position, |position| native.value_within(position, seat, nodes, watch))
        },
        |py, stop, watch| stopped(py, stop, watch, &native.name, nodes, &position),
    )
}

/// How many values may pass between two looks at the clock. One takes some 100 ns, on a large board 0.1 ms.
const VALUES_BETWEEN_LOOKS: usize = 16;

/// The values of many boards or texts, one after the other, as bytes of floats.
#[pyfunction]
#[pyo3(signature = (boards, heuristic, player, nodes))]
pub(crate) fn evaluate_many<'py>(
    boards: &Bound<'py, PyAny>,
    heuristic: &Bound<'py, Heuristic>,
    player: Option<&Bound<'py, PyAny>>,
    nodes: u64,
) -> PyResult<Bound<'py, PyByteArray>> {
    let py = boards.py();
    let mut all = Vec::new();
    for (at, given) in boards.try_iter()?.enumerate() {
        let given = given?;
        all.push(if let Ok(text) = given.cast::<PyString>() {
            let text = text.to_str()?;
            let position: AnyPosition =
                text.parse().map_err(|error| errors::notation(py, &error))?;
            let seat = match player {
                Some(player) => seat_of_text(player)?,
                None => with_position!(&position, |position| position.to_move()),
            };
            Asked::Position(position, seat)
        } else {
            let board = given.cast::<Board>().map_err(|_| errors::no_board_of_many(at, &given))?;
            asked(heuristic.get(), board, player)?
        });
    }
    let native = &heuristic.get().native;
    let values = detached(
        py,
        |watch| {
            let values = all.iter().enumerate().map(|(at, asked)| {
                if at % VALUES_BETWEEN_LOOKS == 0 && watch.interrupted() {
                    return Err((at, Stop::Interrupted));
                }
                match asked {
                    Asked::Known(value) => Ok(value.to_ne_bytes()),
                    Asked::Position(position, seat) => {
                        let value = with_position!(position, |position| {
                            native.value_within(position, *seat, nodes, watch)
                        });
                        value.map(f64::to_ne_bytes).map_err(|stop| (at, stop))
                    }
                }
            });
            values.collect::<Result<Vec<[u8; 8]>, _>>()
        },
        |py, (at, stop), watch| match &all[at] {
            Asked::Position(position, _) => stopped(py, stop, watch, &native.name, nodes, position),
            Asked::Known(_) => errors::interruption(watch),
        },
    )?;
    Ok(PyByteArray::new(py, values.as_flattened()))
}

/// What a native heuristic is asked about.
enum Asked {
    Position(AnyPosition, Player),
    /// A board that is no clear position, of which its methods have been asked already.
    Known(f64),
}

fn asked(
    heuristic: &Heuristic,
    board: &Bound<'_, Board>,
    player: Option<&Bound<'_, PyAny>>,
) -> PyResult<Asked> {
    let Ok(position) = Board::clear_position(board)? else {
        let player = player_or_active(board, player)?;
        return heuristic.value_in_doubt(board, &player).map(Asked::Known);
    };
    let seat = match player {
        Some(player) => Board::seat_of(board, player)?,
        None => with_position!(&position, |position| position.to_move()),
    };
    Ok(Asked::Position(position, seat))
}

fn player_or_active<'py>(
    board: &Bound<'py, Board>,
    player: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    player.map_or_else(|| board.getattr("active_player"), |player| Ok(player.clone()))
}

/// Which player of a board that is given as a text an object is.
fn seat_of_text(player: &Bound<'_, PyAny>) -> PyResult<Player> {
    let py = player.py();
    for (seat, name) in Player::BOTH.into_iter().zip(DEFAULT_PLAYERS) {
        if player.eq(name)? {
            return Ok(seat);
        }
    }
    let players = DEFAULT_PLAYERS.map(|name| PyString::new(py, name).into_any().unbind());
    Err(errors::stranger(py, player, &players))
}

fn stopped(
    py: Python<'_>,
    stop: Stop,
    watch: &mut Watch,
    heuristic: &str,
    nodes: u64,
    position: &AnyPosition,
) -> PyErr {
    match stop {
        Stop::Nodes => errors::walk_too_long(py, heuristic, nodes, &position.to_string()),
        Stop::Time | Stop::Heuristic | Stop::Interrupted => errors::interruption(watch),
    }
}

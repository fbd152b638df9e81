//! `evaluate` and `evaluate_many`.

use isolation_core::{AnyPosition, Clock, Player, Size, Stop, with_position};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyString};

use crate::answers::{annotated, as_number};
use crate::board::{Board, DEFAULT_PLAYERS};
use crate::engine_lock;
use crate::errors::{Error, Result, shown};
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
    engine_lock::require_free("evaluate")?;
    if let Ok(heuristic) = heuristic.cast::<Heuristic>() {
        return Ok(native_value(heuristic.get(), board, player, nodes)?);
    }
    value_in_python(heuristic, board, player)
}

/// The value that a Python function gives a board.
pub(crate) fn value_in_python(
    heuristic: &Bound<'_, PyAny>,
    board: &Bound<'_, Board>,
    player: Option<&Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let player = player_or_active(board, player)?;
    // As it is before: the function is handed this very board, and may change it.
    let position = Board::clear_position(board).ok().and_then(Result::ok);
    let place = || position.as_ref().map_or_else(|| shown(board), ToString::to_string);
    let answer =
        heuristic.call1((board, player)).map_err(|error| annotated(error, heuristic, &place()))?;
    as_number(heuristic, &answer, place)
}

/// The value that a native heuristic gives a board, walking so many positions at the most.
pub(crate) fn native_value(
    heuristic: &Heuristic,
    board: &Bound<'_, Board>,
    player: Option<&Bound<'_, PyAny>>,
    nodes: u64,
) -> Result<f64> {
    let (position, seat) = match asked(heuristic, board, player, nodes)? {
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
        |stop, watch| stopped(stop, watch, &native.name, nodes, &position),
    )
}

/// How many positions are copied out and evaluated at a time: few enough that they stay in the cache, 80 kB,
/// and enough that letting the interpreter go does not show.
const TOGETHER: usize = 1024;

/// Of the nodes of a search few are evaluated, here each is: so many times as many looks at the clock.
const MORE_LOOKS: u64 = 16;

/// The values of many boards or texts, one after the other, as bytes of floats.
#[pyfunction]
#[pyo3(signature = (boards, heuristic, player, nodes))]
pub(crate) fn evaluate_many<'py>(
    boards: &Bound<'py, PyAny>,
    heuristic: &Bound<'py, Heuristic>,
    player: Option<&Bound<'py, PyAny>>,
    nodes: u64,
) -> PyResult<Bound<'py, PyByteArray>> {
    let (py, heuristic) = (boards.py(), heuristic.get());
    engine_lock::require_free("evaluate_many")?;
    let mut values = Vec::new();
    let mut together = vec![(AnyPosition::empty(Size::SMALLEST), Player::One); TOGETHER];
    let mut count = 0;
    for (at, given) in boards.try_iter()?.enumerate() {
        let given = given?;
        let place = &mut together[count];
        // The usual case goes straight into its place: each copy on the way shows.
        let evident = match given.cast::<Board>() {
            Ok(board) => Board::copy_evident_position(board, player, &mut place.0),
            Err(_) => None,
        };
        if let Some(seat) = evident {
            place.1 = seat;
            count += 1;
        } else {
            let asked = asked_of_many(heuristic, at, &given, player, nodes);
            match asked.map_err(|error| error.of_many(py, at))? {
                Asked::Position(position, seat) => {
                    *place = (position, seat);
                    count += 1;
                }
                Asked::Known(value) => {
                    evaluate_together(py, heuristic, &together[..count], nodes, &mut values)?;
                    values.push(value.to_ne_bytes());
                    count = 0;
                }
            }
        }
        if count == TOGETHER {
            evaluate_together(py, heuristic, &together, nodes, &mut values)?;
            count = 0;
        }
    }
    evaluate_together(py, heuristic, &together[..count], nodes, &mut values)?;
    Ok(PyByteArray::new(py, values.as_flattened()))
}

/// What one of many boards or texts asks.
fn asked_of_many(
    heuristic: &Heuristic,
    at: usize,
    given: &Bound<'_, PyAny>,
    player: Option<&Bound<'_, PyAny>>,
    nodes: u64,
) -> Result<Asked> {
    if let Ok(board) = given.cast::<Board>() {
        return Ok(asked(heuristic, board, player, nodes)?);
    }
    let text =
        given.cast::<PyString>().map_err(|_| Error::NoBoardOfMany { at, value: shown(given) })?;
    let position: AnyPosition = text.to_str()?.parse()?;
    let seat = match player {
        Some(player) => seat_of_text(player)?,
        None => with_position!(&position, |position| position.to_move()),
    };
    Ok(Asked::Position(position, seat))
}

/// Adds the values of some positions, detached.
fn evaluate_together(
    py: Python<'_>,
    heuristic: &Heuristic,
    together: &[(AnyPosition, Player)],
    nodes: u64,
    values: &mut Vec<[u8; 8]>,
) -> Result<()> {
    let native = &heuristic.native;
    let walks = native.walks();
    let cells =
        |position: &AnyPosition| with_position!(position, |position| position.size().cells());
    let cells = together.iter().map(|(position, _)| cells(position)).max().unwrap_or(1);
    let between = (native.nodes_between_looks(cells) / MORE_LOOKS).max(1);
    py.check_signals()?;
    detached(
        py,
        |watch| {
            for (at, (position, seat)) in together.iter().enumerate() {
                if (at as u64).is_multiple_of(between) && watch.interrupted() {
                    return Err((at, Stop::Interrupted));
                }
                let value = with_position!(position, |position| {
                    if walks {
                        native
                            .value_within(position, *seat, nodes, watch)
                            .map_err(|stop| (at, stop))?
                    } else {
                        native.value(position, *seat)
                    }
                });
                values.push(value.to_ne_bytes());
            }
            Ok(())
        },
        |(at, stop), watch| stopped(stop, watch, &native.name, nodes, &together[at].0),
    )
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
    nodes: u64,
) -> PyResult<Asked> {
    let mut position = AnyPosition::empty(Size::SMALLEST);
    if let Some(seat) = Board::copy_evident_position(board, player, &mut position) {
        return Ok(Asked::Position(position, seat));
    }
    let Ok(position) = Board::clear_position(board)? else {
        let player = player_or_active(board, player)?;
        return heuristic.value_in_doubt(board, &player, nodes).map(Asked::Known);
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
    Err(Error::stranger(player, &players).into())
}

fn stopped(
    stop: Stop,
    watch: &mut Watch,
    heuristic: &str,
    nodes: u64,
    position: &AnyPosition,
) -> Error {
    match stop {
        Stop::Nodes => Error::WalkTooLong {
            heuristic: heuristic.to_owned(),
            nodes,
            position: position.to_string(),
        },
        Stop::Time | Stop::Heuristic | Stop::Interrupted => watch.interruption().into(),
    }
}

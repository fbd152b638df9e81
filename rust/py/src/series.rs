//! Many games between two players of the engine.

use std::num::NonZeroUsize;

use isolation_core::{
    AnyPosition, Choice, Game, GameEnding, Outcome, Player, Reason, Series, Size, with_position,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

use crate::engine_lock;
use crate::errors::Result;
use crate::moves::coordinates;
use crate::players::NativePlayer;
use crate::solving::letters;
use crate::watch::detached;

/// The 64 bits of chance of one game of a series.
#[pyfunction]
pub(crate) fn game_stream(seed: u64, opening: u64, side: u64) -> u64 {
    isolation_core::game_stream(seed, opening, side)
}

/// A byte a game, 1 where the first player won; nodes and moves of both players, and what their programs paid; the
/// moves of each game as (cell, value, depth, nodes, reason), where they are asked for; likewise the outcomes of its
/// positions; the games in which a program had no value, with the position, whose value it was, and whether it costs too
/// much.
type SeriesTuple<'py> = (
    Bound<'py, PyBytes>,
    (u64, u64),
    (u64, u64),
    (u64, u64),
    Option<Bound<'py, PyList>>,
    Option<Vec<String>>,
    Vec<(usize, String, u8, bool)>,
);

/// Plays two games from each opening: in the first the first player is player 1. Arguments as checked by
/// `isolation_fast.tournament`.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "all that decides a series of games")]
#[allow(clippy::needless_pass_by_value, reason = "taken out of a Python sequence")]
pub(crate) fn play_series<'py>(
    py: Python<'py>,
    first: &Bound<'py, NativePlayer>,
    second: &Bound<'py, NativePlayer>,
    openings: Vec<String>,
    first_opening: u64,
    seed: u64,
    threads: NonZeroUsize,
    record: bool,
    exact: Option<u64>,
) -> Result<SeriesTuple<'py>> {
    engine_lock::require_free("play_series")?;
    let openings: Vec<AnyPosition> =
        openings.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    let agents = [&first.get().agent, &second.get().agent];
    let series = Series { agents, openings: &openings, first_opening, seed, exact };
    let played = detached(
        py,
        |watch| series.play(threads, watch, |game| Played::of(game, record)),
        |_, watch| watch.interruption().into(),
    )?;
    let (mut outcomes, mut nodes, mut turns) = (Vec::with_capacity(played.len()), [0; 2], [0; 2]);
    let (mut paid, mut without_value) = ([0; 2], Vec::new());
    let records = if record { Some(PyList::empty(py)) } else { None };
    let mut judged = exact.map(|_| Vec::with_capacity(played.len()));
    for (number, game) in played.into_iter().enumerate() {
        // In every other game the first of the two is player 2.
        let first = if number % 2 == 0 { Player::One } else { Player::Two };
        outcomes.push(u8::from(game.winner == first));
        for (at, player) in [first, first.opponent()].into_iter().enumerate() {
            nodes[at] += game.nodes[player.index()];
            turns[at] += game.turns[player.index()];
            paid[at] += game.paid[player.index()];
        }
        if let GameEnding::NoValue(none) = game.ending {
            let whose = none.player.number();
            without_value.push((number, none.position, whose, none.costs_too_much));
        }
        if let Some(records) = &records {
            let size = with_position!(&openings[number / 2], |position| position.size());
            records.append(choices(py, size, &game.choices)?)?;
        }
        if let Some(judged) = &mut judged {
            judged.push(letters(&game.outcomes));
        }
    }
    let outcomes = PyBytes::new(py, &outcomes);
    Ok((outcomes, nodes.into(), turns.into(), paid.into(), records, judged, without_value))
}

/// What is kept of a game.
struct Played {
    winner: Player,
    nodes: [u64; 2],
    turns: [u64; 2],
    paid: [u64; 2],
    ending: GameEnding,
    choices: Vec<Choice>,
    outcomes: Vec<Outcome>,
}

impl Played {
    fn of(game: Game, record: bool) -> Self {
        let Game { winner, turns, nodes, paid, ending, outcomes } = game;
        // The loser was to move at the end, so the winner made the last of them.
        let mut counted = [turns.len() as u64 / 2; 2];
        counted[winner.index()] += turns.len() as u64 % 2;
        let choices = if record { turns } else { Vec::new() };
        Self { winner, nodes, turns: counted, paid, ending, choices, outcomes }
    }
}

fn choices<'py>(py: Python<'py>, size: Size, turns: &[Choice]) -> PyResult<Bound<'py, PyList>> {
    let made = turns.iter().map(|turn| {
        let cell = turn.cell.map(|cell| coordinates(py, size, cell));
        let reason = turn.reason.map(Reason::as_str);
        (cell, turn.value, turn.depth, turn.nodes, reason).into_pyobject(py)
    });
    PyList::new(py, made.collect::<PyResult<Vec<Bound<'py, PyTuple>>>>()?)
}

//! Players that need no Python, and games between them.

use isolation_core::{Agent, Allowance, AnyPosition, Game, GameEnding, play_game, with_position};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::engine_lock;
use crate::errors::Result;
use crate::heuristics::Heuristic;
use crate::moves::list;
use crate::searching::{budget, mode_of};
use crate::watch::detached;

/// What the engine needs to know of a player to play its side without Python.
#[pyclass(frozen, module = "isolation_fast._native")]
pub(crate) struct NativePlayer {
    pub(crate) agent: Agent,
}

#[pymethods]
impl NativePlayer {
    /// Any legal move.
    #[staticmethod]
    fn random() -> Self {
        Self { agent: Agent::Random }
    }

    /// The move after which the heuristic is largest.
    #[staticmethod]
    fn greedy(heuristic: &Bound<'_, Heuristic>) -> Self {
        Self { agent: Agent::Greedy(heuristic.get().native.clone()) }
    }

    /// Minimax to a fixed depth.
    #[staticmethod]
    fn minimax(heuristic: &Bound<'_, Heuristic>, depth: u32) -> Self {
        Self { agent: Agent::Minimax { heuristic: heuristic.get().native.clone(), depth } }
    }

    /// Alpha-beta within a budget, of whose nodes each band of blank cells allows only so many.
    #[staticmethod]
    fn alphabeta(
        heuristic: &Bound<'_, Heuristic>,
        depth: Option<u32>,
        nodes: Option<u64>,
        ms: Option<f64>,
        bands: Vec<(f64, u64)>,
        fast: bool,
    ) -> PyResult<Self> {
        let heuristic = heuristic.get().native.clone();
        let allowance = Allowance::banded(budget(depth, nodes, ms)?, bands);
        Ok(Self { agent: Agent::AlphaBeta { heuristic, allowance, mode: mode_of(fast) } })
    }
}

/// Winner, moves, how it ended, nodes of both, the start in the notation's own spelling.
type GameTuple<'py> = (u8, Bound<'py, PyList>, &'static str, (u64, u64), String);

/// Plays a game between two native players from a position in the text notation.
#[pyfunction]
pub(crate) fn play_native<'py>(
    py: Python<'py>,
    first: &Bound<'py, NativePlayer>,
    second: &Bound<'py, NativePlayer>,
    start: &str,
    seed: u64,
) -> Result<GameTuple<'py>> {
    engine_lock::require_free("play_native")?;
    let start: AnyPosition = start.parse()?;
    let agents = [&first.get().agent, &second.get().agent];
    let game: Game = detached(
        py,
        |watch| with_position!(&start, |position| play_game(agents, position, seed, watch)),
        |_, watch| watch.interruption().into(),
    )?;
    let size = with_position!(&start, |position| position.size());
    let ending = match game.ending {
        GameEnding::NoMoves => "no moves",
    };
    let moves = list(py, size, &game.cells().collect())?;
    let [first_nodes, second_nodes] = game.nodes;
    Ok((game.winner.number(), moves, ending, (first_nodes, second_nodes), start.to_string()))
}

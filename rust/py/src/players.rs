//! Players that need no Python, and games between them.

use std::sync::Arc;

use isolation_core::program::Runners;
use isolation_core::{
    Agent, Allowance, AnyPosition, Choice, Game, GameEnding, Halt, NoValue, Random, Reason, Scorer,
    play_game, with_position,
};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::board::Board;
use crate::engine_lock;
use crate::errors::Result;
use crate::heuristics::Heuristic;
use crate::moves::{coordinates, list};
use crate::programs::PyProgram;
use crate::searching::{allowance, budget, mode_of};
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
    fn greedy(heuristic: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { agent: Agent::Greedy(scorer(heuristic)?) })
    }

    /// Minimax to a fixed depth.
    #[staticmethod]
    fn minimax(heuristic: &Bound<'_, PyAny>, depth: u32) -> PyResult<Self> {
        Ok(Self { agent: Agent::Minimax { heuristic: scorer(heuristic)?, depth } })
    }

    /// Alpha-beta within a budget, of whose nodes each band of blank cells allows only so many.
    #[staticmethod]
    fn alphabeta(
        heuristic: &Bound<'_, PyAny>,
        depth: Option<u32>,
        nodes: Option<u64>,
        ms: Option<f64>,
        bands: Vec<(f64, u64)>,
        fast: bool,
    ) -> PyResult<Self> {
        let allowance = Allowance::banded(budget(depth, nodes, ms)?, bands);
        let heuristic = scorer(heuristic)?;
        Ok(Self { agent: Agent::AlphaBeta { heuristic, allowance, mode: mode_of(fast) } })
    }

    /// Alpha-beta of a program whose work is counted, in nodes with `improved`: that of each turn, and that of one
    /// value.
    #[staticmethod]
    fn counted(
        program: &Bound<'_, PyProgram>,
        work: Option<u64>,
        depth: Option<u32>,
        nodes: Option<u64>,
        ms: Option<f64>,
        fast: bool,
        value_work: Option<u64>,
    ) -> PyResult<Self> {
        let heuristic = scorer(program)?;
        let allowance = allowance(depth, nodes, ms, work)?.with_value_work(value_work);
        Ok(Self { agent: Agent::AlphaBeta { heuristic, allowance, mode: mode_of(fast) } })
    }

    /// Chooses a move on a board, for the player to move. What plays at random draws the same each time.
    fn choose<'py>(&self, board: &Bound<'py, Board>) -> PyResult<Chosen<'py>> {
        engine_lock::require_free("a player")?;
        let root = Board::checked_root(board)?;
        let bits = root.seating.order_bits;
        let chosen = detached(
            board.py(),
            |watch| {
                with_position!(&root.position, |position| {
                    let mut random = Random::from_seed(bits);
                    match self.agent.choose(position, bits, &mut random, watch) {
                        Ok(choice) => Ok((Ok(choice), position.size())),
                        Err(Halt::Heuristic(none)) => Ok((Err(none), position.size())),
                        Err(Halt::Stop(stop)) => Err(stop),
                    }
                })
            },
            |_, watch| watch.interruption().into(),
        )?;
        Ok(match chosen {
            (Ok(choice), size) => {
                let Choice { cell, value, depth, nodes, paid, reason } = choice;
                let cell = cell.map(|cell| coordinates(board.py(), size, cell));
                (Some((cell, value, depth, nodes, paid, reason.map(Reason::as_str))), None)
            }
            (Err(NoValue { position, player, costs_too_much }), _) => {
                (None, Some((position, player.number(), costs_too_much)))
            }
        })
    }
}

/// A move with value, depth, nodes, what was paid, and reason; or the position, and the player, for which its program
/// has no value, and whether that costs too much.
type Chosen<'py> = (Option<ChoiceTuple<'py>>, Option<(String, u8, bool)>);
type ChoiceTuple<'py> =
    (Option<Bound<'py, PyTuple>>, Option<f64>, u32, u64, u64, Option<&'static str>);

/// What a player maximises: a native heuristic, or a program.
fn scorer(given: &Bound<'_, PyAny>) -> PyResult<Scorer> {
    match given.cast::<PyProgram>() {
        Ok(program) => {
            let prepared = &program.get().prepared;
            let runners: Arc<dyn Runners> = Arc::clone(prepared) as _;
            Ok(Scorer::Program(Arc::clone(prepared.program()), Some(runners)))
        }
        Err(_) => Ok(given.cast::<Heuristic>()?.get().native.clone().into()),
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
        GameEnding::NoValue(NoValue { costs_too_much: true, .. }) => "value overspent",
        GameEnding::NoValue(_) => "no value",
    };
    let moves = list(py, size, &game.cells().collect())?;
    let [first_nodes, second_nodes] = game.nodes;
    Ok((game.winner.number(), moves, ending, (first_nodes, second_nodes), start.to_string()))
}

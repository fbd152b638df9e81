//! `solve`.

use isolation_core::{Solution, Wanted, with_position};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::board::Board;
use crate::engine_lock;
use crate::moves::coordinates;
use crate::searching::budget;
use crate::watch::detached;

/// A move, its outcome, and how many moves the game still has with it.
type GradedTuple<'py> = (Bound<'py, PyTuple>, &'static str, Option<u32>);

/// Outcome, moves, a line of best play, how many moves the game still has, nodes.
type SolutionTuple<'py> =
    (&'static str, Vec<GradedTuple<'py>>, Vec<Bound<'py, PyTuple>>, Option<u32>, u64);

/// Solves a board; `isolation_fast.solve` checks and documents the arguments.
#[pyfunction]
#[allow(clippy::fn_params_excessive_bools, reason = "the keywords of the public function")]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    board: &Bound<'py, Board>,
    moves: bool,
    line: bool,
    distance: bool,
    nodes: Option<u64>,
    ms: Option<f64>,
) -> PyResult<SolutionTuple<'py>> {
    engine_lock::require_free("solve")?;
    let root = Board::checked_root(board)?;
    let is_limited = nodes.is_some() || ms.is_some();
    let budget = is_limited.then(|| budget(None, nodes, ms)).transpose()?;
    let wanted = match (moves, line, distance) {
        (_, _, true) => Wanted::Distances,
        (_, true, _) => Wanted::Line,
        (true, ..) => Wanted::Moves,
        _ => Wanted::Outcome,
    };
    let solution: Solution = detached(
        py,
        |watch| {
            with_position!(&root.position, |position| {
                isolation_core::solve(position, wanted, budget, watch)
            })
        },
        // A spent budget is no error, so it was somebody from outside.
        |_, watch| watch.interruption().into(),
    )?;
    let size = with_position!(&root.position, |position| position.size());
    let cell = |cell| coordinates(py, size, cell);
    let graded = solution.moves.iter();
    Ok((
        solution.outcome.as_str(),
        graded.map(|each| (cell(each.cell), each.outcome.as_str(), each.distance)).collect(),
        solution.line.iter().map(|&each| cell(each)).collect(),
        solution.distance(),
        solution.nodes,
    ))
}

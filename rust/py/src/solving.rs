//! `solve`, `annotate`, and whole strategies.

use std::num::NonZeroUsize;

use isolation_core::{
    AnyPosition, Cell, CellSet, Outcome, Position, Solution, Wanted, with_position,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::board::Board;
use crate::engine_lock;
use crate::errors::{Error, Result};
use crate::moves::coordinates;
use crate::searching::budget;
use crate::watch::detached;

/// A move, its outcome, and how many moves the game still has with it.
type GradedTuple<'py> = (Bound<'py, PyTuple>, &'static str, Option<u32>);

/// Outcome, moves, a line of best play, how many moves the game still has, nodes, whether it was looked up.
type SolutionTuple<'py> =
    (&'static str, Vec<GradedTuple<'py>>, Vec<Bound<'py, PyTuple>>, Option<u32>, u64, bool);

/// Solves a board; `isolation_fast.solve` checks and documents the arguments.
#[pyfunction]
#[allow(
    clippy::too_many_arguments,
    clippy::fn_params_excessive_bools,
    reason = "the keywords of the public function"
)]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    board: &Bound<'py, Board>,
    moves: bool,
    line: bool,
    distance: bool,
    table: bool,
    threads: NonZeroUsize,
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
                isolation_core::solve(position, wanted, table, budget, threads, watch)
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
        solution.looked_up,
    ))
}

/// Who wins each position of a game for the player to move, a letter each, and what it took.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "taken out of a Python sequence")]
pub(crate) fn judge(
    py: Python<'_>,
    start: &str,
    moves: Vec<(i64, i64)>,
    nodes: Option<u64>,
) -> Result<(String, u64)> {
    engine_lock::require_free("annotate")?;
    let start: AnyPosition = start.parse()?;
    let cells = with_position!(&start, |start| legal_cells(start, &moves))?;
    let judged = detached(
        py,
        |watch| with_position!(&start, |start| isolation_core::judge(start, &cells, nodes, watch)),
        |_, watch| watch.interruption().into(),
    )?;
    Ok((letters(&judged.outcomes), judged.nodes))
}

/// The cells of a game's moves; an error names the first move that is not legal.
fn legal_cells<S: CellSet>(start: &Position<S>, moves: &[(i64, i64)]) -> Result<Vec<Cell>> {
    let mut position = start.clone();
    let mut cells = Vec::with_capacity(moves.len());
    for (at, &(row, column)) in moves.iter().enumerate() {
        let is_legal =
            |to: &Cell| position.blank().contains(*to) && position.reaches(position.to_move(), *to);
        let Some(to) = position.size().cell(row, column).filter(is_legal) else {
            let number = at + 1;
            return Err(Error::IllegalMove { number, row, column, position: position.to_string() });
        };
        let _ = position.make(to);
        cells.push(to);
    }
    Ok(cells)
}

/// The first letters of the words: w, l, u.
pub(crate) fn letters(outcomes: &[Outcome]) -> String {
    outcomes.iter().map(|outcome| &outcome.as_str()[..1]).collect()
}

/// The replies that win for the opponent of the player to move, a byte each; None where it does not win.
/// `isolation_fast.theory` has asked for a board of at most 256 cells.
#[pyfunction]
pub(crate) fn strategy<'py>(
    py: Python<'py>,
    board: &Bound<'py, Board>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    engine_lock::require_free("strategy")?;
    let root = Board::checked_root(board)?;
    let replies = detached(
        py,
        |watch| {
            with_position!(&root.position, |position| isolation_core::strategy(position, watch))
        },
        |_, watch| watch.interruption().into(),
    )?;
    #[allow(clippy::cast_possible_truncation, reason = "a board of 256 cells")]
    let bytes =
        replies.map(|cells| cells.into_iter().map(|cell| cell.0 as u8).collect::<Vec<u8>>());
    Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
}

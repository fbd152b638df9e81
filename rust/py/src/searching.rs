//! `search` and `perft`.

use std::time::Duration;

use isolation_core::{
    Allowance, Budget, CellSet, MAX_PLIES, Method, Mode, Options, Position, Report, with_position,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::board::Board;
use crate::callback::{Nan, PythonSearch};
use crate::compiled::Compiled;
use crate::engine_lock;
use crate::errors::{Error, Result};
use crate::heuristics::Heuristic;
use crate::moves::coordinates;
use crate::spending::{Paid, Terms};
use crate::watch::detached;

/// Move, value, depth, nodes, reason, values of the root's moves, how often the heuristic returned NaN.
type ReportTuple<'py> = (
    Option<Bound<'py, PyTuple>>,
    Option<f64>,
    u32,
    u64,
    &'static str,
    Option<Bound<'py, PyDict>>,
    u64,
);

/// Searches a board; `isolation_fast.search` checks and documents the arguments. `spent` is the work that may be
/// spent as the search goes, the scale of its clock, and the work of one value.
#[pyfunction]
#[allow(
    clippy::too_many_arguments,
    clippy::fn_params_excessive_bools,
    reason = "the keywords of the public function"
)]
pub(crate) fn search<'py>(
    py: Python<'py>,
    board: &Bound<'py, Board>,
    heuristic: &Bound<'py, PyAny>,
    depth: Option<u32>,
    nodes: Option<u64>,
    ms: Option<f64>,
    minimax: bool,
    fast: bool,
    seed: Option<u64>,
    root_values: bool,
    refuses_nan: bool,
    stops: Option<Bound<'py, PyAny>>,
    compiled: Option<&Bound<'py, Compiled>>,
    spent: Option<(Option<u64>, f64, Option<u64>)>,
) -> PyResult<ReportTuple<'py>> {
    engine_lock::require_free("search")?;
    let mut root = Board::checked_root(board)?;
    let (work, scale, value_work) = spent.unwrap_or_default();
    let allowance = allowance(depth, nodes, ms, work)?.with_value_work(value_work);
    let options = Options {
        budget: with_position!(&root.position, |position| allowance.on(position)),
        method: if minimax { Method::Minimax } else { Method::AlphaBeta },
        mode: mode_of(fast),
        order_bits: seed.unwrap_or(root.seating.order_bits),
        root_values,
    };
    if let Ok(heuristic) = heuristic.cast::<Heuristic>() {
        let native = &heuristic.get().native;
        let report = detached(
            py,
            |watch| {
                with_position!(&root.position, |position| {
                    isolation_core::search(position, &mut &**native, watch, &options)
                })
            },
            Error::of_search,
        )?;
        return with_position!(&root.position, |position| as_tuple(py, position, report, 0));
    }
    root.seating.order_bits = options.order_bits;
    let position = root.position.clone();
    let nan = Nan::of(refuses_nan);
    let clock = py.import("time")?.getattr("thread_time_ns")?;
    let of_a_value = with_position!(&root.position, |position| allowance.of_a_value(position));
    let terms = |paid| Terms { clock: &clock, scale, paid, of_a_value };
    let spending = spent.map(|_| Paid::now(&clock).map(terms));
    let asked = PythonSearch {
        function: heuristic,
        compiled,
        held: None,
        nan,
        stops,
        by_clock: ms.is_some(),
        spending: spending.transpose()?,
    };
    let found = with_position!(&position, |position| asked.search(&root, position, &options))?;
    with_position!(&position, |position| as_tuple(py, position, found.report, found.nans))
}

fn as_tuple<'py, S: CellSet>(
    py: Python<'py>,
    position: &Position<S>,
    report: Report,
    nans: u64,
) -> PyResult<ReportTuple<'py>> {
    let size = position.size();
    let values = report.root_values.map(|values| {
        let dict = PyDict::new(py);
        for (cell, value) in values {
            dict.set_item(coordinates(py, size, cell), value)?;
        }
        PyResult::Ok(dict)
    });
    Ok((
        report.best.map(|cell| coordinates(py, size, cell)),
        report.value,
        report.depth,
        report.nodes,
        report.reason.as_str(),
        values.transpose()?,
        nans,
    ))
}

/// Counts the lines of play of a length.
#[pyfunction]
pub(crate) fn perft(py: Python<'_>, board: &Bound<'_, Board>, depth: u32) -> Result<u64> {
    engine_lock::require_free("perft")?;
    let root = Board::checked_root(board)?;
    detached(
        py,
        |watch| {
            with_position!(&root.position, |position| isolation_core::perft(position, depth, watch))
        },
        Error::of_search,
    )
}

/// The budget, of arguments that the caller has checked.
pub(crate) fn budget(depth: Option<u32>, nodes: Option<u64>, ms: Option<f64>) -> PyResult<Budget> {
    let time = ms.map(|ms| Duration::try_from_secs_f64(ms / 1000.0));
    let time = time.transpose().map_err(|error| PyValueError::new_err(format!("ms: {error}")))?;
    Budget::new(depth, nodes, time).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// What a player may spend on each move; work is so many nodes with `improved`, and spent by those that pay.
pub(crate) fn allowance(
    depth: Option<u32>,
    nodes: Option<u64>,
    ms: Option<f64>,
    work: Option<u64>,
) -> PyResult<Allowance> {
    Ok(match work {
        None => budget(depth, nodes, ms)?.into(),
        Some(work) => Allowance::with_work(budget(depth.or(Some(MAX_PLIES)), nodes, ms)?, work),
    })
}

/// The mode of a flag: the words are checked in Python.
pub(crate) fn mode_of(fast: bool) -> Mode {
    if fast { Mode::Fast } else { Mode::Plain }
}

//! Players of which nothing is known but how they search, and a game between two of them.
//!
//! The referee of Python players plays such a game here: it takes half the time that it takes where each player is
//! asked for each move. A function of Python that is compiled counts, for as long as its program gives all values.

use std::sync::Arc;

use isolation_core::{
    Allowance, Budget, Method, Mode, NativeHeuristic, Options, Report, with_position,
};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::board::{Board, Root};
use crate::callback::{Nan, PythonSearch};
use crate::compiled::Compiled;
use crate::engine_lock;
use crate::errors::Error;
use crate::heuristics::Heuristic;
use crate::moves::coordinates;
use crate::running::Prepared;
use crate::searching::{budget, mode_of};
use crate::watch::detached;

/// How a player searches in each of its turns.
#[pyclass(frozen, module = "isolation_fast._native")]
pub(crate) struct Searcher {
    scorer: Scorer,
    allowance: Allowance,
    method: Method,
    mode: Mode,
    seed: Option<u64>,
}

enum Scorer {
    Native(Arc<NativeHeuristic>),
    Compiled { function: Py<PyAny>, compiled: Py<Compiled> },
}

#[pymethods]
impl Searcher {
    /// One with a native heuristic, or with a function that was compiled.
    #[new]
    #[allow(clippy::too_many_arguments, reason = "all that decides a player's searches")]
    fn new(
        heuristic: &Bound<'_, PyAny>,
        compiled: Option<Py<Compiled>>,
        depth: Option<u32>,
        nodes: Option<u64>,
        bands: Vec<(f64, u64)>,
        minimax: bool,
        fast: bool,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let scorer = match compiled {
            Some(compiled) => Scorer::Compiled { function: heuristic.clone().unbind(), compiled },
            None => Scorer::Native(heuristic.cast::<Heuristic>()?.get().native.clone()),
        };
        let allowance = Allowance::banded(budget(depth, nodes, None)?, bands);
        let method = if minimax { Method::Minimax } else { Method::AlphaBeta };
        Ok(Self { scorer, allowance, method, mode: mode_of(fast), seed })
    }
}

/// A player in the course of a game.
struct Seated<'g, 'py> {
    searcher: &'g Searcher,
    program: Option<Program<'g, 'py>>,
}

/// The program of a function, found to hold where the game begins: nothing runs meanwhile that could change that.
struct Program<'g, 'py> {
    function: &'g Bound<'py, PyAny>,
    compiled: &'g Bound<'py, Compiled>,
    prepared: Arc<Prepared>,
    bails: u64,
}

impl<'g, 'py> Seated<'g, 'py> {
    /// None where the function itself would be asked.
    fn new(py: Python<'py>, searcher: &'g Searcher) -> PyResult<Option<Self>> {
        let Scorer::Compiled { function, compiled } = &searcher.scorer else {
            return Ok(Some(Self { searcher, program: None }));
        };
        let (function, compiled) = (function.bind(py), compiled.bind(py));
        let prepared = compiled.get().program(function)?;
        Ok(prepared.map(|prepared| {
            let bails = compiled.get().bails();
            Self { searcher, program: Some(Program { function, compiled, prepared, bails }) }
        }))
    }

    /// What it finds in its turn. None where the function was asked, for another reason than to compare.
    fn search(&self, py: Python<'py>, root: &Root) -> PyResult<Option<Report>> {
        let Searcher { scorer, allowance, method, mode, seed } = self.searcher;
        let order_bits = seed.unwrap_or(root.seating.order_bits);
        let options = |budget: Budget| Options {
            budget,
            method: *method,
            mode: *mode,
            order_bits,
            root_values: false,
        };
        if let Scorer::Native(native) = scorer {
            let report = detached(
                py,
                |watch| {
                    with_position!(&root.position, |position| {
                        let options = options(allowance.on(position));
                        isolation_core::search(position, &mut &**native, watch, &options)
                    })
                },
                Error::of_search,
            )?;
            return Ok(Some(report));
        }
        let program = self.program.as_ref().expect("it has one from the beginning of the game");
        let search = PythonSearch {
            function: program.function,
            compiled: Some(program.compiled),
            held: Some(&program.prepared),
            nan: Nan::Refuse,
            stops: None,
            by_clock: false,
            spending: None,
        };
        let mut root = root.clone_ref(py);
        // The seed orders the lists that the function would get, too.
        root.seating.order_bits = order_bits;
        let found = with_position!(&root.position, |position| {
            search.search(&root, position, &options(allowance.on(position)))
        });
        let known = program.compiled.get();
        if known.bails() != program.bails || !known.is_ready() {
            return Ok(None);
        }
        Ok(Some(found?.report))
    }
}

/// The winner, the moves, and for each, where asked for, value, depth, nodes and reason; the nodes of each player.
type SearchedGame<'py> = (u8, Bound<'py, PyList>, Option<Bound<'py, PyList>>, (u64, u64));

/// Plays a game from a board on, which is not changed. `each` is called with each move and the player whose
/// turn is next. None where a function of Python would have had a say.
#[pyfunction]
pub(crate) fn play_searched<'py>(
    board: &Bound<'py, Board>,
    first: &Bound<'py, Searcher>,
    second: &Bound<'py, Searcher>,
    reports: bool,
    each: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<SearchedGame<'py>>> {
    engine_lock::require_free("play_searched")?;
    let py = board.py();
    let mut root = Board::checked_root(board)?;
    let (Some(first), Some(second)) =
        (Seated::new(py, first.get())?, Seated::new(py, second.get())?)
    else {
        return Ok(None);
    };
    let (seats, mut nodes) = ([first, second], [0; 2]);
    let (moves, found) = (PyList::empty(py), PyList::empty(py));
    loop {
        let (player, size, is_over) = with_position!(&root.position, |position| {
            let player = position.to_move();
            (player, position.size(), !position.can_move(player))
        });
        if is_over {
            let winner = player.opponent().number();
            return Ok(Some((winner, moves, reports.then_some(found), nodes.into())));
        }
        let Some(report) = seats[player.index()].search(py, &root)? else { return Ok(None) };
        let cell = report.best.expect("there is a move");
        nodes[player.index()] += report.nodes;
        root.make(cell);
        let shown = coordinates(py, size, cell);
        if reports {
            let Report { value, depth, nodes, reason, .. } = report;
            found.append((value, depth, nodes, reason.as_str()))?;
        }
        if let Some(each) = each {
            each.call1((&shown, player.opponent().index()))?;
        }
        moves.append(shown)?;
    }
}

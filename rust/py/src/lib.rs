//! Python bindings of `isolation-core`: the only crate that knows of Python. It converts, maps
//! errors, lets the interpreter go and calls back; the game is not in here.
//!
//! Rules kept throughout:
//! - No borrow of a board is held while Python runs: `==` of a player, a finalizer, a heuristic may
//!   call back into the same board. Copy out, release, call.
//! - Exceptions are made in [`errors`] and nowhere else.
//! - Native work runs detached, by [`watch::detached`], which also sees Ctrl-C.

mod answers;
mod attached;
mod board;
mod by_width;
mod callback;
mod comparing;
mod compiled;
mod cpu;
mod difference;
mod engine_lock;
mod equality;
mod errors;
mod evaluating;
mod heuristics;
mod jail;
mod many;
mod moves;
mod nesting;
mod players;
mod programs;
mod running;
mod searchers;
mod searching;
mod series;
#[cfg(unix)]
mod serving;
mod shutdown;
mod solving;
mod spending;
mod tags;
mod watch;

use pyo3::prelude::*;

// Boards are guarded by the interpreter's lock, see [`attached`].
#[pymodule(gil_used = true)]
mod _native {
    use super::{Bound, PyModule, PyModuleMethods, PyResult, board, cpu, programs, shutdown};

    #[pymodule_export]
    use super::board::{Board, board_in_order};
    #[pymodule_export]
    use super::comparing::compare;
    #[pymodule_export]
    use super::compiled::Compiled;
    #[pymodule_export]
    use super::engine_lock::require_free_engine;
    #[pymodule_export]
    use super::evaluating::{evaluate, evaluate_many};
    #[pymodule_export]
    use super::heuristics::{Heuristic, heuristic, heuristic_names, weighted_sum};
    #[pymodule_export]
    use super::jail::{is_locked, jail_available, jail_lock_down};
    #[pymodule_export]
    use super::many::evaluate_many_in_python;
    #[pymodule_export]
    use super::players::{NativePlayer, play_native};
    #[pymodule_export]
    use super::programs::PyProgram;
    #[pymodule_export]
    use super::searchers::{Searcher, play_searched};
    #[pymodule_export]
    use super::searching::{perft, search};
    #[pymodule_export]
    use super::series::{game_stream, play_series};
    #[cfg(unix)]
    #[pymodule_export]
    use super::serving::serve;
    #[pymodule_export]
    use super::solving::{judge, solve, strategy};
    #[pymodule_export]
    use super::tags::answer_tag;
    #[pymodule_export]
    use super::watch::interrupt_when;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        cpu::require_supported()?;
        shutdown::register(module.py())?;
        board::complete(module.py())?;
        module.add("OPCODES", programs::opcodes(module.py())?)?;
        module.add("PRICES", programs::price_list(module.py())?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

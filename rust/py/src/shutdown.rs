//! The end of the interpreter while other threads search.
//!
//! Once the interpreter is being finalized, Python ends each thread that asks for it, by unwinding the
//! thread's stack. That must not meet frames of ours: Rust aborts the process then. So before it
//! begins, searches in threads that nobody waits for get the signal to end, and are waited for.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;

/// A heuristic that takes longer than that for one answer is not waited for.
const MOST_PATIENCE: Duration = Duration::from_secs(2);

static ENDING: AtomicBool = AtomicBool::new(false);
static RUNNING: AtomicUsize = AtomicUsize::new(0);
/// The thread that ends the interpreter; what it still does on its way may search.
static LAST_THREAD: OnceLock<ThreadId> = OnceLock::new();

/// Work of ours, counted as long as it lives.
pub(crate) struct Running;

impl Running {
    pub(crate) fn begin() -> Self {
        RUNNING.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Not below zero: a forked process begins to count anew in the middle of things.
        let fewer = |running: usize| running.checked_sub(1);
        let _ = RUNNING.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
    }
}

/// What ends the work of this thread, if it has to end.
#[inline]
pub(crate) fn demanded() -> Option<PyErr> {
    let ends = ENDING.load(Ordering::Relaxed)
        && LAST_THREAD.get().is_some_and(|&last| last != thread::current().id());
    ends.then(|| PySystemExit::new_err("the interpreter is shutting down"))
}

/// Has Python call us at its end, and in each process that is forked.
pub(crate) fn register(py: Python<'_>) -> PyResult<()> {
    let at_exit = wrap_pyfunction!(end_searches, py)?;
    py.import("atexit")?.call_method1("register", (at_exit,))?;
    let os = py.import("os")?;
    if os.hasattr("register_at_fork")? {
        let after = pyo3::types::PyDict::new(py);
        after.set_item("after_in_child", wrap_pyfunction!(count_anew, py)?)?;
        os.call_method("register_at_fork", (), Some(&after))?;
    }
    Ok(())
}

#[pyfunction]
fn end_searches(py: Python<'_>) {
    let _ = LAST_THREAD.set(thread::current().id());
    ENDING.store(true, Ordering::Relaxed);
    let asked = Instant::now();
    py.detach(|| {
        while RUNNING.load(Ordering::Relaxed) > 0 && asked.elapsed() < MOST_PATIENCE {
            thread::sleep(Duration::from_millis(1));
        }
    });
}

/// The threads that searched are not in the new process.
#[pyfunction]
fn count_anew() {
    RUNNING.store(0, Ordering::Relaxed);
}

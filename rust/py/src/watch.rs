//! Running native work without holding the interpreter, and without missing Ctrl-C.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use isolation_core::Clock;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::errors::{Error, Result};
use crate::{engine_lock, shutdown};

/// How long Ctrl-C may wait. Taking the interpreter back costs some microseconds, so at this rate
/// it costs nothing.
const BETWEEN_SIGNAL_CHECKS: Duration = Duration::from_millis(50);

/// The real time, and Python's signals.
pub(crate) struct Watch {
    started: Instant,
    next_check: Duration,
    /// What a signal handler raised: `KeyboardInterrupt`, or what somebody's own handler raises.
    pub(crate) raised: Option<PyErr>,
    _running: shutdown::Running,
}

impl Watch {
    pub(crate) fn start() -> Self {
        Self {
            started: Instant::now(),
            next_check: BETWEEN_SIGNAL_CHECKS,
            raised: None,
            _running: shutdown::Running::begin(),
        }
    }

    /// The exception for work that was stopped from outside.
    pub(crate) fn interruption(&mut self) -> PyErr {
        self.raised.take().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
    }
}

impl Clock for Watch {
    fn now(&mut self) -> Duration {
        self.started.elapsed()
    }

    fn interrupted(&mut self) -> bool {
        if let Some(end) = shutdown::demanded() {
            self.raised = Some(end);
            return true;
        }
        let now = self.now();
        if now < self.next_check {
            return false;
        }
        self.next_check = now + BETWEEN_SIGNAL_CHECKS;
        match Python::attach(look) {
            Ok(()) => false,
            Err(error) => {
                self.raised = Some(error);
                true
            }
        }
    }
}

/// The CPU time of the process, which other processes do not use up; and Python's signals.
pub(crate) struct ProcessClock<'a, 'py> {
    pub(crate) watch: Watch,
    nanoseconds: &'a Bound<'py, PyAny>,
    last: u64,
}

impl<'a, 'py> ProcessClock<'a, 'py> {
    pub(crate) fn start(nanoseconds: &'a Bound<'py, PyAny>) -> Self {
        Self { watch: Watch::start(), nanoseconds, last: 0 }
    }
}

impl Clock for ProcessClock<'_, '_> {
    fn now(&mut self) -> Duration {
        if let Ok(now) = self.nanoseconds.call0().and_then(|now| now.extract()) {
            self.last = now;
        }
        Duration::from_nanos(self.last)
    }

    fn interrupted(&mut self) -> bool {
        self.watch.interrupted()
    }
}

thread_local! {
    /// Who is asked whether this thread is to end its work. Python tells signals to its main thread alone.
    static ASKED: RefCell<Option<Py<PyAny>>> = const { RefCell::new(None) };
}

/// Has native work of this thread end by a `KeyboardInterrupt` once the function says so; None: no more.
#[pyfunction]
#[pyo3(signature = (asked, /))]
pub(crate) fn interrupt_when(asked: Option<Py<PyAny>>) -> Result<()> {
    engine_lock::require_free("interrupt_when")?;
    // What was there ends only once it is out: a finalizer may come here too.
    drop(ASKED.replace(asked));
    Ok(())
}

fn look(py: Python<'_>) -> PyResult<()> {
    py.check_signals()?;
    let asked = ASKED.with_borrow(|asked| asked.as_ref().map(|asked| asked.clone_ref(py)));
    match asked {
        Some(asked) if asked.call0(py)?.is_truthy(py)? => Err(PyKeyboardInterrupt::new_err(())),
        _ => Ok(()),
    }
}

/// Runs work that needs no Python, detached: other threads go on meanwhile. The one way to do so.
pub(crate) fn detached<T: Send, E: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut Watch) -> Result<T, E> + Send,
    error: impl FnOnce(E, &mut Watch) -> Error,
) -> Result<T> {
    let mut watch = Watch::start();
    match py.detach(|| work(&mut watch)) {
        Ok(result) => Ok(result),
        Err(failed) => Err(error(failed, &mut watch)),
    }
}

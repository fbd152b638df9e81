//! Running native work without holding the interpreter, and without missing Ctrl-C.

use std::time::{Duration, Instant};

use isolation_core::Clock;
use pyo3::prelude::*;

use crate::shutdown;

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
        #[allow(
            clippy::redundant_closure_for_method_calls,
            reason = "the method's lifetime is too narrow"
        )]
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(error) => {
                self.raised = Some(error);
                true
            }
        }
    }
}

/// Runs work that needs no Python, detached: other threads go on meanwhile. The one way to do so.
pub(crate) fn detached<T: Send, E: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut Watch) -> Result<T, E> + Send,
    error: impl FnOnce(Python<'_>, E, &mut Watch) -> PyErr,
) -> PyResult<T> {
    let mut watch = Watch::start();
    match py.detach(|| work(&mut watch)) {
        Ok(result) => Ok(result),
        Err(failed) => Err(error(py, failed, &mut watch)),
    }
}

//! Work that is spent as a search goes, where its heuristic is Python that nothing can price beforehand.
//!
//! Paid is all CPU time of the thread, in time of the reference machine, and what was asked of boards, which
//! are quicker here than those of the reference. What was spent since the last search is paid in the next one.

use std::time::{Duration, Instant};

use isolation_core::{Clock, Meter, Stop};
use pyo3::prelude::*;

use crate::board::asked;
use crate::errors::Error;

/// CPU time is read after so much time: reading it takes as long as a small heuristic.
const BETWEEN_READINGS: Duration = Duration::from_micros(100);
/// What one value of a search may take besides: a collection of garbage.
const HICCUP: u64 = 5_000_000;
/// CPU time between two searches that is nobody's: the request is read, the board made, the answer written.
const GRACE: u64 = 100_000;

/// Up to where all is paid.
#[derive(Clone, Copy, Default)]
pub(crate) struct Paid {
    /// Of the thread's CPU time, in nanoseconds.
    time: u64,
    /// Of what was asked of boards.
    asked: u64,
    /// What was more than the last search had left, in nanoseconds of the reference machine.
    owed: u64,
}

impl Paid {
    /// Nothing is owed.
    pub(crate) fn now(clock: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { time: clock.call0()?.extract()?, asked: asked::so_far(), owed: 0 })
    }

    /// What was asked of boards since.
    pub(crate) fn asked_since(self) -> u64 {
        asked::so_far().wrapping_sub(self.asked)
    }
}

/// How work is spent in a search: its clock, the scale of that, up to where all is paid, and what one value may take.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a, 'py> {
    pub(crate) clock: &'a Bound<'py, PyAny>,
    pub(crate) scale: f64,
    pub(crate) paid: Paid,
    /// In nanoseconds of the reference machine.
    pub(crate) of_a_value: Option<u64>,
}

/// What pays for a search.
pub(crate) struct Spending {
    /// Gives the CPU time of the thread.
    clock: Py<PyAny>,
    /// Nanoseconds of the reference machine for each of this one, now.
    scale: f64,
    pub(crate) paid: Paid,
    read_at: Instant,
    is_first: bool,
    of_a_value: Option<u64>,
    /// When the value that is computed now was begun.
    begun_at: Instant,
    had_hiccup: bool,
}

impl Spending {
    pub(crate) fn new(terms: Terms<'_, '_>) -> Self {
        let Terms { clock, scale, paid, of_a_value } = terms;
        let (clock, now) = (clock.clone().unbind(), Instant::now());
        Self {
            clock,
            scale,
            paid,
            read_at: now,
            is_first: true,
            of_a_value,
            begun_at: now,
            had_hiccup: false,
        }
    }

    /// Notes that a value is begun.
    pub(crate) fn begin(&mut self) {
        if self.of_a_value.is_some() {
            self.begun_at = Instant::now();
        }
    }

    /// Pays what was spent since it last did. What the last value took too much comes first, and loses the game.
    ///
    /// # Errors
    /// Where it is more than is left: the rest is owed.
    pub(crate) fn pay<C: Clock>(
        &mut self,
        py: Python<'_>,
        meter: &mut Meter<'_, C>,
    ) -> PyResult<Result<(), Stop>> {
        let so_far = asked::so_far();
        let mut due = so_far.wrapping_sub(std::mem::replace(&mut self.paid.asked, so_far));
        let now = Instant::now();
        let (asked, took) = (due, now - self.begun_at);
        // A thread has no more CPU time than passes.
        if self.is_first || now - self.read_at >= BETWEEN_READINGS {
            let free = if std::mem::take(&mut self.is_first) { GRACE } else { 0 };
            let time: u64 = self.clock.bind(py).call0()?.extract()?;
            let spent = time.saturating_sub(self.paid.time).saturating_sub(free);
            due = due.saturating_add(self.in_reference_time(spent));
            let before = nanoseconds(self.begun_at - self.read_at);
            (self.paid.time, self.read_at) = (time, now);
            // No more than passed, and not what was spent before it was begun.
            self.require_little(asked, spent.saturating_sub(before).min(nanoseconds(took)))?;
        } else {
            self.require_little(asked, nanoseconds(took))?;
        }
        due = due.saturating_add(std::mem::take(&mut self.paid.owed));
        self.paid.owed = meter.work_left().map_or(0, |left| due.saturating_sub(left));
        Ok(meter.pay(due))
    }

    /// An error where a value took more than it may: one in a search may have had a hiccup.
    fn require_little(&mut self, asked: u64, time: u64) -> PyResult<()> {
        let Some(most) = self.of_a_value else { return Ok(()) };
        let took = asked.saturating_add(self.in_reference_time(time));
        if took <= most {
            return Ok(());
        }
        let has_hiccup = took <= most.saturating_add(HICCUP);
        if has_hiccup && !std::mem::replace(&mut self.had_hiccup, true) {
            return Ok(());
        }
        Err(Error::ValueWork { took: took / 1000, most: most / 1000 }.into())
    }

    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "it is an estimate, and saturates"
    )]
    fn in_reference_time(&self, nanoseconds: u64) -> u64 {
        (nanoseconds as f64 * self.scale) as u64
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

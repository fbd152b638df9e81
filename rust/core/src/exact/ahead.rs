//! The root's moves on several threads: answers that are at hand when the solver comes to ask.
//!
//! Each is found with a meter of its own, and its nodes are spent where it is used. So solution and nodes are
//! those of one thread.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::NODES_BETWEEN_LOOKS;
use super::outcome::Solver;
use crate::board::CellSet;
use crate::budget::{Clock, Meter, Stop};
use crate::side_by_side::{StoppedFromOutside, side_by_side};

/// An answer to each question, and the nodes that it took; none on one thread.
pub(super) type Ahead<T> = Vec<(Result<T, Stop>, u64)>;

impl<S: CellSet, C: Clock> Solver<'_, S, C> {
    /// Asks side by side. Questions after the first with the last answer that is wanted may stay without one.
    pub(super) fn ahead<Q: Copy + Sync, T: Send>(
        &mut self,
        threads: NonZeroUsize,
        questions: &[Q],
        ask: impl Fn(&mut Solver<'_, S, InTime<'_, '_>>, Q) -> Result<T, Stop> + Sync,
        is_last: impl Fn(&T) -> bool + Sync,
    ) -> Result<Ahead<T>, Stop> {
        if threads.get().min(questions.len()) <= 1 {
            return Ok(Ahead::new());
        }
        let last = AtomicUsize::new(usize::MAX);
        let (nodes, time) = self.meter.left();
        let Self { position, meter, known } = self;
        side_by_side(threads, questions.len(), meter.clock(), |number, clock| {
            let mut clock = InTime { clock, number, last: &last };
            let meter = Meter::with_limits(nodes, time, NODES_BETWEEN_LOOKS, &mut clock);
            let mut solver = Solver::new(position, meter, *known);
            let answer = ask(&mut solver, questions[number]);
            if answer.as_ref().is_ok_and(&is_last) {
                last.fetch_min(number, Ordering::Relaxed);
            }
            Ok((answer, solver.nodes()))
        })
    }

    /// The answer of that number, or a new one.
    pub(super) fn answer<T: Copy>(
        &mut self,
        ahead: &Ahead<T>,
        number: usize,
        ask: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let Some(&(answer, nodes)) = ahead.get(number) else { return ask(self) };
        self.meter.spend_many(nodes)?;
        answer
    }
}

/// A thread's clock, with an end for work that nobody needs any more.
pub(super) struct InTime<'c, 's> {
    clock: &'c mut StoppedFromOutside<'s>,
    number: usize,
    last: &'c AtomicUsize,
}

impl Clock for InTime<'_, '_> {
    fn now(&mut self) -> Duration {
        self.clock.now()
    }

    fn interrupted(&mut self) -> bool {
        self.last.load(Ordering::Relaxed) < self.number || self.clock.interrupted()
    }
}

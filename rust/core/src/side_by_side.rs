//! Independent pieces of work on several threads, which end when the caller's clock says so.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::budget::{Clock, Stop, StopWatch};

/// How often the caller's clock is asked whether to go on.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// A recursion takes some 300 to 600 bytes a ply, and is at most [`MAX_PLIES`](crate::MAX_PLIES) deep; reserved
/// but not used is free.
const STACK_BYTES: usize = 16 << 20;

/// Does the work of each number below `count`. The results come in the order of the numbers, and the work
/// begins in that order too.
///
/// # Errors
/// [`Stop::Interrupted`] where the clock says so.
///
/// # Panics
/// Where the system gives no thread.
pub(crate) fn side_by_side<T: Send, C: Clock + ?Sized>(
    threads: NonZeroUsize,
    count: usize,
    clock: &mut C,
    work: impl Fn(usize, &mut StoppedFromOutside<'_>) -> Result<T, Stop> + Sync,
) -> Result<Vec<T>, Stop> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let share = || {
        let mut clock = StoppedFromOutside { watch: StopWatch::start(), stop: &stop };
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count || stop.load(Ordering::Relaxed) {
                return done;
            }
            match work(number, &mut clock) {
                Ok(result) => done.push((number, result)),
                Err(_) => return done,
            }
        }
    };
    let mut all: Vec<(usize, T)> = thread::scope(|scope| {
        // Each thread holds a sender: once the last has ended, the channel is closed.
        let (ends, ended) = mpsc::channel::<()>();
        let running: Vec<_> = (0..threads.get().min(count))
            .map(|_| {
                let (ends, share) = (ends.clone(), &share);
                let body = move || {
                    let _ends = ends;
                    share()
                };
                let builder = thread::Builder::new().stack_size(STACK_BYTES);
                builder.spawn_scoped(scope, body).expect("the system gives a thread")
            })
            .collect();
        drop(ends);
        while ended.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) {
            if clock.interrupted() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        running.into_iter().flat_map(|each| each.join().expect("no panic")).collect()
    });
    if stop.load(Ordering::Relaxed) {
        return Err(Stop::Interrupted);
    }
    all.sort_unstable_by_key(|(number, _)| *number);
    Ok(all.into_iter().map(|(_, result)| result).collect())
}

/// The real time, and an end that another thread demands.
pub(crate) struct StoppedFromOutside<'s> {
    watch: StopWatch,
    stop: &'s AtomicBool,
}

impl Clock for StoppedFromOutside<'_> {
    fn now(&mut self) -> Duration {
        self.watch.now()
    }

    fn interrupted(&mut self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

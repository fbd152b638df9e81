//! Many games between two agents, from openings that each are played from both sides, on several threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::agent::Agent;
use super::game::{Game, play_game};
use crate::board::{AnyPosition, GOLDEN, mix, with_position};
use crate::budget::{Clock, Stop, StopWatch};

/// The 64 bits of chance of one game: they depend on which game it is, and on nothing else. Side 0 is the
/// game in which the first agent is player 1.
#[must_use]
pub fn game_stream(seed: u64, opening: u64, side: u64) -> u64 {
    let place = (2 * opening + side).wrapping_add(1);
    mix(mix(seed.wrapping_add(GOLDEN)) ^ place.wrapping_mul(GOLDEN))
}

/// What is to be played.
#[derive(Clone, Copy)]
pub struct Series<'s> {
    /// The two who play: the first begins the first game from each opening.
    pub agents: [&'s Agent; 2],
    /// Where games begin: two from each.
    pub openings: &'s [AnyPosition],
    /// The number of the first of these openings, where they are a part of a longer list.
    pub first_opening: u64,
    /// Decides, together with an opening's number, all chance in its games.
    pub seed: u64,
}

/// How often somebody is asked whether to go on while threads play.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// A search takes some 300 bytes a ply, and looks at most [`MAX_PLIES`](crate::MAX_PLIES) ahead; reserved
/// but not used is free.
const STACK_BYTES: usize = 16 << 20;

impl Series<'_> {
    /// How many games they are.
    #[must_use]
    pub fn games(&self) -> usize {
        2 * self.openings.len()
    }

    /// Plays all games, on so many threads. What is kept of each comes in the order of the openings, and of
    /// the sides: however many threads there are, it is the same.
    ///
    /// # Errors
    /// [`Stop::Interrupted`] where the clock says so.
    ///
    /// # Panics
    /// Where the system gives no thread.
    pub fn play<T: Send, C: Clock>(
        &self,
        threads: NonZeroUsize,
        clock: &mut C,
        keep: impl Fn(Game) -> T + Sync,
    ) -> Result<Vec<T>, Stop> {
        let threads = threads.get().min(self.games());
        if threads <= 1 {
            return (0..self.games()).map(|number| Ok(keep(self.game(number, clock)?))).collect();
        }
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || {
            let mut clock = StoppedFromOutside { watch: StopWatch::start(), stop: &stop };
            let mut kept = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.games() || stop.load(Ordering::Relaxed) {
                    return kept;
                }
                match self.game(number, &mut clock) {
                    Ok(game) => kept.push((number, keep(game))),
                    Err(_) => return kept,
                }
            }
        };
        let mut all: Vec<(usize, T)> = thread::scope(|scope| {
            // Each thread holds a sender: once the last has ended, the channel is closed.
            let (ends, ended) = mpsc::channel::<()>();
            let running: Vec<_> = (0..threads)
                .map(|_| {
                    let (ends, work) = (ends.clone(), &work);
                    let body = move || {
                        let _ends = ends;
                        work()
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
        Ok(all.into_iter().map(|(_, kept)| kept).collect())
    }

    fn game<C: Clock>(&self, number: usize, clock: &mut C) -> Result<Game, Stop> {
        let (opening, side) = (number / 2, number % 2);
        let seed = game_stream(self.seed, self.first_opening + opening as u64, side as u64);
        let [first, second] = self.agents;
        let agents = if side == 0 { [first, second] } else { [second, first] };
        with_position!(&self.openings[opening], |start| play_game(agents, start, seed, clock))
    }
}

/// The real time, and an end that another thread demands.
struct StoppedFromOutside<'s> {
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

//! Python functions that are compiled: the program of each, and when it is asked in the function's place.
//!
//! A program gives the function's value to the bit, or bails, and then the function is asked. It is compiled once
//! the function has been asked often enough to pay for it. One value in [`WATCHED`] is compared with the
//! function's own, and so are the first that each block of the program had a part in: a difference is our defect,
//! and ends the use of programs for that function.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use isolation_core::heuristics::last_plies;
use isolation_core::{CellSet, Player, Position};
use pyo3::prelude::*;

use crate::engine_lock;
use crate::programs;
use crate::running::{Engine, Prepared};

/// How often a function is asked before it is compiled, which takes as long as some thousand calls of it.
const COMPILED_AFTER: u64 = 1_000;
/// How often functions of the same code are asked for each time that the code is compiled.
const PAYS_FROM: u64 = 4_000;
/// One in so many values of a program is compared with the function's own.
const WATCHED: u64 = 1_024;
/// And so many at the beginning.
const FIRST_WATCHED: u64 = 64;
/// So many of its first answers may be bails; later not more than half.
const BAILS_FORGIVEN: u64 = 64;
/// How often the last plies are gone through one by one after a bail in some.
const ONE_BY_ONE: u32 = 16;
/// A run that is not repeated to time it better.
const LONG_RUN: Duration = Duration::from_micros(100);

/// What is known of a function that may be compiled: its program, where there is one, and how that does.
///
/// Made by `isolation_fast.compiled`. `compile(function)` gives the program and what says whether it holds, or None.
#[pyclass(frozen, weakref, module = "isolation_fast._native")]
pub(crate) struct Compiled {
    compile: Py<PyAny>,
    state: Mutex<State>,
    counts: Counts,
    /// Shared by the functions of one code, such as the closures that a loop makes.
    heat: Arc<Heat>,
}

enum State {
    /// Not compiled yet, or no more since something changed that it was made of.
    Cold,
    Ready(Ready),
    /// Never compiled: refused, it bails too often, or it gave another value than the function.
    Off,
}

impl State {
    /// Of what compiling gave: the program and what says whether it holds, or None.
    fn of(made: &Bound<'_, PyAny>) -> PyResult<Self> {
        if made.is_none() {
            return Ok(Self::Off);
        }
        let (program, holds): (Bound<'_, programs::PyProgram>, Py<PyAny>) = made.extract()?;
        Ok(Self::Ready(Ready { program: Arc::clone(&program.get().prepared), holds }))
    }
}

/// A program, and whether it is still that of its function.
struct Ready {
    program: Arc<Prepared>,
    holds: Py<PyAny>,
}

#[derive(Default)]
struct Counts {
    /// How often the function was asked since it was last compiled.
    asked: AtomicU64,
    values: AtomicU64,
    bails: AtomicU64,
}

#[derive(Default)]
struct Heat {
    asked: AtomicU64,
    compiled: AtomicU64,
}

#[pymethods]
impl Compiled {
    /// One for a function; `like` is one for a function of the same code.
    #[new]
    #[pyo3(signature = (compile, like = None, /))]
    fn new(compile: Py<PyAny>, like: Option<&Bound<'_, Self>>) -> PyResult<Self> {
        engine_lock::require_free("a program")?;
        let (state, counts) = (Mutex::new(State::Cold), Counts::default());
        let heat = like.map(|like| Arc::clone(&like.get().heat)).unwrap_or_default();
        Ok(Self { compile, state, counts, heat })
    }

    /// How many values programs gave.
    #[getter]
    fn values(&self) -> u64 {
        self.counts.values.load(Ordering::Relaxed)
    }

    /// How often they bailed, so that the function was asked.
    #[getter]
    pub(crate) fn bails(&self) -> u64 {
        self.counts.bails.load(Ordering::Relaxed)
    }

    /// Whether there is a program to ask.
    #[getter]
    pub(crate) fn is_ready(&self) -> bool {
        matches!(*self.state(), State::Ready(_))
    }

    /// Whether it is settled that there will never be one.
    #[getter]
    pub(crate) fn is_off(&self) -> bool {
        matches!(*self.state(), State::Off)
    }

    /// Compiles the function now; whether there is a program.
    fn compile(&self, function: &Bound<'_, PyAny>) -> PyResult<bool> {
        engine_lock::require_free("a program")?;
        Ok(self.program(function)?.is_some() || self.compiled(function)?.is_some())
    }

    /// Takes what `compile` gave elsewhere, unless it is settled meanwhile what becomes of the function.
    fn take(&self, made: &Bound<'_, PyAny>) -> PyResult<()> {
        engine_lock::require_free("a program")?;
        let state = State::of(made)?;
        let mut now = self.state();
        let unused = match *now {
            State::Cold => std::mem::replace(&mut *now, state),
            State::Ready(_) | State::Off => state,
        };
        drop(now);
        // Only now: what is dropped may run code.
        drop(unused);
        Ok(())
    }

    /// Never compiles it again.
    pub(crate) fn turn_off(&self) {
        let before = std::mem::replace(&mut *self.state(), State::Off);
        // Only now: what is dropped may run code.
        drop(before);
    }
}

impl Compiled {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_state(&self, is: impl FnOnce(&State) -> bool) -> bool {
        is(&self.state())
    }

    /// The program, if there is one and all that it was made of still holds.
    pub(crate) fn program(&self, function: &Bound<'_, PyAny>) -> PyResult<Option<Arc<Prepared>>> {
        let py = function.py();
        let (program, holds) = match &*self.state() {
            State::Ready(ready) => (Arc::clone(&ready.program), ready.holds.clone_ref(py)),
            State::Cold | State::Off => return Ok(None),
        };
        if holds.call0(py)?.is_truthy(py)? {
            return Ok(Some(program));
        }
        let mut state = self.state();
        let before = match &*state {
            State::Ready(ready) if Arc::ptr_eq(&ready.program, &program) => {
                Some(std::mem::replace(&mut *state, State::Cold))
            }
            _ => None,
        };
        drop(state);
        drop(before);
        Ok(None)
    }

    /// How often the function is still to be asked before it is compiled; None: it is never.
    fn left_to_ask(&self) -> Option<u64> {
        if !self.is_state(|state| matches!(state, State::Cold)) {
            return None;
        }
        let own = self.counts.asked.load(Ordering::Relaxed);
        let (all, times) = (&self.heat.asked, &self.heat.compiled);
        let paid = PAYS_FROM.saturating_mul(times.load(Ordering::Relaxed));
        let unpaid = paid.saturating_sub(all.load(Ordering::Relaxed));
        Some(COMPILED_AFTER.saturating_sub(own).max(unpaid).max(1))
    }

    /// Compiles it.
    fn compiled(&self, function: &Bound<'_, PyAny>) -> PyResult<Option<Arc<Prepared>>> {
        if self.is_state(|state| matches!(state, State::Off)) {
            return Ok(None);
        }
        self.is_compiled_now();
        let made = programs::made_within(|| self.compile.bind(function.py()).call1((function,)))?;
        let state = State::of(&made)?;
        let program = match &state {
            State::Ready(ready) => Some(Arc::clone(&ready.program)),
            State::Cold | State::Off => None,
        };
        let before = std::mem::replace(&mut *self.state(), state);
        drop(before);
        Ok(program)
    }

    fn is_compiled_now(&self) {
        self.counts.asked.store(0, Ordering::Relaxed);
        self.heat.compiled.fetch_add(1, Ordering::Relaxed);
    }

    fn add(&self, asked: u64, values: u64, bails: u64) {
        self.counts.asked.fetch_add(asked, Ordering::Relaxed);
        self.counts.values.fetch_add(values, Ordering::Relaxed);
        self.counts.bails.fetch_add(bails, Ordering::Relaxed);
        self.heat.asked.fetch_add(asked + values, Ordering::Relaxed);
    }
}

/// The use of a function's program in one search.
pub(crate) struct Use<S: CellSet> {
    of: Py<Compiled>,
    machine: Option<Engine<S>>,
    /// What programs gave before this search, and what came since then.
    before: [u64; 2],
    values: u64,
    bails: u64,
    /// How often the function was asked in this search, and how often it is to be before it is compiled.
    asked: u64,
    compiled_at: Option<u64>,
    /// Whether nothing is compiled in this search but beside it, as its time is limited.
    by_clock: bool,
    /// How often the last plies are still to be gone through one by one.
    one_by_one: u32,
    /// Whether the last value was found in a way in which few were before.
    is_new: bool,
}

impl<S: CellSet> Use<S> {
    pub(crate) fn new(
        of: &Bound<'_, Compiled>,
        program: Option<Arc<Prepared>>,
        by_clock: bool,
    ) -> Self {
        let known = of.get();
        let before = [known.values(), known.bails()];
        let machine = program.map(|program| Engine::new(program, by_clock));
        let compiled_at = known.left_to_ask();
        Self {
            of: of.clone().unbind(),
            machine,
            before,
            values: 0,
            bails: 0,
            asked: 0,
            compiled_at,
            by_clock,
            one_by_one: 0,
            is_new: false,
        }
    }

    /// What the program says; None where there is none, or it bails.
    #[inline]
    pub(crate) fn value(
        &mut self,
        position: &Position<S>,
        player: Player,
        move_count: i64,
        order_bits: u64,
    ) -> Option<f64> {
        let engine = self.machine.as_mut()?;
        let value = engine.run(position, player, move_count, order_bits);
        if value.is_some() {
            self.values += 1;
            self.is_new = engine.is_new();
            if self.is_new {
                engine.compared();
            }
        } else {
            self.bails += 1;
        }
        value
    }

    /// What the program makes of the last two plies of a search, of which `move_count` moves were made before, and
    /// the nodes of these plies. None where it bails in them, or where one of the values is to be compared.
    #[inline]
    pub(crate) fn last_plies(
        &mut self,
        position: &Position<S>,
        player: Player,
        [alpha, beta]: [f64; 2],
        move_count: i64,
        order_bits: u64,
    ) -> Option<(f64, u64)> {
        // On larger boards there may be more leaves, and the copy of a position allocates.
        if S::CAPACITY > 128 || self.machine.is_none() {
            return None;
        }
        if self.one_by_one > 0 {
            self.one_by_one -= 1;
            return None;
        }
        let side = position.to_move();
        let [moves, replies] =
            [side, side.opponent()].map(|player| u64::from(position.mobility(player)));
        let given = self.before[0] + self.values;
        let leaves = moves * replies.max(1);
        if given < FIRST_WATCHED || (given + WATCHED - 1) % WATCHED + leaves >= WATCHED {
            return None;
        }
        let (mut values, mut bailed) = (0, false);
        let engine = self.machine.as_mut()?;
        let (best, nodes) = last_plies(position, player, alpha, beta, |leaf, player| {
            if bailed {
                return 0.0;
            }
            let plies = if leaf.to_move() == side { 2 } else { 1 };
            let value = engine.run(leaf, player, move_count.wrapping_add(plies), order_bits);
            values += 1;
            bailed = value.is_none();
            value.unwrap_or_default()
        });
        if engine.is_new() {
            // Here is no board to compare it on: it is found again, by itself.
            engine.forget();
            return None;
        }
        if bailed {
            // It may well bail in others near to them, and what was done for it is lost.
            self.one_by_one = ONE_BY_ONE;
            return None;
        }
        self.values += values;
        Some((best, nodes))
    }

    /// Whether the value that it has just given is one to compare: the first ones are, one now and then, and
    /// those for which a part of the program ran that has hardly been compared.
    #[inline]
    pub(crate) fn is_watched(&self) -> bool {
        let number = self.before[0] + self.values;
        self.is_new || number <= FIRST_WATCHED || (number - 1).is_multiple_of(WATCHED)
    }

    /// To be called when the function was asked: it may have changed what the program was made of, it may be
    /// time to compile it, or the program may be of no use.
    pub(crate) fn asked(&mut self, function: &Bound<'_, PyAny>) -> PyResult<()> {
        self.asked += 1;
        let py = function.py();
        if self.machine.is_some() {
            let [values, bails] = [self.before[0] + self.values, self.before[1] + self.bails];
            if bails >= BAILS_FORGIVEN && bails >= values {
                self.of.get().turn_off();
                self.machine = None;
            } else if self.of.bind(py).get().program(function)?.is_none() {
                self.machine = None;
            }
        } else if self.by_clock && self.of.get().is_ready() {
            // It was compiled beside this search.
            let program = self.of.bind(py).get().program(function)?;
            self.machine = program.map(|program| Engine::new(program, true));
        } else if Some(self.asked) == self.compiled_at {
            self.compiled_at = None;
            self.of.get().add(std::mem::take(&mut self.asked), 0, 0);
            if self.by_clock {
                self.compile_beside(function)?;
            } else {
                let program = self.of.get().compiled(function)?;
                self.machine = program.map(|program| Engine::new(program, false));
            }
        }
        Ok(())
    }

    /// Has another thread compile the function, if none compiles anything just now.
    fn compile_beside(&self, function: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = function.py();
        let compiling = py.import("isolation_fast.compiled")?;
        if compiling.call_method1("compile_beside", (&self.of, function))?.is_truthy()? {
            self.of.get().is_compiled_now();
        }
        Ok(())
    }

    /// The time that the program takes for a value, about.
    pub(crate) fn time(&mut self, position: &Position<S>, player: Player) -> Option<Duration> {
        let machine = self.machine.as_mut()?;
        let mut run = || {
            let began = Instant::now();
            let _ = machine.run(position, player, 0, 0);
            machine.forget();
            began.elapsed()
        };
        // The first run finds nothing in the caches.
        let first = run();
        Some(if first > LONG_RUN { first } else { run() })
    }

    /// Whether it asks a program just now.
    pub(crate) fn has_program(&self) -> bool {
        self.machine.is_some()
    }
}

impl<S: CellSet> Drop for Use<S> {
    fn drop(&mut self) {
        self.of.get().add(self.asked, self.values, self.bails);
    }
}

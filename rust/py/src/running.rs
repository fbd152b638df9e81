//! How programs are run: by the machine of the core at first, and as machine code where they run often.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use isolation_core::program::{Machine, Program};
use isolation_core::{CellSet, Player, Position, Size};

use machine_code::{Codes, Runner};

/// How often a program is run before machine code is made of it, which takes as long as some thousand runs.
const MADE_AFTER: u64 = 2_000;

/// A program, with the machine code that was made of it for boards of some sizes. It is shared by all that run it.
pub(crate) struct Prepared {
    program: Arc<Program>,
    codes: Codes,
    /// How often it has been run, about.
    runs: AtomicU64,
}

impl Prepared {
    pub(crate) fn new(program: Program) -> Self {
        Self { program: Arc::new(program), codes: Codes::new(), runs: AtomicU64::new(0) }
    }

    /// A machine that runs the program.
    pub(crate) fn machine<S: CellSet>(&self) -> Machine<S> {
        Machine::new(Arc::clone(&self.program))
    }

    /// What runs the machine code for boards of that size.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn runner(&self, size: Size) -> Result<Runner, String> {
        self.codes.runner(&self.program, size)
    }
}

/// Runs a program, again and again.
pub(crate) struct Engine<S: CellSet> {
    prepared: Arc<Prepared>,
    machine: Machine<S>,
    runner: Option<Runner>,
    runs: u64,
    /// At which of its runs machine code is asked for.
    made_at: u64,
}

impl<S: CellSet> Engine<S> {
    pub(crate) fn new(prepared: Arc<Prepared>) -> Self {
        let machine = prepared.machine();
        let made_at = MADE_AFTER.saturating_sub(prepared.runs.load(Ordering::Relaxed));
        Self { prepared, machine, runner: None, runs: 0, made_at }
    }

    /// The value of a position for a player, after so many moves, on a board whose moves these bits order.
    /// None where the program bails.
    #[inline]
    pub(crate) fn run(
        &mut self,
        position: &Position<S>,
        player: Player,
        move_count: i64,
        order_bits: u64,
    ) -> Option<f64> {
        if self.runs == self.made_at {
            self.runner = self.prepared.runner(position.size()).ok();
        }
        self.runs += 1;
        match &mut self.runner {
            Some(runner) if runner.fits(position) => {
                runner.run(position, player, move_count, order_bits)
            }
            _ => self.machine.run(position, player, move_count, order_bits),
        }
    }

    /// How many instructions the last run took. It says nothing once there is machine code.
    #[inline]
    pub(crate) fn spent(&self) -> u64 {
        self.machine.spent().into()
    }
}

impl<S: CellSet> Drop for Engine<S> {
    fn drop(&mut self) {
        self.prepared.runs.fetch_add(self.runs, Ordering::Relaxed);
        if let Some(runner) = self.runner.take() {
            self.prepared.codes.give_back(runner);
        }
    }
}

#[cfg(all(feature = "jit", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod machine_code {
    use std::sync::{Arc, Mutex, PoisonError};

    use isolation_core::Size;
    use isolation_core::program::Program;
    use isolation_jit::Jitted;
    pub(super) use isolation_jit::Runner;

    use crate::engine_lock;

    /// For boards of so many sizes machine code of one program is kept.
    const MOST_SIZES: usize = 16;

    /// The machine code of a program for each size of board, or why there is none.
    pub(super) struct Codes(Mutex<Vec<Code>>);

    struct Code {
        size: Size,
        made: Result<Arc<Jitted>, String>,
        /// Runners that nobody uses just now: their memory takes longer to get than a small search.
        spare: Vec<Runner>,
    }

    impl Codes {
        pub(super) fn new() -> Self {
            Self(Mutex::new(Vec::new()))
        }

        pub(super) fn runner(&self, program: &Arc<Program>, size: Size) -> Result<Runner, String> {
            if engine_lock::is_locked() {
                return Err("a locked process gets no memory for machine code".to_owned());
            }
            let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let known = codes.iter().position(|code| code.size == size);
            let place = match known {
                Some(place) => place,
                None if codes.len() == MOST_SIZES => {
                    return Err(format!("there is machine code for {MOST_SIZES} sizes of boards"));
                }
                None => {
                    let made = Jitted::new(Arc::clone(program), size);
                    let made = made.map(Arc::new).map_err(|refused| refused.to_string());
                    codes.push(Code { size, made, spare: Vec::new() });
                    codes.len() - 1
                }
            };
            let Code { made, spare, .. } = &mut codes[place];
            let jitted = made.as_ref().map_err(String::clone)?;
            Ok(spare.pop().unwrap_or_else(|| Runner::new(Arc::clone(jitted))))
        }

        pub(super) fn give_back(&self, runner: Runner) {
            let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let size = runner.jitted().size();
            if let Some(code) = codes.iter_mut().find(|code| code.size == size) {
                code.spare.push(runner);
            }
        }
    }
}

#[cfg(not(all(feature = "jit", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod machine_code {
    use std::sync::Arc;

    use isolation_core::program::Program;
    use isolation_core::{CellSet, Player, Position, Size};

    /// There is none.
    pub(crate) enum Runner {}

    impl Runner {
        pub(crate) fn fits<S: CellSet>(&self, _: &Position<S>) -> bool {
            match *self {}
        }

        pub(crate) fn run<S: CellSet>(
            &mut self,
            _: &Position<S>,
            _: Player,
            _: i64,
            _: u64,
        ) -> Option<f64> {
            match *self {}
        }
    }

    pub(super) struct Codes;

    impl Codes {
        pub(super) fn new() -> Self {
            Self
        }

        #[allow(clippy::unused_self, reason = "as where there is machine code")]
        pub(super) fn runner(&self, _: &Arc<Program>, _: Size) -> Result<Runner, String> {
            Err("this build of isolation_fast makes no machine code".to_owned())
        }

        #[allow(
            clippy::needless_pass_by_value,
            clippy::unused_self,
            reason = "as where there is machine code"
        )]
        pub(super) fn give_back(&self, runner: Runner) {
            match runner {}
        }
    }
}

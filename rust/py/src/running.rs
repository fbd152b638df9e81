//! How programs are run: by the machine of the core at first, and as machine code where they run often.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use isolation_core::program::{self, Coverage, FUEL, Machine, Program, Root, Runners};
use isolation_core::{CellSet, Player, Position, Size};

use machine_code::{Codes, Jitted, Runner};

/// How often a program is run before machine code is made of it, which takes as long as some thousand runs.
const MADE_AFTER: u64 = 2_000;
/// After so many more runs it is looked for again, where it is made in another thread.
const LOOKED_FOR_AFTER: u64 = 500;
/// How many runs an engine counts by itself that machine code left to the machine.
const LEFT_TOGETHER: u32 = 64;

/// A program, with the machine code that was made of it for boards of some sizes. It is shared by all that run it.
pub(crate) struct Prepared {
    /// What of the program was compared with Python.
    coverage: Arc<Coverage>,
    /// Of the blocks that are known.
    codes: Codes,
    /// Of the whole program, where that is asked for.
    whole: Codes,
    /// Whether games use that.
    plays: AtomicBool,
    /// How often it has been run, about.
    runs: AtomicU64,
}

impl Prepared {
    pub(crate) fn new(program: Program) -> Self {
        let coverage = Arc::new(Coverage::new(Arc::new(program)));
        Self {
            coverage,
            codes: Codes::new(),
            whole: Codes::new(),
            plays: AtomicBool::new(false),
            runs: AtomicU64::new(0),
        }
    }

    /// The program.
    pub(crate) fn program(&self) -> &Arc<Program> {
        self.coverage.program()
    }

    /// A machine that runs the program, and notes nothing.
    pub(crate) fn machine<S: CellSet>(&self) -> Machine<S> {
        Machine::new(Arc::clone(self.program()))
    }

    /// What runs machine code of the whole program for boards of that size.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn runner(&self, size: Size) -> Result<Runner, String> {
        let program = Arc::clone(self.program());
        self.whole.runner(size, usize::MAX, false, move || Jitted::new(program, size))
    }
}

impl Prepared {
    /// Has games on boards of that size played by machine code, from now on.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn play_by_machine_code(&self, size: Size) -> Result<(), String> {
        self.whole.give_back(self.runner(size)?, 0);
        self.plays.store(true, Ordering::Relaxed);
        Ok(())
    }
}

impl Runners for Prepared {
    fn runner(&self, size: Size) -> Option<Box<dyn program::Runner>> {
        let plays = self.plays.load(Ordering::Relaxed);
        let runner = plays.then(|| Self::runner(self, size).ok()).flatten()?;
        Some(Box::new(Lent { codes: self.whole.clone(), runner: Some(runner) }))
    }
}

/// A runner that is given back in the end.
struct Lent {
    codes: Codes,
    runner: Option<Runner>,
}

impl Lent {
    fn runner(&self) -> &Runner {
        self.runner.as_ref().expect("it is given back in the end")
    }

    fn runner_mut(&mut self) -> &mut Runner {
        self.runner.as_mut().expect("it is given back in the end")
    }
}

impl program::Runner for Lent {
    fn limit(&mut self, fuel: u32) {
        self.runner_mut().limit(fuel);
    }

    fn run(
        &mut self,
        root: &Root,
        player: Player,
        move_count: i64,
        order_bits: u64,
    ) -> Option<f64> {
        self.runner_mut().run_root(root, player, move_count, order_bits)
    }

    fn spent(&self) -> u32 {
        self.runner().spent()
    }

    fn is_cut_off(&self) -> bool {
        self.runner().is_cut_off()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(runner) = self.runner.take() {
            self.codes.give_back(runner, 0);
        }
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
    /// How many runs the machine code has left to the machine since the others were told.
    left: u32,
    /// Whether machine code is made in another thread.
    beside: bool,
    is_new: bool,
}

impl<S: CellSet> Engine<S> {
    /// One that has machine code made where it runs, or `beside` it.
    pub(crate) fn new(prepared: Arc<Prepared>, beside: bool) -> Self {
        let machine = Machine::covering(Arc::clone(&prepared.coverage), FUEL);
        let made_at = MADE_AFTER.saturating_sub(prepared.runs.load(Ordering::Relaxed));
        Self { prepared, machine, runner: None, runs: 0, made_at, left: 0, beside, is_new: false }
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
            self.look_for_machine_code(position.size());
        }
        self.runs += 1;
        if let Some(runner) = &mut self.runner
            && runner.fits(position)
        {
            let value = runner.run(position, player, move_count, order_bits);
            if value.is_some() || !runner.has_left() {
                return value;
            }
            self.has_left(position.size());
        }
        let value = self.machine.run(position, player, move_count, order_bits);
        self.is_new |= self.machine.is_new();
        value
    }

    /// Whether a run found a value in a way that is new, since [`Self::compared`] or [`Self::forget`] was called.
    #[inline]
    pub(crate) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Notes that the value of the last run is compared.
    #[cold]
    pub(crate) fn compared(&mut self) {
        self.is_new = false;
        self.machine.compared();
    }

    /// Forgets that runs were new.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.is_new = false;
        self.machine.forget();
    }

    /// Looks for machine code of what is known, which may have to be made.
    #[cold]
    fn look_for_machine_code(&mut self, size: Size) {
        self.give_back();
        let coverage = &self.prepared.coverage;
        if !coverage.is_known(0, 0) {
            self.made_at += MADE_AFTER;
            return;
        }
        let (known, coverage) = (coverage.known(), Arc::clone(coverage));
        let make = move || Jitted::of_known(&coverage, size);
        self.runner = self.prepared.codes.runner(size, known, self.beside, make).ok();
        if self.runner.is_none() && self.beside {
            self.made_at = self.runs + LOOKED_FOR_AFTER;
        }
    }

    /// Counts a run that machine code has left to the machine.
    #[cold]
    fn has_left(&mut self, size: Size) {
        self.left += 1;
        if self.left == LEFT_TOGETHER {
            self.look_for_machine_code(size);
        }
    }

    fn give_back(&mut self) {
        if let Some(runner) = self.runner.take() {
            self.prepared.codes.give_back(runner, std::mem::take(&mut self.left));
        }
    }
}

impl<S: CellSet> Drop for Engine<S> {
    fn drop(&mut self) {
        self.prepared.runs.fetch_add(self.runs, Ordering::Relaxed);
        self.give_back();
    }
}

#[cfg(all(feature = "jit", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod machine_code {
    use std::sync::{Arc, Mutex, PoisonError};
    use std::thread;

    use isolation_core::Size;
    use isolation_jit::Refused;
    pub(super) use isolation_jit::{Jitted, Runner};

    use crate::engine_lock;

    /// For boards of so many sizes machine code of one program is kept.
    const MOST_SIZES: usize = 16;
    /// So many runs are left to the machine before machine code is made for the second time, and twice as many
    /// before each time after that.
    const MADE_ANEW_AFTER: u64 = 512;

    /// The machine code of a program for each size of board, or why there is none.
    #[derive(Clone)]
    pub(super) struct Codes(Arc<Mutex<Vec<Code>>>);

    struct Code {
        size: Size,
        made: Result<Arc<Jitted>, String>,
        is_being_made: bool,
        /// How much of the program was known when it was made.
        known: usize,
        /// How many runs it has left to the machine, and how many it takes until it is made anew.
        left: u64,
        made_anew_after: u64,
        /// Runners that nobody uses just now: their memory takes longer to get than a small search.
        spare: Vec<Runner>,
    }

    impl Code {
        fn new(size: Size) -> Self {
            Self {
                size,
                made: Err("it is being made".to_owned()),
                is_being_made: false,
                known: 0,
                left: 0,
                made_anew_after: MADE_ANEW_AFTER,
                spare: Vec::new(),
            }
        }

        fn take(&mut self, made: Result<Jitted, Refused>) {
            self.made = made.map(Arc::new).map_err(|refused| refused.to_string());
            self.is_being_made = false;
            self.spare.clear();
        }

        /// Whether it left many runs to the machine, and knows more of them now.
        fn is_old(&self, known: usize) -> bool {
            self.made.is_ok()
                && !self.is_being_made
                && self.left >= self.made_anew_after
                && known > self.known
        }
    }

    impl Codes {
        pub(super) fn new() -> Self {
            Self(Arc::default())
        }

        /// What runs the machine code for a size, which is made where there is none, or too little.
        pub(super) fn runner(
            &self,
            size: Size,
            known: usize,
            beside: bool,
            make: impl FnOnce() -> Result<Jitted, Refused> + Send + 'static,
        ) -> Result<Runner, String> {
            if engine_lock::is_locked() {
                return Err("a locked process gets no memory for machine code".to_owned());
            }
            let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let found = codes.iter().position(|code| code.size == size);
            if found.is_none() && codes.len() == MOST_SIZES {
                return Err(format!("there is machine code for {MOST_SIZES} sizes of boards"));
            }
            let place = found.unwrap_or_else(|| {
                codes.push(Code::new(size));
                codes.len() - 1
            });
            let code = &mut codes[place];
            if found.is_none() || code.is_old(known) {
                code.known = known;
                code.made_anew_after = code.made_anew_after.max(2 * code.left);
                if beside {
                    code.is_being_made = true;
                    self.make_beside(size, make);
                } else {
                    code.take(make());
                }
            }
            let Code { made, spare, .. } = &mut codes[place];
            let jitted = made.as_ref().map_err(String::clone)?;
            Ok(spare.pop().unwrap_or_else(|| Runner::new(Arc::clone(jitted))))
        }

        /// Makes it in a thread of its own, which needs nothing of Python. Where none starts, there is none.
        fn make_beside(
            &self,
            size: Size,
            make: impl FnOnce() -> Result<Jitted, Refused> + Send + 'static,
        ) {
            let codes = Arc::clone(&self.0);
            let _ = thread::Builder::new().spawn(move || {
                let jitted = make();
                let mut codes = codes.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(code) = codes.iter_mut().find(|code| code.size == size) {
                    code.take(jitted);
                }
            });
        }

        /// Takes back what ran it, and how many runs that has left to the machine.
        pub(super) fn give_back(&self, runner: Runner, left: u32) {
            let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let size = runner.jitted().size();
            let Some(code) = codes.iter_mut().find(|code| code.size == size) else { return };
            code.left += u64::from(left);
            if code.made.as_ref().is_ok_and(|made| Arc::ptr_eq(made, runner.jitted())) {
                code.spare.push(runner);
            }
        }
    }
}

#[cfg(not(all(feature = "jit", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod machine_code {
    use std::sync::Arc;

    use isolation_core::program::{Coverage, Program, Root};
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

        pub(crate) fn run_root(&mut self, _: &Root, _: Player, _: i64, _: u64) -> Option<f64> {
            match *self {}
        }

        pub(crate) fn limit(&mut self, _: u32) {
            match *self {}
        }

        pub(crate) fn is_cut_off(&self) -> bool {
            match *self {}
        }

        pub(crate) fn has_left(&self) -> bool {
            match *self {}
        }

        pub(crate) fn spent(&self) -> u32 {
            match *self {}
        }
    }

    /// There is none of this either.
    pub(crate) enum Jitted {}

    impl Jitted {
        pub(crate) fn new(_: Arc<Program>, _: Size) -> Self {
            unreachable!("nothing asks for it")
        }

        pub(crate) fn of_known(_: &Coverage, _: Size) -> Self {
            unreachable!("nothing asks for it")
        }
    }

    #[derive(Clone)]
    pub(super) struct Codes;

    impl Codes {
        pub(super) fn new() -> Self {
            Self
        }

        #[allow(clippy::unused_self, reason = "as where there is machine code")]
        pub(super) fn runner(
            &self,
            _: Size,
            _: usize,
            _: bool,
            _: impl FnOnce() -> Jitted,
        ) -> Result<Runner, String> {
            Err("this build of isolation_fast makes no machine code".to_owned())
        }

        #[allow(
            clippy::needless_pass_by_value,
            clippy::unused_self,
            reason = "as where there is machine code"
        )]
        pub(super) fn give_back(&self, runner: Runner, _: u32) {
            match runner {}
        }
    }
}

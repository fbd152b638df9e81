//! The jail of Linux.

mod calls;
mod capabilities;
mod files;
mod limits;
mod memory;
mod privileges;

use std::fs;

pub(crate) use memory::make_read_only;

use crate::{JailError, Level, Policy, Protection};

/// What the kernel can do, of what it may lack.
#[derive(Clone, Copy)]
struct Layers {
    /// The version of Landlock's interface, 0 where there is none.
    landlock: u32,
    seccomp: bool,
    sealing: bool,
}

impl Layers {
    fn of_this_system() -> Self {
        Self {
            landlock: files::landlock_version(),
            seccomp: calls::are_filtered(),
            sealing: memory::can_be_sealed(),
        }
    }

    /// Whether they keep something from the process, where it is they who do.
    fn protect(self, what: Protection) -> bool {
        match what {
            Protection::Files => self.landlock >= 1,
            // Only a process that is in a Landlock domain too may be traced from within one.
            Protection::Tracing => self.seccomp || self.landlock >= 1,
            Protection::Signals => self.seccomp || self.landlock >= files::WITH_SIGNALS,
            // Landlock knows nothing of modes, owners and times, and its own rights on files came in bits.
            Protection::Writing
            | Protection::Sockets
            | Protection::Processes
            | Protection::Code
            | Protection::SystemCalls => self.seccomp,
            Protection::Sealing => self.sealing,
            Protection::Memory | Protection::User => true,
        }
    }

    fn level(self, asked: impl Fn(Protection) -> bool, unprivileged: bool) -> Level {
        let asked = Protection::ALL.into_iter().filter(|&what| asked(what));
        let (enforced, missing) = asked
            .partition(|&what| self.protect(what) && (what != Protection::User || unprivileged));
        Level { enforced, missing, landlock: self.landlock }
    }
}

pub(crate) fn available() -> Level {
    Layers::of_this_system().level(|_| true, privileges::can_be_dropped())
}

/// All that a process needs to be locked: the rules with their paths open, by the user who may open them.
pub(crate) struct Prepared<'a> {
    policy: &'a Policy,
    layers: Layers,
    files: files::Rules,
    calls: calls::Filter,
}

pub(crate) fn prepare(policy: &Policy) -> Result<Prepared<'_>, JailError> {
    require_one_thread()?;
    privileges::require_parent(policy.parent)?;
    limits::require_memory(policy.memory)?;
    let layers = Layers::of_this_system();
    if layers.landlock == 0 && !layers.seccomp {
        let problem = "there is no jail here: this kernel has neither Landlock nor seccomp filters";
        return Err(JailError(problem.to_owned()));
    }
    let files = files::Rules::new(&policy.readable, &policy.listable)?;
    let calls = calls::Filter::new(layers.landlock)?;
    Ok(Prepared { policy, layers, files, calls })
}

impl Prepared<'_> {
    /// In this order: another user may not look at the memory's map; becoming one undoes the ties to the
    /// parent and to those who trace it; what may be read decides which capability is needed; and the filter of
    /// calls refuses all that comes before it.
    pub(crate) fn lock(self) -> Result<Level, JailError> {
        let Self { policy, mut layers, files, calls } = self;
        memory::make_written_memory_no_code()?;
        layers.sealing &= memory::seal_ours();
        limits::set(policy)?;
        let unprivileged = privileges::drop_to(policy.user);
        privileges::bind_to_parent(policy.parent)?;
        privileges::close_to_others()?;
        if !files.enforce()? {
            layers.landlock = 0;
        }
        // Root that stays root may still need them to read what belongs to others.
        if unprivileged {
            let held = layers.landlock > 0 && layers.seccomp;
            capabilities::give_up(&policy.readable, held)?;
        }
        layers.seccomp &= calls.apply();
        let asked = |what| match what {
            Protection::Memory => policy.memory.is_some(),
            Protection::User => policy.user.is_some() || unprivileged,
            _ => true,
        };
        Ok(layers.level(asked, unprivileged))
    }
}

/// Landlock, like the death with the parent, is a thread's and not its process's.
fn require_one_thread() -> Result<(), JailError> {
    let threads = fs::read_dir("/proc/self/task")
        .map_err(|error| failed("see whether other threads run, by /proc/self/task", &error))?;
    match threads.count() {
        1 => Ok(()),
        threads => Err(JailError(format!(
            "this process has {threads} threads, and only one of them would be locked; libraries start none \
             where OPENBLAS_NUM_THREADS, OMP_NUM_THREADS and MKL_NUM_THREADS are 1 before they are loaded"
        ))),
    }
}

/// The error of something that the system would not do.
fn failed(what: &str, error: &dyn std::error::Error) -> JailError {
    JailError(format!("cannot {what}: {error}"))
}

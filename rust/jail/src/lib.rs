//! Takes a process's rights away, for good, and says what it got.
//!
//! What runs in a process after [`Prepared::lock`] can compute, read the files that the [`Policy`] names, and
//! read and write what is open already. Whatever else it asks the system for is refused with an error, which
//! in most languages is an exception. Nothing here needs root, namespaces or a C library of its own.
//!
//! Three layers, of which each holds where another has a gap:
//!
//! | layer | what it refuses |
//! |---|---|
//! | Landlock | reading and writing files by path, TCP, signals and abstract sockets to others |
//! | seccomp | every system call that is not on a list, whatever it would act on |
//! | limits | memory, CPU time, open files, the size of a file, core dumps, processes |
//!
//! On other systems than Linux on x86-64 and `AArch64` nothing is available, and [`prepare`] says so.

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "linux/mod.rs"]
mod system;

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[path = "elsewhere.rs"]
mod system;

mod flag;

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

pub use flag::Flag;

/// What a process keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Files and whole folders that it may read. `/dev/null` may be read and written besides.
    pub readable: Vec<PathBuf>,
    /// Folders whose names it may list, with those below them. Their files are read only where `readable` says so.
    pub listable: Vec<PathBuf>,
    /// `MiB` of address space.
    pub memory: Option<u64>,
    /// Seconds of CPU time of the whole process, from its beginning.
    pub cpu_seconds: Option<u64>,
    /// How many files may be open at a time.
    pub open_files: u64,
    /// The user and group that root becomes. Others stay who they are.
    pub user: Option<u32>,
    /// The process that must be the parent; this one ends with it.
    pub parent: Option<u32>,
}

/// One kind of thing that is kept from a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protection {
    /// It reads no files but those allowed.
    Files,
    /// It makes, changes and removes no files.
    Writing,
    /// It opens no sockets.
    Sockets,
    /// It starts no processes, threads or programs.
    Processes,
    /// It sends no signals to others.
    Signals,
    /// It neither traces others nor touches their memory.
    Tracing,
    /// It brings no machine code of its own, so no library either.
    Code,
    /// It calls the system by a list of allowed calls only.
    SystemCalls,
    /// Its memory is limited.
    Memory,
    /// It is not root.
    User,
    /// The memory of the library that locks it stays where it is, with the rights that it has.
    Sealing,
}

impl Protection {
    /// All of them, in the order in which they are listed to people.
    pub const ALL: [Self; 11] = [
        Self::Files,
        Self::Writing,
        Self::Sockets,
        Self::Processes,
        Self::Signals,
        Self::Tracing,
        Self::Code,
        Self::SystemCalls,
        Self::Memory,
        Self::User,
        Self::Sealing,
    ];

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Writing => "writing",
            Self::Sockets => "sockets",
            Self::Processes => "processes",
            Self::Signals => "signals",
            Self::Tracing => "tracing",
            Self::Code => "machine code",
            Self::SystemCalls => "system calls",
            Self::Memory => "memory",
            Self::User => "user",
            Self::Sealing => "sealing",
        }
    }
}

/// How much of a jail there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// What is enforced.
    pub enforced: Vec<Protection>,
    /// What was asked for and this system cannot do.
    pub missing: Vec<Protection>,
    /// The version of Landlock's interface that the kernel has, 0 where it has none.
    pub landlock: u32,
}

/// Why a process was not locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JailError(pub String);

impl fmt::Display for JailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for JailError {}

/// What [`Prepared::lock`] would get here for a policy that asks for all it can. Locks nothing.
#[must_use]
pub fn available() -> Level {
    system::available()
}

/// Does all of it that can be refused, while nothing is given up yet.
///
/// # Errors
///
/// Where there is no jail at all, where the process has more than one thread (a thread may keep what
/// another gives up), where a path cannot be opened, where the parent is another process, and where less
/// memory is allowed than is in use.
pub fn prepare(policy: &Policy) -> Result<Prepared<'_>, JailError> {
    system::prepare(policy).map(Prepared)
}

/// A process that is about to be locked.
pub struct Prepared<'a>(system::Prepared<'a>);

impl Prepared<'_> {
    /// Takes the rights of this process away, but for those of the policy, and says which it could.
    ///
    /// # Errors
    ///
    /// Where the system refuses what it always grants. Then some rights are gone and others are not: such a
    /// process had better end.
    pub fn lock(self) -> Result<Level, JailError> {
        self.0.lock()
    }
}

//! Locking the process; `isolation_fast.jail` checks and documents the arguments.

use std::path::PathBuf;
use std::sync::OnceLock;

use isolation_jail::{JailError, Level, Policy, Protection};
use pyo3::prelude::*;

use crate::engine_lock;
use crate::errors::Result;

/// What is enforced, what is missing, the version of Landlock's interface.
type LevelTuple = (Vec<&'static str>, Vec<&'static str>, u32);

/// What this process got when it was locked.
static GOT: OnceLock<Level> = OnceLock::new();

/// What this system could do; in a locked process, which cannot ask any more, what it got. Locks nothing.
#[pyfunction]
pub(crate) fn jail_available() -> LevelTuple {
    GOT.get().map_or_else(|| as_tuple(&isolation_jail::available()), as_tuple)
}

/// Locks the process and, unless that `keeps_engine`, the engine before it, so that nothing which fails in between
/// leaves it open.
// Attached throughout: no other thread may start meanwhile.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "all of a policy")]
pub(crate) fn jail_lock_down(
    readable: Vec<PathBuf>,
    listable: Vec<PathBuf>,
    memory: Option<u64>,
    cpu_seconds: Option<u64>,
    open_files: u64,
    user: Option<u32>,
    parent: Option<u32>,
    keeps_engine: bool,
) -> Result<LevelTuple> {
    if is_locked() {
        return Err(JailError("this process is locked already".to_owned()).into());
    }
    let policy = Policy { readable, listable, memory, cpu_seconds, open_files, user, parent };
    let ready = isolation_jail::prepare(&policy)?;
    if !keeps_engine {
        engine_lock::lock()?;
    }
    let level = ready.lock()?;
    Ok(as_tuple(GOT.get_or_init(|| level)))
}

/// Whether the process was locked.
#[pyfunction]
pub(crate) fn is_locked() -> bool {
    engine_lock::is_locked() || GOT.get().is_some()
}

fn as_tuple(level: &Level) -> LevelTuple {
    let words = |all: &[Protection]| all.iter().map(|each| each.as_str()).collect();
    (words(&level.enforced), words(&level.missing), level.landlock)
}

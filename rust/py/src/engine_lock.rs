//! Who may use the engine: everybody, until the process is locked.
//!
//! In a jail the code of a submission runs beside ours, and must not borrow our search or heuristics. So each
//! entry from Python asks here first. What the process does for its referee goes below the entries. The
//! board's methods are no entries: they are what a submission has to work with.

use isolation_jail::{Flag, JailError};
use pyo3::prelude::*;

use crate::errors::{Error, Result};

// No write to the memory of the process unlocks it.
static LOCKED: Flag = Flag::new();

/// Locks the engine, for good.
pub(crate) fn lock() -> Result<(), JailError> {
    LOCKED.set()
}

pub(crate) fn is_locked() -> bool {
    LOCKED.is_set()
}

/// Refuses what a function of that name would do, where the engine is locked.
#[inline]
pub(crate) fn require_free(function: &str) -> Result<()> {
    if is_locked() { Err(Error::Locked(function.to_owned())) } else { Ok(()) }
}

/// The same for what is written in Python.
#[pyfunction]
pub(crate) fn require_free_engine(function: &str) -> Result<()> {
    require_free(function)
}

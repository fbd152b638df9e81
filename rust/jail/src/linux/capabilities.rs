//! Capabilities: the rights of root, one by one. A process that is no root has none of them once it is locked,
//! or one where it could not read what it is to read: root's Python often lies where nobody else may go.
//!
//! ```text
//!  /root                       drwx------    nobody else may pass
//!  /root/.pyenv/.../os.py      -rw-r--r--    so another user cannot import it, though Landlock allows it
//! ```
//!
//! That one lets it read whatever the modes of files say. Which files those are is Landlock's matter, which asks
//! for no capability; and opening files without a path, which it allows too, is on no list of calls. Where either
//! is missing it is not kept.

use std::path::{Path, PathBuf};

use caps::{CapSet, Capability, CapsHashSet};
use nix::errno::Errno;
use nix::sys::prctl;
use nix::unistd::{AccessFlags, access};

use super::failed;
use crate::JailError;

const READING: Capability = Capability::CAP_DAC_READ_SEARCH;

/// Lets them outlive the change to another user, which would else take all of them.
pub(super) fn keep_for_another_user() {
    // Where it cannot be, nothing is kept, and the reader of a file reports that it cannot.
    let _ = prctl::set_keepcaps(true);
}

/// Gives up all of them, but for reading what is allowed where modes forbid it, if something else holds that.
pub(super) fn give_up(readable: &[PathBuf], is_held: bool) -> Result<(), JailError> {
    let give_up = |error: &dyn std::error::Error| failed("give up capabilities", error);
    let _ = prctl::set_keepcaps(false);
    caps::clear(None, CapSet::Effective).map_err(|error| give_up(&error))?;
    let permitted = caps::read(None, CapSet::Permitted).map_err(|error| give_up(&error))?;
    let mut kept = CapsHashSet::new();
    if is_held && permitted.contains(&READING) && readable.iter().any(|path| is_forbidden(path)) {
        kept.insert(READING);
    }
    // In this order: a set may hold what the one before it holds.
    caps::set(None, CapSet::Permitted, &kept).map_err(|error| give_up(&error))?;
    caps::set(None, CapSet::Effective, &kept).map_err(|error| give_up(&error))?;
    caps::clear(None, CapSet::Inheritable).map_err(|error| give_up(&error))
}

/// Whether the modes on the way forbid it. The question is answered as for a process without capabilities.
fn is_forbidden(path: &Path) -> bool {
    let to_enter = if path.is_dir() { AccessFlags::X_OK } else { AccessFlags::empty() };
    access(path, AccessFlags::R_OK | to_enter) == Err(Errno::EACCES)
}

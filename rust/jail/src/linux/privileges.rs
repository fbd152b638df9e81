//! Who the process is, and what it is to others.

use std::fs;

use nix::sys::personality::{self, Persona};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{Gid, Uid, getgroups, getppid, getresuid, setgroups, setresgid, setresuid};

use super::{capabilities, failed};
use crate::JailError;

/// Bits of the kernel's set of capabilities: `CAP_KILL`, `CAP_SETGID` and `CAP_SETUID`. Who started the process has
/// the same ones, and without the first could not end it once it is another user.
const TO_BECOME_ANOTHER: u64 = 1 << 5 | 1 << 6 | 1 << 7;

/// What `/proc/self/status` says after a word; nothing where it does not say.
pub(super) fn status_of_this_process(word: &str) -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(word));
    line.unwrap_or_default().trim().to_owned()
}

/// Whether the process is no root, or could be another user.
pub(super) fn can_be_dropped() -> bool {
    let capable = u64::from_str_radix(&status_of_this_process("CapEff:"), 16).unwrap_or(0);
    is_unprivileged() || capable & TO_BECOME_ANOTHER == TO_BECOME_ANOTHER
}

fn is_unprivileged() -> bool {
    getresuid().is_ok_and(|ids| ![ids.real, ids.effective, ids.saved].contains(&Uid::from_raw(0)))
}

/// Makes root another user, and says whether the process is root no more. In a container whose root may not
/// become another user, or not end one, it stays root.
pub(super) fn drop_to(user: Option<u32>) -> bool {
    if let (false, true, Some(user)) = (is_unprivileged(), can_be_dropped(), user) {
        let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
        // Groups first: only root may. Where they may not be given up, none is left to give up.
        let without_groups = setgroups(&[]).is_ok() || getgroups().is_ok_and(|all| all.is_empty());
        if without_groups && setresgid(gid, gid, gid).is_ok() {
            capabilities::keep_for_another_user();
            let _ = setresuid(uid, uid, uid);
        }
    }
    is_unprivileged()
}

pub(super) fn require_parent(parent: Option<u32>) -> Result<(), JailError> {
    let (Some(wanted), Ok(found)) = (parent, u32::try_from(getppid().as_raw())) else {
        return Ok(());
    };
    if wanted != found {
        return Err(JailError(format!(
            "process {wanted} should be the parent of this one, whose parent is process {found}"
        )));
    }
    Ok(())
}

/// Ends the process with its parent; with the thread of the parent that started it, to be exact.
pub(super) fn bind_to_parent(parent: Option<u32>) -> Result<(), JailError> {
    if parent.is_some() {
        let sent = prctl::set_pdeathsig(Signal::SIGKILL);
        sent.map_err(|error| failed("ask for an end with the parent", &error))?;
    }
    // It may have ended just before.
    require_parent(parent)
}

/// No core dump, no tracing by processes of the same user, and no rights by programs that give some.
pub(super) fn close_to_others() -> Result<(), JailError> {
    // Where this is on, all memory that can be read can be executed.
    let persona = personality::get().unwrap_or(Persona::empty());
    if persona.contains(Persona::READ_IMPLIES_EXEC) {
        let without = personality::set(persona.difference(Persona::READ_IMPLIES_EXEC));
        without.map_err(|error| failed("make memory that can be read no code", &error))?;
    }
    prctl::set_dumpable(false).map_err(|error| failed("forbid core dumps", &error))?;
    prctl::set_no_new_privs().map_err(|error| failed("forbid new privileges", &error))
}

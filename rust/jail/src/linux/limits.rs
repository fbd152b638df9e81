//! Limits of resources. They never rise again: the hard limit is set with the soft one.

use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};

use super::failed;
use crate::{JailError, Policy};

const MIB: u64 = 1 << 20;

/// An allowance that is spent already would be no limit but a defect: nothing could be said any more.
pub(super) fn require_memory(mib: Option<u64>) -> Result<(), JailError> {
    let Some(mib) = mib else { return Ok(()) };
    let used = bytes_in_use();
    if mib.saturating_mul(MIB) <= used {
        return Err(JailError(format!(
            "memory is limited to {mib} MiB of address space, of which this process uses {} already",
            used.div_ceil(MIB)
        )));
    }
    Ok(())
}

/// The address space of this process, 0 where the system does not say.
fn bytes_in_use() -> u64 {
    let kib = super::privileges::status_of_this_process("VmSize:");
    kib.split_whitespace().next().and_then(|kib| kib.parse().ok()).unwrap_or(0) * 1024
}

pub(super) fn set(policy: &Policy) -> Result<(), JailError> {
    if let Some(mib) = policy.memory {
        limit(Resource::RLIMIT_AS, mib.saturating_mul(MIB), 0)?;
    }
    if let Some(seconds) = policy.cpu_seconds {
        // The first second over it brings a signal that tells why, which can be ignored; the next one the end.
        limit(Resource::RLIMIT_CPU, seconds, 1)?;
    }
    limit(Resource::RLIMIT_NOFILE, policy.open_files, 0)?;
    limit(Resource::RLIMIT_FSIZE, 0, 0)?;
    limit(Resource::RLIMIT_CORE, 0, 0)?;
    // Root is not held by it, but will be another user or is held by the filter of calls.
    limit(Resource::RLIMIT_NPROC, 0, 0)
}

fn limit(resource: Resource, soft: rlim_t, above: rlim_t) -> Result<(), JailError> {
    let what = || format!("limit {resource:?} to {soft}");
    let (_, hard) = getrlimit(resource).map_err(|error| failed(&what(), &error))?;
    let most = soft.saturating_add(above).min(hard);
    setrlimit(resource, soft.min(most), most).map_err(|error| failed(&what(), &error))
}

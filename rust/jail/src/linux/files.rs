//! Landlock: which files may be read by their paths.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fs, ptr};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

use super::failed;
use crate::JailError;

/// All rights of this version are asked for, by best effort: older kernels leave out what they do not know.
const NEWEST: ABI = ABI::V9;
/// The first version that knows of signals and abstract sockets.
pub(super) const WITH_SIGNALS: u32 = 6;
/// The first version that refuses to cut a file that may be read only.
pub(super) const WITH_TRUNCATION: u32 = 3;

/// The version of the kernel's interface, 0 where it has none.
#[allow(unsafe_code, reason = "the crate does not tell before a process is restricted")]
pub(super) fn landlock_version() -> u32 {
    const VERSION_ALONE: u32 = 1;
    // SAFETY: with this flag the call reads no memory and changes nothing.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, ptr::null::<()>(), 0_usize, VERSION_ALONE)
    };
    u32::try_from(version).unwrap_or(0)
}

/// What may be read, every path of it open.
pub(super) struct Rules(RulesetCreated);

impl Rules {
    pub(super) fn new(readable: &[PathBuf], listable: &[PathBuf]) -> Result<Self, JailError> {
        let mut rules = none().map_err(|error| failed("make rules of Landlock", &error))?;
        for path in readable {
            let what = || format!("allow {} to be read", path.display());
            let whole = fs::metadata(path).map_err(|error| failed(&what(), &error))?.is_dir();
            // Without the right to execute: a program is no file to be read.
            let mut rights: BitFlags<AccessFs> = AccessFs::ReadFile.into();
            if whole {
                rights |= AccessFs::ReadDir;
            }
            rules = with_rule(rules, path, rights).map_err(|error| failed(&what(), &*error))?;
        }
        for path in listable {
            rules = with_rule(rules, path, AccessFs::ReadDir.into()).map_err(|error| {
                failed(&format!("allow {} to be listed", path.display()), &*error)
            })?;
        }
        Ok(Self(rules))
    }

    /// From here on nothing else can be opened. Says whether the kernel does it.
    pub(super) fn enforce(self) -> Result<bool, JailError> {
        let status = self.0.restrict_self().map_err(|error| failed("enforce Landlock", &error))?;
        Ok(status.ruleset != RulesetStatus::NotEnforced)
    }
}

fn with_rule(
    rules: RulesetCreated,
    path: &Path,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, Box<dyn Error>> {
    Ok(rules.add_rule(PathBeneath::new(PathFd::new(path)?, rights))?)
}

/// Rules by which nothing is allowed but `/dev/null`.
fn none() -> Result<RulesetCreated, RulesetError> {
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let Ok(null) = PathFd::new("/dev/null") else { return Ok(rules) };
    // Opening it for writing asks to cut it too, which Python's "w" does.
    let rights = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
    rules.add_rule(PathBeneath::new(null, rights))
}

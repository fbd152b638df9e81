//! Where there is no jail.

use std::sync::atomic::AtomicU8;

use crate::{JailError, Level, Policy, Protection};

pub(crate) fn available() -> Level {
    Level { enforced: Vec::new(), missing: Protection::ALL.to_vec(), landlock: 0 }
}

pub(crate) fn prepare(_: &Policy) -> Result<Prepared<'_>, JailError> {
    Err(JailError("there is no jail on this system: not available".to_owned()))
}

/// Nobody is kept from anything here.
#[allow(clippy::unnecessary_wraps, reason = "as in the other systems")]
pub(crate) fn make_read_only(_: &[AtomicU8]) -> Result<(), JailError> {
    Ok(())
}

/// There is none.
pub(crate) struct Prepared<'a>(std::convert::Infallible, std::marker::PhantomData<&'a ()>);

impl Prepared<'_> {
    pub(crate) fn lock(self) -> Result<Level, JailError> {
        match self.0 {}
    }
}

//! A flag in memory that can only be read once it is set.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::JailError;
use crate::system::make_read_only;

/// The largest page of the systems that have a jail.
const PAGE: usize = if cfg!(target_arch = "x86_64") { 4096 } else { 65536 };

/// A flag that is set once, for good: the system ends a process that writes to it from then on.
///
/// Python code can write anywhere in its process's memory, by ctypes or by arrays of numpy that leave their
/// bounds. What keeps such code from something is not to be a byte that it may change.
// Twice as long as a page: wherever it lies, a whole page is in it.
pub struct Flag([AtomicU8; 2 * PAGE]);

impl Flag {
    /// One that is not set.
    #[must_use]
    pub const fn new() -> Self {
        Self([const { AtomicU8::new(0) }; 2 * PAGE])
    }

    /// Whether it is set.
    #[must_use]
    #[inline]
    pub fn is_set(&self) -> bool {
        self.page()[0].load(Ordering::Relaxed) != 0
    }

    /// Sets it.
    ///
    /// # Errors
    ///
    /// Where the system does not protect its memory. It is set then, too.
    pub fn set(&'static self) -> Result<(), JailError> {
        if self.is_set() {
            return Ok(());
        }
        self.page()[0].store(1, Ordering::Relaxed);
        make_read_only(self.page())
    }

    fn page(&self) -> &[AtomicU8] {
        let start = self.0.as_ptr().align_offset(PAGE);
        &self.0[start..start + PAGE]
    }
}

impl Default for Flag {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::Flag;

    static FLAG: Flag = Flag::new();

    #[test]
    fn a_flag_that_is_set_lies_where_nothing_is_written() {
        assert!(!FLAG.is_set());
        FLAG.set().expect("its memory can be protected");
        assert!(FLAG.is_set());
        FLAG.set().expect("it is set already");
        let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else { return };
        let address = FLAG.page().as_ptr().addr();
        let holds = |line: &&str| {
            let (start, end) = line.split(' ').next()?.split_once('-')?;
            let number = |text| usize::from_str_radix(text, 16).ok();
            Some((number(start)?..number(end)?).contains(&address))
        };
        let line = maps.lines().find(|line| holds(line) == Some(true)).expect("it is mapped");
        assert_eq!(line.split(' ').nth(1), Some("r--p"));
    }
}

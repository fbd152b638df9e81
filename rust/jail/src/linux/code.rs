//! Memory that can be written and executed: there is none in a locked process.
//!
//! The filter of calls lets no memory become executable any more. But some is before: ctypes loads libffi, which
//! keeps a page for callbacks to which machine code is written, by anybody who knows how.

use std::fs;

use libc::{PROT_READ, PROT_WRITE, c_int, c_void};

use super::failed;
use crate::JailError;

/// Takes the right to execute from memory that can be written. A callback that was made before crashes the
/// process when it is called; one that is made later is refused anyway.
pub(super) fn make_written_memory_no_code() -> Result<(), JailError> {
    let maps = fs::read_to_string("/proc/self/maps");
    let maps =
        maps.map_err(|error| failed("see what of the memory is code, by /proc/self/maps", &error))?;
    for (start, end) in maps.lines().filter_map(written_code) {
        if without_execution(start, end - start) != 0 {
            let error = std::io::Error::last_os_error();
            return Err(failed("make memory that can be written no code", &error));
        }
    }
    Ok(())
}

/// Where a piece of memory begins and ends, if it can be both written and executed.
fn written_code(line: &str) -> Option<(usize, usize)> {
    let mut words = line.split_whitespace();
    let (range, rights) = (words.next()?, words.next()?);
    if !(rights.contains('w') && rights.contains('x')) {
        return None;
    }
    let (start, end) = range.split_once('-')?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    Some((address(start)?, address(end)?))
}

#[allow(unsafe_code, reason = "no library offers this as safe: it can end the process")]
fn without_execution(start: usize, length: usize) -> c_int {
    let start = std::ptr::without_provenance_mut::<c_void>(start);
    // SAFETY: no memory comes or goes and no value changes; of our own code none lies in such memory.
    unsafe { libc::mprotect(start, length, PROT_READ | PROT_WRITE) }
}

#[cfg(test)]
mod tests {
    use super::written_code;

    #[test]
    fn only_what_can_be_written_and_executed_is_found() {
        let page = |rights| format!("7f08281d6000-7f08281d7000 {rights} 00000000 00:00 0 \n");
        assert_eq!(written_code(&page("rwxp")), Some((0x7f08_281d_6000, 0x7f08_281d_7000)));
        for rights in ["r-xp", "rw-p", "---p"] {
            assert_eq!(written_code(&page(rights)), None);
        }
    }
}

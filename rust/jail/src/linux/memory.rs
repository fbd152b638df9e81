//! The rights of memory. In a locked process none can be written and executed.
//!
//! The filter of calls lets no memory become executable any more. But some is before: ctypes loads libffi, which
//! keeps a page for callbacks to which machine code is written, by anybody who knows how. Where a system refuses it
//! such a page, it maps one file twice, to write to the one and execute the other.

use std::fs;
use std::sync::atomic::AtomicU8;

use libc::{PROT_READ, PROT_WRITE, c_int, c_void};

use super::failed;
use crate::JailError;

/// Seals memory: it can be neither unmapped nor made writable again. Linux knows it since 6.10.
const SYS_MSEAL: libc::c_long = 462;

/// Lets whole pages only be read from now on, and for good where the kernel can seal them.
#[allow(unsafe_code, reason = "no library offers this as safe: a write to them ends the process")]
pub(crate) fn make_read_only(pages: &'static [AtomicU8]) -> Result<(), JailError> {
    let (start, length) = (pages.as_ptr().cast_mut().cast::<c_void>(), pages.len());
    // SAFETY: they stay mapped with their values, and the flag in them is written once, before.
    if unsafe { libc::mprotect(start, length, PROT_READ) } != 0 {
        let error = std::io::Error::last_os_error();
        return Err(failed("make memory read-only", &error));
    }
    // SAFETY: as above; a kernel that does not know the call refuses it.
    let _ = unsafe { libc::syscall(SYS_MSEAL, start, length, 0) };
    Ok(())
}

/// Takes the right to execute from memory that can be written. A callback that was made before crashes the
/// process when it is called; one that is made later is refused anyway.
pub(super) fn make_written_memory_no_code() -> Result<(), JailError> {
    let maps = fs::read_to_string("/proc/self/maps");
    let maps =
        maps.map_err(|error| failed("see what of the memory is code, by /proc/self/maps", &error))?;
    for piece in maps.lines().filter_map(written_code) {
        if without_execution(&piece) != 0 {
            let error = std::io::Error::last_os_error();
            return Err(failed("make memory that can be written no code", &error));
        }
    }
    Ok(())
}

/// A piece of memory that can be both written and executed, there or where it is mapped once more.
#[derive(Debug, PartialEq, Eq)]
struct Piece {
    start: usize,
    end: usize,
    /// What it keeps.
    rights: c_int,
}

fn written_code(line: &str) -> Option<Piece> {
    let mut words = line.split_whitespace();
    let (range, rights) = (words.next()?, words.next()?);
    let (written, shared) = (rights.contains('w'), rights.contains('s'));
    if !(rights.contains('x') && (written || shared)) {
        return None;
    }
    let (start, end) = range.split_once('-')?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    // What could not be written need not be allowed to be.
    let rights = if written { PROT_READ | PROT_WRITE } else { PROT_READ };
    Some(Piece { start: address(start)?, end: address(end)?, rights })
}

#[allow(unsafe_code, reason = "no library offers this as safe: it can end the process")]
fn without_execution(piece: &Piece) -> c_int {
    let start = std::ptr::without_provenance_mut::<c_void>(piece.start);
    // SAFETY: no memory comes or goes and no value changes; of our own code none lies in such memory.
    unsafe { libc::mprotect(start, piece.end - piece.start, piece.rights) }
}

#[cfg(test)]
mod tests {
    use super::{PROT_READ, PROT_WRITE, Piece, written_code};

    #[test]
    fn only_what_can_be_written_and_executed_is_found() {
        let page = |rights| format!("7f08281d6000-7f08281d7000 {rights} 00000000 00:00 0 \n");
        let (start, end) = (0x7f08_281d_6000, 0x7f08_281d_7000);
        for (rights, kept) in [
            ("rwxp", PROT_READ | PROT_WRITE),
            ("rwxs", PROT_READ | PROT_WRITE),
            ("r-xs", PROT_READ),
        ] {
            assert_eq!(written_code(&page(rights)), Some(Piece { start, end, rights: kept }));
        }
        for rights in ["r-xp", "rw-p", "rw-s", "---p"] {
            assert_eq!(written_code(&page(rights)), None);
        }
    }
}

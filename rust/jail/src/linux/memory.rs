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

/// Whether the kernel can seal memory.
#[allow(unsafe_code, reason = "no library offers this")]
pub(super) fn can_be_sealed() -> bool {
    // SAFETY: nothing is sealed by it.
    unsafe { libc::syscall(SYS_MSEAL, 0_usize, 0_usize, 0_usize) == 0 }
}

/// Seals all that is mapped of the library in which this is, text and data: it can be neither moved nor
/// replaced, and keeps its rights. Says whether the kernel does it.
pub(super) fn seal_ours() -> bool {
    let own = (seal_ours as fn() -> bool as *const c_void).addr();
    fs::read_to_string("/proc/self/maps").is_ok_and(|maps| {
        let pieces = of_the_file_at(own, &maps);
        !pieces.is_empty() && pieces.into_iter().all(|(start, end)| is_sealed(start, end))
    })
}

#[allow(unsafe_code, reason = "no library offers this")]
fn is_sealed(start: usize, end: usize) -> bool {
    let place = std::ptr::without_provenance_mut::<c_void>(start);
    // SAFETY: no memory comes or goes and no value changes.
    unsafe { libc::syscall(SYS_MSEAL, place, end - start, 0) == 0 }
}

/// Where the file is mapped whose code is at that address, and what follows it without a gap or a name: its data
/// that begins as zeros.
fn of_the_file_at(address: usize, maps: &str) -> Vec<(usize, usize)> {
    let pieces: Vec<_> = maps.lines().filter_map(piece).collect();
    let holds = |found: &&(usize, usize, &str)| (found.0..found.1).contains(&address);
    let Some(&(_, _, file)) = pieces.iter().find(holds) else { return Vec::new() };
    let mut ours = Vec::new();
    let mut end_of_ours = None;
    for (start, end, name) in pieces {
        if name == file || (name.is_empty() && end_of_ours == Some(start)) {
            ours.push((start, end));
            end_of_ours = Some(end);
        }
    }
    ours
}

/// A line of the map: where a piece begins and ends, and its file.
fn piece(line: &str) -> Option<(usize, usize, &str)> {
    let (range, rest) = line.split_once(' ')?;
    let (start, end) = range.split_once('-')?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    // Four words, with any number of blanks after the last.
    let file = rest.splitn(5, ' ').nth(4).map_or("", str::trim);
    Some((address(start)?, address(end)?, file))
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
    use super::{PROT_READ, PROT_WRITE, Piece, of_the_file_at, written_code};

    #[test]
    fn all_of_a_file_is_found_with_the_zeros_behind_it() {
        let maps = "1000-2000 r--p 00000000 08:01 7          /a b.so\n\
                    2000-4000 r-xp 00001000 08:01 7          /a b.so\n\
                    4000-5000 rw-p 00003000 08:01 7          /a b.so\n\
                    5000-6000 rw-p 00000000 00:00 0 \n\
                    7000-8000 rw-p 00000000 00:00 0 \n\
                    8000-9000 r-xp 00000000 08:01 9          /other.so\n";
        let ours = vec![(0x1000, 0x2000), (0x2000, 0x4000), (0x4000, 0x5000), (0x5000, 0x6000)];
        assert_eq!(of_the_file_at(0x2abc, maps), ours);
        assert_eq!(of_the_file_at(0x9abc, maps), Vec::new());
    }

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

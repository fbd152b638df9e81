//! What is asked of boards, counted by the price list: in nanoseconds that the reference board takes for it.
//!
//! The engine's board is quicker. A heuristic that asks it pays what the same question takes in Python, so nobody
//! gains by asking where another one computes. Python that writes to the memory of its process can set the count
//! back; it could as well ask no board.

use std::sync::atomic::{AtomicU64, Ordering};

use isolation_core::Size;
use isolation_core::program::prices;

pub(super) const FORECAST: u64 = prices::FORECAST as u64;
pub(super) const COPY: u64 = prices::COPY as u64;
pub(super) const CELL: u64 = prices::CELL as u64;
pub(super) const PLAYER: u64 = prices::PLAYER as u64;
/// No program asks it.
pub(super) const HASH: u64 = 225;

/// A list of so many moves.
#[inline]
pub(super) fn moves(count: usize, size: Size) -> u64 {
    prices::moves(u32::try_from(count).unwrap_or(u32::MAX), size.cells()).into()
}

static ASKED: AtomicU64 = AtomicU64::new(0);

/// Counts one call. Boards are asked with the interpreter held, so a load and a store will do, which cost nothing.
#[inline]
pub(super) fn count(nanoseconds: u64) {
    ASKED.store(ASKED.load(Ordering::Relaxed).wrapping_add(nanoseconds), Ordering::Relaxed);
}

/// All of it since the process began.
pub(crate) fn so_far() -> u64 {
    ASKED.load(Ordering::Relaxed)
}

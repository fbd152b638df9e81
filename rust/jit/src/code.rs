//! Machine code in memory: written, then made executable and never written again.

use std::io;

use memmap2::{Mmap, MmapMut};

/// Each function starts at a multiple of this.
const ALIGNMENT: usize = 32;

/// The functions of a program as machine code. Its memory goes when it is dropped.
#[derive(Debug)]
pub(crate) struct Code {
    memory: Mmap,
    starts: Vec<usize>,
}

impl Code {
    /// Copies the functions into memory of their own and makes that executable.
    pub(crate) fn place(functions: &[Vec<u8>]) -> io::Result<Self> {
        let mut starts = Vec::with_capacity(functions.len());
        let mut length = 0;
        for function in functions {
            starts.push(length);
            length += function.len().next_multiple_of(ALIGNMENT);
        }
        let mut memory = MmapMut::map_anon(length.max(1))?;
        for (function, &start) in functions.iter().zip(&starts) {
            memory[start..start + function.len()].copy_from_slice(function);
        }
        let memory = memory.make_exec()?;
        make_visible(&memory)?;
        Ok(Self { memory, starts })
    }

    /// Where a function starts.
    pub(crate) fn address(&self, function: usize) -> *const u8 {
        self.memory[self.starts[function]..].as_ptr()
    }
}

/// Lets the processor see new instructions, where it does not look for them by itself.
#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code, reason = "the address and the length are those of one mapping")]
fn make_visible(memory: &Mmap) -> io::Result<()> {
    use wasmtime_internal_jit_icache_coherence::{clear_cache, pipeline_flush_mt};

    // SAFETY: the range is mapped, and nothing of it runs yet.
    unsafe { clear_cache(memory.as_ptr().cast(), memory.len()) }.map_err(io::Error::other)?;
    pipeline_flush_mt().map_err(io::Error::other)
}

#[cfg(not(target_arch = "aarch64"))]
#[allow(clippy::unnecessary_wraps, reason = "the same signature as on processors that need more")]
fn make_visible(_: &Mmap) -> io::Result<()> {
    Ok(())
}

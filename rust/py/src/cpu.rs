//! Refuses a processor that lacks an instruction this library was compiled to use.

use pyo3::PyResult;

/// Raises `ImportError` where the processor does not count bits.
#[cfg(all(target_arch = "x86_64", target_feature = "popcnt"))]
pub(crate) fn require_supported() -> PyResult<()> {
    use pyo3::exceptions::PyImportError;
    use std::arch::x86_64::__cpuid;

    // Asked of the processor itself: `is_x86_feature_detected!` answers "yes" at compile time for
    // what the build was told to use. Bit 23 of ECX of leaf 1 is POPCNT.
    const POPCNT: u32 = 1 << 23;
    if __cpuid(1).ecx & POPCNT == 0 {
        return Err(PyImportError::new_err(
            "isolation_fast was built for x86-64 processors with the POPCNT instruction, which \
             this one lacks; build it from source with RUSTFLAGS=-Ctarget-cpu=native",
        ));
    }
    Ok(())
}

/// Every processor of this architecture has what the library uses.
#[cfg(not(all(target_arch = "x86_64", target_feature = "popcnt")))]
#[allow(clippy::unnecessary_wraps, reason = "the same signature as where it can fail")]
pub(crate) fn require_supported() -> PyResult<()> {
    Ok(())
}

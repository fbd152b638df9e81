//! `==` between players, quickly where nobody has redefined it.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// What Python's `left == right` says. May run any code.
pub(crate) fn equal(left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>) -> PyResult<bool> {
    if compares_by_identity(left) && compares_by_identity(right) {
        return Ok(left.is(right));
    }
    left.eq(right)
}

/// Whether the two are surely equal, found without running any code. False proves nothing.
pub(crate) fn surely_equal(left: &Bound<'_, PyAny>, right: &Py<PyAny>) -> bool {
    left.as_ptr() == right.as_ptr()
        && (compares_by_identity(left) || left.is_exact_instance_of::<PyString>())
}

/// Whether the two surely differ, found without running any code. False proves nothing.
pub(crate) fn surely_different(left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>) -> bool {
    left.as_ptr() != right.as_ptr() && compares_by_identity(left) && compares_by_identity(right)
}

/// Whether an object's type inherits `object.__eq__`: then equal means identical. It saves a call
/// through the interpreter for each question about a player, half the time of such a question.
fn compares_by_identity(value: &Bound<'_, PyAny>) -> bool {
    // SAFETY: both are living types, and the slot is only compared, never called.
    #[allow(unsafe_code, reason = "the slots of a type have no safe accessor")]
    let (own, inherited) =
        unsafe { ((*value.get_type_ptr()).tp_richcompare, ffi::PyBaseObject_Type.tp_richcompare) };
    own.map(|compare| compare as usize) == inherited.map(|compare| compare as usize)
}

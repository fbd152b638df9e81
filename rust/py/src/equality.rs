//! `==` between players, quickly where nobody has redefined it.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// What Python's `left == right` says. May run any code.
pub(crate) fn equal(left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>) -> PyResult<bool> {
    match known(left, right) {
        Some(equal) => Ok(equal),
        None => left.eq(right),
    }
}

/// The same where it is known without running any code: both are plain strings or objects whose class
/// has no `__eq__` of its own. It saves a call through the interpreter for each question about a
/// player, half the time of such a question.
pub(crate) fn known(left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>) -> Option<bool> {
    let text = |value: &Bound<'_, PyAny>| value.is_exact_instance_of::<PyString>();
    if left.is(right) {
        return (compares_by_identity(left) || text(left)).then_some(true);
    }
    match (compares_by_identity(left), compares_by_identity(right)) {
        (true, true) => Some(false),
        (true, false) => text(right).then_some(false),
        (false, true) => text(left).then_some(false),
        (false, false) if text(left) && text(right) => left.eq(right).ok(),
        (false, false) => None,
    }
}

/// Whether an object's type inherits `object.__eq__`: then equal means identical.
fn compares_by_identity(value: &Bound<'_, PyAny>) -> bool {
    // SAFETY: both are living types, and the slot is only compared, never called.
    #[allow(unsafe_code, reason = "the slots of a type have no safe accessor")]
    let (own, inherited) =
        unsafe { ((*value.get_type_ptr()).tp_richcompare, ffi::PyBaseObject_Type.tp_richcompare) };
    own.map(|compare| compare as usize) == inherited.map(|compare| compare as usize)
}

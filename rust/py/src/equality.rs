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
    let comparison = |class: *mut ffi::PyTypeObject| {
        // SAFETY: the pointer is to a living type, and the slot is only compared, never called.
        #[allow(unsafe_code, reason = "the slot of a type has no safe accessor")]
        unsafe {
            ffi::PyType_GetSlot(class, ffi::Py_tp_richcompare)
        }
    };
    comparison(value.get_type_ptr()) == comparison(&raw mut ffi::PyBaseObject_Type)
}

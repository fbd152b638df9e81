//! What Python functions answer in the place of heuristics: numbers, and errors that say where.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFloat, PyInt, PyList, PyTuple, PyType};

use crate::errors::{Error, shown};

fn name_of(function: &Bound<'_, PyAny>) -> String {
    let name = function.getattr("__name__").or_else(|_| function.repr().map(Bound::into_any));
    name.map_or_else(|_| "<unnamed>".to_owned(), |name| format!("`{name}`"))
}

/// Says in a note of the exception where it happened, and leaves it otherwise as it is.
pub(crate) fn annotated(error: PyErr, function: &Bound<'_, PyAny>, position: &str) -> PyErr {
    const BEGINNING: &str = "raised by heuristic";
    let note = format!("{BEGINNING} {} for {position:?}", name_of(function));
    // What `add_note` does, which Python 3.10 does not have. An exception that takes no attribute
    // goes without.
    let value = error.value(function.py());
    let notes = value.getattr("__notes__").or_else(|_| {
        let notes = PyList::empty(value.py()).into_any();
        value.setattr("__notes__", &notes).map(|()| notes)
    });
    let _ = notes.and_then(|notes| {
        // One that is raised again and again says the last place only.
        let last = notes.len()?.wrapping_sub(1);
        match notes.get_item(last) {
            Ok(said) if said.str()?.to_string_lossy().starts_with(BEGINNING) => {
                notes.set_item(last, note)
            }
            _ => notes.call_method1("append", (note,)).map(drop),
        }
    });
    error
}

/// The answer of a heuristic as a number; an error for NaN too.
pub(crate) fn as_number(
    function: &Bound<'_, PyAny>,
    answer: &Bound<'_, PyAny>,
    position: impl FnOnce() -> String,
) -> PyResult<f64> {
    required(real_number(answer)?, function, answer, position)
}

pub(crate) fn required(
    number: Option<f64>,
    function: &Bound<'_, PyAny>,
    answer: &Bound<'_, PyAny>,
    position: impl FnOnce() -> String,
) -> PyResult<f64> {
    let is_nan = number.is_some_and(f64::is_nan);
    if let (Some(number), false) = (number, is_nan) {
        return Ok(number);
    }
    let (heuristic, answer, position) = (name_of(function), shown(answer), position());
    Err(if is_nan {
        Error::Nan { heuristic, answer, position }
    } else {
        Error::Answer { heuristic, answer, position }
    }
    .into())
}

/// The value of an int, a bool, a scalar of numpy, a Fraction: whatever is one real number, or NaN. None
/// for all else: texts, complex numbers, arrays of several.
pub(crate) fn real_number(answer: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    static REAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static COMPLEX: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if let Ok(number) = answer.cast_exact::<PyFloat>() {
        return Ok(Some(number.value()));
    }
    let py = answer.py();
    let real = if answer.is_instance_of::<PyInt>() || answer.is_instance_of::<PyFloat>() {
        true
    } else {
        answer.is_instance(REAL.import(py, "numbers", "Real")?)?
            // Real numbers that are not registered as such: Decimal, numpy.bool, what numpy.where
            // makes of two numbers, which has a `__len__` that it does not answer.
            || (answer.hasattr("__float__")?
                && !answer.is_instance(COMPLEX.import(py, "numbers", "Complex")?)?
                && !answer.is_instance_of::<PyTuple>()
                && answer.len().is_err())
    };
    Ok(if real { answer.extract().ok() } else { None })
}

//! Arguments that may be left out, and for which None is a value.

use pyo3::prelude::*;
use pyo3::types::PyString;

/// What was given, if anything was.
pub(super) struct Given<'py>(pub(super) Option<Bound<'py, PyAny>>);

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(Some(given.to_owned())))
    }
}

impl<'py> Given<'py> {
    pub(super) fn or_name(self, py: Python<'py>, name: &str) -> Py<PyAny> {
        self.0.unwrap_or_else(|| PyString::intern(py, name).into_any()).unbind()
    }

    pub(super) fn or_seven(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0 {
            Some(given) => Ok(given),
            None => Ok(7_u8.into_pyobject(py)?.into_any()),
        }
    }
}

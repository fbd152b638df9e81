//! Python bindings of `isolation-core`.
use pyo3::prelude::*;

#[pymodule]
mod _native {}

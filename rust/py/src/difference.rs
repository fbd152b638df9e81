//! A value of a program that is not its function's: a defect of ours.

use pyo3::prelude::*;

use crate::answers::real_number;
use crate::compiled::Compiled;
use crate::errors::shown;

/// Where a program gave another value than its function.
pub(crate) struct Difference {
    pub(crate) position: String,
    pub(crate) program: f64,
    /// What the function gave, as text.
    pub(crate) function: String,
}

impl Difference {
    /// What differs between the value of a program and what the function answered: any bit does.
    pub(crate) fn between(
        program: f64,
        answer: PyResult<Bound<'_, PyAny>>,
        position: impl FnOnce() -> String,
    ) -> Option<Self> {
        let function = match answer.and_then(|answer| Ok((real_number(&answer)?, answer))) {
            Ok((Some(own), _)) if own.to_bits() == program.to_bits() => return None,
            Ok((_, answer)) => shown(&answer),
            Err(error) => error.to_string(),
        };
        Some(Self { position: position(), program, function })
    }

    /// Ends the use of programs for the function, and warns: the defect is ours.
    pub(crate) fn report(
        self,
        of: &Bound<'_, Compiled>,
        function: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        of.get().turn_off();
        let compiled = function.py().import("isolation_fast.compiled")?;
        let Self { position, program, function: own } = self;
        compiled.call_method1("report_difference", (function, position, program, own)).map(drop)
    }
}

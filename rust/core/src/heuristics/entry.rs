//! Entries of the registry: what a heuristic is called, says and may be told.

use super::endings::{Ending, StuckAware, TerminalAware};
use super::formula::{Code, Formula, TreeFormula};

/// A number that a heuristic's definition leaves open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value in the registered heuristic.
    pub default: f64,
    /// The least value allowed.
    pub lowest: f64,
    /// The largest value allowed.
    pub highest: f64,
}

/// Why there is no such variant.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum VariantError {
    /// Nothing about the heuristic can be changed.
    #[error("{0} has no parameters")]
    NoParameters(String),
    /// It has others.
    #[error("{heuristic} has no parameter {parameter:?}; it has {}", allowed.join(", "))]
    Unknown {
        /// The heuristic's name.
        heuristic: String,
        /// What was given.
        parameter: String,
        /// The parameters that it has.
        allowed: Vec<&'static str>,
    },
    /// NaN, or beyond what is allowed.
    #[error("{} must be from {} to {}, not {value}", .parameter.name, .parameter.lowest, .parameter.highest)]
    OutOfRange {
        /// The parameter.
        parameter: Parameter,
        /// What was given.
        value: f64,
    },
}

/// Makes the code of a heuristic, of the values of its parameters in their order.
type Build = Box<dyn Fn(&[f64]) -> Code + Send + Sync>;

/// A heuristic of the registry, and what its variants have in common with it.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) summary: &'static str,
    pub(super) formula: &'static str,
    /// The report that describes it, and what it calls it, if anything.
    pub(super) source: (Option<&'static str>, Option<&'static str>),
    pub(super) parameters: Vec<Parameter>,
    pub(super) ending: Ending,
    pub(super) build: Build,
}

impl Entry {
    /// A heuristic that looks at nothing but the position, its formula made of its parameters' values.
    pub(super) fn new<F: Formula>(
        name: &str,
        summary: &'static str,
        formula: &'static str,
        ending: Ending,
        make: impl Fn(&[f64]) -> F + Send + Sync + 'static,
    ) -> Self {
        let build: Build = match ending {
            Ending::TerminalAware => {
                Box::new(move |values| Code::Looking(Box::new(TerminalAware(make(values)))))
            }
            Ending::StuckAware => {
                Box::new(move |values| Code::Looking(Box::new(StuckAware(make(values)))))
            }
            Ending::Plain => Box::new(move |values| Code::Looking(Box::new(make(values)))),
        };
        Self::with_build(name, summary, formula, ending, build)
    }

    /// A heuristic that walks the tree below the position. None of them knows an ending.
    pub(super) fn walking<W: TreeFormula>(
        name: &str,
        summary: &'static str,
        formula: &'static str,
        make: impl Fn(&[f64]) -> W + Send + Sync + 'static,
    ) -> Self {
        let build = Box::new(move |values: &[f64]| Code::Walking(Box::new(make(values))));
        Self::with_build(name, summary, formula, Ending::Plain, build)
    }

    fn with_build(
        name: &str,
        summary: &'static str,
        formula: &'static str,
        ending: Ending,
        build: Build,
    ) -> Self {
        let (source, parameters) = ((None, None), Vec::new());
        Self { name: name.to_owned(), summary, formula, source, parameters, ending, build }
    }

    /// The same, of that report, which gives it no name.
    pub(super) fn of_report(mut self, report: &'static str) -> Self {
        self.source.0 = Some(report);
        self
    }

    /// The same, of that report, which calls it so.
    pub(super) fn called(mut self, report: &'static str, label: &'static str) -> Self {
        self.source = (Some(report), Some(label));
        self
    }

    /// The same with one parameter more, and the values that it may have.
    pub(super) fn with(mut self, name: &'static str, default: f64, allowed: [f64; 2]) -> Self {
        let [lowest, highest] = allowed;
        self.parameters.push(Parameter { name, default, lowest, highest });
        self
    }
}

//! Native heuristics as Python objects.

use std::sync::Arc;

use isolation_core::NativeHeuristic;
use isolation_core::heuristics::{self, Ending, WALK_LIMIT};
use pyo3::exceptions::{PyKeyError, PyOverflowError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::board::Board;
use crate::engine_lock;
use crate::errors::{Error, Result, shown};
use crate::evaluating::native_value;

/// A heuristic that runs inside the engine at full speed.
///
/// It is also a plain function of a board and one of its players:
///
/// >>> from isolation_fast import Board, heuristics
/// >>> board = Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
/// >>> heuristics.improved(board, board.active_player)
/// -2.0
///
/// One that `walks` the tree below the board stops after 10,000,000 positions by a `WalkTooLongError`;
/// `isolation_fast.evaluate` lets it walk more. In a search each position that it walks is one of the
/// search's nodes.
#[pyclass(frozen, module = "isolation_fast._native", name = "Heuristic")]
pub(crate) struct Heuristic {
    pub(crate) native: Arc<NativeHeuristic>,
}

#[pymethods]
impl Heuristic {
    /// The name under which it is registered; of a variant or a sum one that says what it is.
    ///
    /// >>> heuristics.improved.name
    /// 'improved'
    /// >>> heuristics.aggressive.variant(factor=1.5).name
    /// 'aggressive(factor=1.5)'
    #[getter]
    fn name(&self) -> &str {
        &self.native.name
    }

    /// What it measures, in one line.
    ///
    /// >>> heuristics.improved.summary
    /// "the player's moves less the opponent's"
    #[getter]
    fn summary(&self) -> &str {
        &self.native.summary
    }

    /// How it is worked out, in one line: p is the player that is scored, o its opponent, L(x) are the moves
    /// of x, loc(x) is its cell, H and W are height and width, q is the share of cells that are blank.
    ///
    /// >>> heuristics.aggressive.formula
    /// '|L(p)| - factor · |L(o)|'
    #[getter]
    fn formula(&self) -> &str {
        &self.native.formula
    }

    /// What becomes of it at the end of a game. `"T"`: -inf where the player is to move and cannot, inf where
    /// the opponent is and cannot. `"S"`: inf where the opponent has no move, else -inf where the player has
    /// none, whoever's turn it is. None: the formula alone. A sum goes by its parts, and has None too.
    ///
    /// >>> heuristics.improved.ending, heuristics.bfs.ending, heuristics.aggressive.ending
    /// ('T', 'S', None)
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        match self.native.ending() {
            Some(Ending::TerminalAware) => Some("T"),
            Some(Ending::StuckAware) => Some("S"),
            Some(Ending::Plain) | None => None,
        }
    }

    /// The letter of the report that describes it, None where none does.
    ///
    /// >>> heuristics.aggressive.report, heuristics.improved.report
    /// ('E', None)
    #[getter]
    fn report(&self) -> Option<&'static str> {
        self.native.report()
    }

    /// What that report calls it, None where it has no name there.
    ///
    /// >>> heuristics.aggressive.label
    /// 'AB_Custom'
    #[getter]
    fn label(&self) -> Option<&'static str> {
        self.native.label()
    }

    /// The name of the registered heuristic that it is, or is a variant of; None for a sum.
    ///
    /// >>> heuristics.aggressive.variant(factor=1.5).base
    /// 'aggressive'
    #[getter]
    fn base(&self) -> Option<&str> {
        self.native.base()
    }

    /// Its parameters and their values.
    ///
    /// >>> heuristics.staged_continuations.parameters
    /// {'early': 0.7, 'late': 0.2}
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for (parameter, value) in self.native.parameters() {
            values.set_item(parameter.name, value)?;
        }
        Ok(values)
    }

    /// The least and the largest value that each parameter may have.
    ///
    /// >>> heuristics.knight_decay_2.allowed
    /// {'r': (0.0, 1.0)}
    #[getter]
    fn allowed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let ranges = PyDict::new(py);
        for (parameter, _) in self.native.parameters() {
            ranges.set_item(parameter.name, (parameter.lowest, parameter.highest))?;
        }
        Ok(ranges)
    }

    /// The heuristics of a weighted sum with their weights, in the order given; of others none.
    ///
    /// >>> heuristics.weighted_sum({"bfs": 1.0, "close_to_opponent": 0.3}).parts
    /// ((heuristics.bfs, 1.0), (heuristics.close_to_opponent, 0.3))
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let parts = self.native.parts().iter();
        let parts = parts.map(|(part, weight)| (Self { native: Arc::clone(part) }, *weight));
        PyTuple::new(py, parts.map(|part| part.into_pyobject(py)).collect::<PyResult<Vec<_>>>()?)
    }

    /// Whether it walks the tree of play below a board, at least on some boards.
    ///
    /// >>> heuristics.continuations.walks, heuristics.bfs.walks
    /// (True, False)
    #[getter]
    fn walks(&self) -> bool {
        self.native.walks()
    }

    /// The same heuristic with other values of some parameters: the one way to make others of it.
    ///
    /// >>> heuristics.knight_decay_2.variant(r=0.3)
    /// heuristics.knight_decay_2.variant(r=0.3)
    /// >>> heuristics.aggressive.variant(facter=1.5)
    /// Traceback (most recent call last):
    /// ...
    /// isolation_fast.exceptions.InvalidArgumentError: unknown parameter 'facter', did you mean 'factor'? ...
    #[pyo3(signature = (*given, **values), text_signature = "($self, **values)")]
    fn variant(
        &self,
        py: Python<'_>,
        given: &Bound<'_, PyTuple>,
        values: Option<&Bound<'_, PyDict>>,
    ) -> Result<Self> {
        if !given.is_empty() {
            return Err(Error::parameters_without_names(&self.native));
        }
        self.changed(py, values)
    }

    /// The value of the board for one of its players.
    // Sorted out here: the error for a call without the player, or for a variant, says what to write instead.
    #[pyo3(signature = (*arguments, **named))]
    fn __call__(
        &self,
        arguments: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> Result<f64> {
        engine_lock::require_free("a native heuristic")?;
        let argument = |at: usize, name: &str| match arguments.get_item(at) {
            Ok(value) => Ok(Some(value)),
            Err(_) => named.map_or(Ok(None), |named| named.get_item(name)),
        };
        let (Some(game), Some(player)) = (argument(0, "game")?, argument(1, "player")?) else {
            return Err(Error::call(&self.native, named));
        };
        if arguments.len() + named.map_or(0, PyDictMethods::len) != 2 {
            return Err(Error::call(&self.native, named));
        }
        let board = game.cast::<Board>().map_err(|_| Error::NoBoard(shown(&game)))?;
        native_value(self, board, Some(&player), WALK_LIMIT)
    }

    // There is one way to add heuristics. The error for arithmetic names it.

    fn __add__(&self, _other: &Bound<'_, PyAny>) -> Result<Py<PyAny>> {
        Err(Error::arithmetic(&self.native))
    }

    fn __radd__(&self, _other: &Bound<'_, PyAny>) -> Result<Py<PyAny>> {
        Err(Error::arithmetic(&self.native))
    }

    fn __sub__(&self, _other: &Bound<'_, PyAny>) -> Result<Py<PyAny>> {
        Err(Error::arithmetic(&self.native))
    }

    fn __rsub__(&self, _other: &Bound<'_, PyAny>) -> Result<Py<PyAny>> {
        Err(Error::arithmetic(&self.native))
    }

    fn __mul__(&self, _other: &Bound<'_, PyAny>) -> Result<Py<PyAny>> {
        Err(Error::arithmetic(&self.native))
    }

    fn __rmul__(&self, _other: &Bound<'_, PyAny>) -> Result<Py<PyAny>> {
        Err(Error::arithmetic(&self.native))
    }

    fn __truediv__(&self, _other: &Bound<'_, PyAny>) -> Result<Py<PyAny>> {
        Err(Error::arithmetic(&self.native))
    }

    fn __rtruediv__(&self, _other: &Bound<'_, PyAny>) -> Result<Py<PyAny>> {
        Err(Error::arithmetic(&self.native))
    }

    fn __neg__(&self) -> Result<Py<PyAny>> {
        Err(Error::arithmetic(&self.native))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().native.name == self.native.name)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.native.name).hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Some(base) = self.native.base() else {
            let parts = self.native.parts().iter();
            let parts = parts.map(|(part, weight)| {
                let part = Self { native: Arc::clone(part) };
                let part = if part.is_registered() {
                    format!("'{}'", part.name())
                } else {
                    part.__repr__(py)?
                };
                Ok(format!("{part}: {}", shown(weight.into_pyobject(py)?.as_any())))
            });
            let parts = parts.collect::<PyResult<Vec<_>>>()?.join(", ");
            return Ok(format!("heuristics.weighted_sum({{{parts}}})"));
        };
        if self.is_registered() {
            return Ok(format!("heuristics.{base}"));
        }
        let values = self.native.parameters().map(|(parameter, value)| {
            Ok(format!("{}={}", parameter.name, shown(value.into_pyobject(py)?.as_any())))
        });
        let values = values.collect::<PyResult<Vec<_>>>()?.join(", ");
        Ok(format!("heuristics.{base}.variant({values})"))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let module = py.import("isolation_fast._native")?;
        match self.native.base() {
            Some(base) => {
                let values = if self.is_registered() { None } else { Some(self.parameters(py)?) };
                Ok((module.getattr("heuristic")?, (base, values).into_pyobject(py)?))
            }
            None => Ok((module.getattr("weighted_sum")?, (self.parts(py)?,).into_pyobject(py)?)),
        }
    }
}

impl Heuristic {
    fn is_registered(&self) -> bool {
        self.native.base() == Some(&self.native.name)
    }

    fn changed(&self, py: Python<'_>, values: Option<&Bound<'_, PyDict>>) -> Result<Self> {
        let mut changes = Vec::new();
        for (name, value) in values.into_iter().flatten() {
            // Python's words may be no text, which parameters are.
            let name = name.cast::<PyString>().map_err(PyErr::from)?;
            let name = name.to_string_lossy().into_owned();
            let value = value.extract::<f64>().map_err(|error| {
                if error.is_instance_of::<PyOverflowError>(py) {
                    return Error::NoFloat(name.clone());
                }
                Error::NoNumber { name: name.clone(), value: shown(&value) }
            })?;
            changes.push((name, value));
        }
        let changes: Vec<(&str, f64)> =
            changes.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        Ok(Self { native: self.native.variant(&changes)? })
    }

    /// The value of a board that is no position of two players, because somebody has set its
    /// `_active_player` alone or its players are equal: what the same formula in Python makes of what
    /// the board's methods say, as on the classic board. A walk takes so many positions at the most.
    pub(crate) fn value_in_doubt(
        &self,
        game: &Bound<'_, PyAny>,
        player: &Bound<'_, PyAny>,
        nodes: u64,
    ) -> PyResult<f64> {
        let twins = game.py().import("isolation_fast.twins")?;
        let own = Self { native: Arc::clone(&self.native) };
        twins.call_method1("value_in_doubt", (own, game, player, nodes))?.extract()
    }
}

/// The registered names, in the order in which they are listed to people.
#[pyfunction]
pub(crate) fn heuristic_names() -> Vec<&'static str> {
    heuristics::all().iter().map(|heuristic| heuristic.name.as_str()).collect()
}

/// The native heuristic of that name, with those values of its parameters; `KeyError` where none is
/// registered under it.
#[pyfunction]
#[pyo3(signature = (name, parameters = None))]
pub(crate) fn heuristic(
    py: Python<'_>,
    name: &str,
    parameters: Option<&Bound<'_, PyDict>>,
) -> Result<Heuristic> {
    let native = heuristics::find(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
    let registered = Heuristic { native };
    if parameters.is_some() { registered.changed(py, parameters) } else { Ok(registered) }
}

/// The sum of heuristics, each times its weight.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "taken apart from Python's sequences")]
pub(crate) fn weighted_sum(parts: Vec<(Bound<'_, Heuristic>, f64)>) -> Result<Heuristic> {
    let parts = parts.iter().map(|(part, weight)| (Arc::clone(&part.get().native), *weight));
    Ok(Heuristic { native: heuristics::weighted_sum(parts.collect())? })
}

//! `evaluate_many` with a Python function that may be compiled.

use isolation_core::{CellSet, Clock, Position, with_position};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList, PyString, PyTuple};

use crate::board::{Board, Root};
use crate::by_width::ByWidth;
use crate::compiled::{Compiled, Use};
use crate::difference::Difference;
use crate::engine_lock;
use crate::errors::{Error, shown};
use crate::evaluating::value_in_python;
use crate::watch::detached;

/// How many boards a program is asked about at a time, without the interpreter.
const TOGETHER: usize = 1024;
/// One run may take some hundredths of a second.
const BETWEEN_LOOKS: usize = 4;

/// The values that a Python function gives boards and texts, one after the other, as bytes of floats.
#[pyfunction]
#[pyo3(signature = (boards, function, player, compiled))]
pub(crate) fn evaluate_many_in_python<'py>(
    boards: &Bound<'py, PyAny>,
    function: &Bound<'py, PyAny>,
    player: Option<&Bound<'py, PyAny>>,
    compiled: Option<&Bound<'py, Compiled>>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let py = boards.py();
    engine_lock::require_free("evaluate_many")?;
    // What makes the boards may change those that it gave: of it they are taken one by one.
    let lies_still =
        boards.is_exact_instance_of::<PyList>() || boards.is_exact_instance_of::<PyTuple>();
    let compiled = compiled.filter(|compiled| !compiled.get().is_off());
    let uses = ByWidth::default();
    let mut asking = Asking { function, player, compiled, uses, at_a_time: 1, is_guarded: true };
    let mut values: Vec<[u8; 8]> = Vec::new();
    let mut together = Vec::new();
    let most = if lies_still { TOGETHER } else { 1 };
    for (at, given) in boards.try_iter()?.enumerate() {
        together.push(board_of_many(at, &given?)?);
        if together.len() == most {
            asking.is_guarded &= lies_still;
            asking.add(&mut together, &mut values)?;
        }
    }
    asking.add(&mut together, &mut values)?;
    Ok(PyByteArray::new(py, values.as_flattened()))
}

fn board_of_many<'py>(at: usize, given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Board>> {
    if let Ok(board) = given.cast::<Board>() {
        return Ok(board.clone());
    }
    if !given.is_instance_of::<PyString>() {
        return Err(Error::NoBoardOfMany { at, value: shown(given) }.into());
    }
    let made = given.py().get_type::<Board>().call_method1("from_text", (given,))?;
    Ok(made.cast_into::<Board>()?)
}

struct Asking<'a, 'py> {
    function: &'a Bound<'py, PyAny>,
    player: Option<&'a Bound<'py, PyAny>>,
    compiled: Option<&'a Bound<'py, Compiled>>,
    /// The uses of its program, one for each width of boards.
    uses: ByWidth,
    /// How many boards are copied out at a time: fewer where the program bails.
    at_a_time: usize,
    /// Whether no code of others has run since it was asked whether the program holds.
    is_guarded: bool,
}

/// A board as the program sees it, what it answered, and whether that is to be compared.
type Answered = (Root, f64, bool);

impl<'py> Asking<'_, 'py> {
    /// Adds the values of some boards, which are then taken out.
    fn add(
        &mut self,
        boards: &mut Vec<Bound<'py, Board>>,
        values: &mut Vec<[u8; 8]>,
    ) -> PyResult<()> {
        let (before, mut from) = (values.len(), 0);
        while from < boards.len() {
            let answers = self.answers(&boards[from..])?;
            let count = answers.len();
            if let Some(difference) = self.difference(&answers)? {
                let compiled = self.compiled.take().expect("its program answered");
                self.uses.clear();
                difference.report(compiled, self.function)?;
                values.truncate(before);
                from = 0;
                continue;
            }
            values.extend(answers.iter().map(|(_, value, _)| value.to_ne_bytes()));
            from += count;
            if count == self.at_a_time {
                self.at_a_time = TOGETHER.min(2 * self.at_a_time);
                continue;
            }
            self.at_a_time = (self.at_a_time / 2).max(1);
            if let Some(board) = boards.get(from) {
                values.push(self.own_value(board)?.to_ne_bytes());
                from += 1;
            }
        }
        boards.clear();
        Ok(())
    }

    /// What the program says of the first of some boards, up to one that it does not know.
    fn answers(&mut self, boards: &[Bound<'py, Board>]) -> PyResult<Vec<Answered>> {
        let Some(compiled) = self.compiled else { return Ok(Vec::new()) };
        if !self.is_guarded && compiled.get().program(self.function)?.is_none() {
            self.uses.clear();
        }
        self.is_guarded = true;
        let mut roots = Vec::new();
        for board in boards.iter().take(self.at_a_time) {
            let Some((root, seat)) = Board::plain_root(board, self.player)? else { break };
            with_position!(&root.position, |position| self.prepare(compiled, position))?;
            roots.push((root, seat));
        }
        let uses = &mut self.uses;
        let answers = detached(
            compiled.py(),
            move |watch| {
                let mut answers = Vec::with_capacity(roots.len());
                for (at, (root, seat)) in roots.into_iter().enumerate() {
                    if at % BETWEEN_LOOKS == 0 && watch.interrupted() {
                        return Err(());
                    }
                    let asked = with_position!(&root.position, |position| {
                        let program = use_for(uses, position).expect("it was prepared");
                        let (moves, bits) = (root.move_count, root.seating.order_bits);
                        let value = program.value(position, seat, moves, bits);
                        value.map(|value| (value, program.is_watched()))
                    });
                    let Some((value, is_watched)) = asked else { break };
                    answers.push((root, value, is_watched));
                }
                Ok(answers)
            },
            |(), watch| watch.interruption().into(),
        )?;
        Ok(answers)
    }

    /// Has a use of the program for boards of a width.
    fn prepare<S: CellSet>(
        &mut self,
        compiled: &Bound<'_, Compiled>,
        position: &Position<S>,
    ) -> PyResult<()> {
        if use_for(&mut self.uses, position).is_none() {
            let program = compiled.get().program(self.function)?;
            self.uses.get_or(|| Use::<S>::new(compiled, program, false));
        }
        Ok(())
    }

    /// Where the program gave another value than the function, of those that are compared.
    fn difference(&self, answers: &[Answered]) -> PyResult<Option<Difference>> {
        let py = self.function.py();
        for (root, value, _) in answers.iter().filter(|(.., is_watched)| *is_watched) {
            let copy = Bound::new(py, root.clone_ref(py).into_board())?;
            let player = self.player.unwrap_or_else(|| root.player(py));
            let own = self.function.call1((copy, player));
            if let Some(difference) = Difference::between(*value, own, || root.position.to_string())
            {
                return Ok(Some(difference));
            }
        }
        Ok(None)
    }

    /// What the function says of a board.
    fn own_value(&mut self, board: &Bound<'py, Board>) -> PyResult<f64> {
        let root = match self.compiled {
            Some(_) => Board::plain_root(board, self.player)?,
            None => None,
        };
        let value = value_in_python(self.function, board, self.player)?;
        self.is_guarded = false;
        if let Some((root, _)) = root {
            with_position!(&root.position, |position| {
                use_for(&mut self.uses, position)
                    .map_or(Ok(()), |program| program.asked(self.function))
            })?;
        }
        Ok(value)
    }
}

/// The use of the program for boards as wide as a position's.
fn use_for<'u, S: CellSet>(uses: &'u mut ByWidth, _: &Position<S>) -> Option<&'u mut Use<S>> {
    uses.get()
}

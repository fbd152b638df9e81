//! Programs that Python heuristics are compiled to.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use isolation_core::heuristics::CountedHeuristic;
use isolation_core::program::{Counts, Function, Instruction, OPCODES, Profile, Program, prices};
use isolation_core::{Failure, MAX_PLIES, Options, Size, with_position};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyList, PyTuple};

use crate::board::Board;
use crate::engine_lock;
use crate::errors::{Error, Result, shown};
use crate::running::{Engine, Prepared};
use crate::searching::allowance;
use crate::watch::{Watch, detached};

/// A program, checked, as heuristics are compiled to.
#[pyclass(frozen, module = "isolation_fast._native", name = "Program")]
pub(crate) struct PyProgram {
    pub(crate) prepared: Arc<Prepared>,
    /// The line of the source that each instruction of each function is for, where that was given.
    lines: Option<Vec<Vec<u32>>>,
}

/// Registers, parameters, results and code of a function.
type GivenFunction<'py> = (Counts, Counts, Counts, Vec<Bound<'py, PyTuple>>);

type ThreeCounts = (u16, u16, u16);
type ShownFunction<'py> = (ThreeCounts, ThreeCounts, ThreeCounts, Vec<Bound<'py, PyTuple>>);
/// Functions, integers, floats and data.
type Given<'py> = (Vec<ShownFunction<'py>>, Vec<i64>, Vec<f64>, Vec<u64>);

thread_local! {
    /// Whether our own search has a function compiled just now.
    static COMPILING: Cell<bool> = const { Cell::new(false) };
}

/// What compiles a function for our search: in a locked process nothing else makes programs.
pub(crate) fn made_within<T>(compile: impl FnOnce() -> T) -> T {
    let before = COMPILING.replace(true);
    let made = compile();
    COMPILING.set(before);
    made
}

#[pymethods]
impl PyProgram {
    #[new]
    #[pyo3(signature = (functions, integers, floats, data, *, lines = None))]
    fn __new__(
        functions: Vec<GivenFunction<'_>>,
        integers: Vec<i64>,
        floats: Vec<f64>,
        data: Vec<Bound<'_, PyAny>>,
        lines: Option<Vec<Vec<Bound<'_, PyAny>>>>,
    ) -> Result<Self> {
        if !COMPILING.get() {
            engine_lock::require_free("a program")?;
        }
        let functions =
            functions.into_iter().enumerate().map(|(place, given)| decoded(place, given));
        let functions = functions.collect::<Result<_>>()?;
        let data = data.into_iter().map(|given| word(&given)).collect::<Result<_>>()?;
        let program = Program::new(functions, integers, floats, data)?;
        let lines = lines.map(|given| lines_of(&program, given)).transpose()?;
        Ok(Self { prepared: Arc::new(Prepared::new(program)), lines })
    }

    /// For each function, the line of the source that each instruction is for, 0 where that is not known.
    #[getter]
    fn lines(&self) -> Option<Vec<Vec<u32>>> {
        self.lines.clone()
    }

    /// Registers, parameters, results and code of each function, as they were given.
    #[getter]
    fn functions<'py>(&self, py: Python<'py>) -> PyResult<Vec<ShownFunction<'py>>> {
        let functions = self.prepared.program().functions().iter().map(|function| {
            let code = function.code.iter().map(|instruction| {
                let operands = instruction.operands().map(|(_, operand)| operand);
                let numbers: Vec<_> = [instruction.number()].into_iter().chain(operands).collect();
                PyTuple::new(py, numbers)
            });
            let Function { registers, parameters, results, .. } = function;
            let [registers, parameters, results] =
                [registers, parameters, results].map(|&c| c.into());
            Ok((registers, parameters, results, code.collect::<PyResult<_>>()?))
        });
        functions.collect()
    }

    /// Its integer constants.
    #[getter]
    fn integers(&self) -> Vec<i64> {
        self.prepared.program().integers().to_vec()
    }

    /// Its float constants.
    #[getter]
    fn floats(&self) -> Vec<f64> {
        self.prepared.program().floats().to_vec()
    }

    /// Its words of data.
    #[getter]
    fn data(&self) -> Vec<u64> {
        self.prepared.program().data().to_vec()
    }

    /// Whether both are the same, to the bit of each constant, and come from the same lines.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Self>() else { return false };
        let (own, others) = (self.prepared.program(), other.get().prepared.program());
        let bits = |program: &Program| -> Vec<_> {
            program.floats().iter().map(|float| float.to_bits()).collect()
        };
        own.functions() == others.functions()
            && own.integers() == others.integers()
            && bits(own) == bits(others)
            && own.data() == others.data()
            && self.lines == other.get().lines
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let program = self.prepared.program();
        (program.integers(), program.data(), program.stretches()).hash(&mut hasher);
        hasher.finish()
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Given<'py>, Bound<'py, PyDict>)> {
        let named = [("lines", self.lines())].into_py_dict(py)?;
        Ok(((self.functions(py)?, self.integers(), self.floats(), self.data()), named))
    }

    /// The value of a board for one of its players; None where the program bails. With `machine_code`
    /// that runs it, else the machine.
    #[pyo3(signature = (board, player, *, machine_code = false))]
    fn run(
        &self,
        board: &Bound<'_, Board>,
        player: &Bound<'_, PyAny>,
        machine_code: bool,
    ) -> PyResult<Option<f64>> {
        Ok(self.priced_run(board, player, machine_code)?.0)
    }

    /// The same, and what the run cost.
    #[pyo3(signature = (board, player, *, machine_code = false))]
    fn priced_run(
        &self,
        board: &Bound<'_, Board>,
        player: &Bound<'_, PyAny>,
        machine_code: bool,
    ) -> PyResult<(Option<f64>, u64)> {
        engine_lock::require_free("a program")?;
        let root = Board::checked_root(board)?;
        let seat = Board::seat_of(board, player)?;
        let (moves, bits) = (root.move_count, root.seating.order_bits);
        with_position!(&root.position, |position| Ok(if machine_code {
            let runner = self.prepared.runner(position.size());
            let mut runner = runner.map_err(Error::MachineCode)?;
            (runner.run(position, seat, moves, bits), runner.spent().into())
        } else {
            let mut machine = self.prepared.machine();
            (machine.run(position, seat, moves, bits), machine.spent().into())
        }))
    }

    /// Makes machine code of it for boards of a size, by which games are played from now on: those of the players
    /// that have this very object.
    fn play_by_machine_code(&self, width: u64, height: u64) -> PyResult<()> {
        engine_lock::require_free("a program")?;
        let size = Size::new(width, height).map_err(Error::from)?;
        Ok(self.prepared.play_by_machine_code(size).map_err(Error::MachineCode)?)
    }

    /// What a search of a board within a budget pays for each line of the source, 0 where that is not known, and
    /// for how many nodes, in nanoseconds of the price list. `work` is as much as so many nodes with `improved`. No bits of the board
    /// order its moves.
    fn profile(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        work: Option<u64>,
        depth: Option<u32>,
        nodes: Option<u64>,
    ) -> Result<(BTreeMap<u32, u64>, u64)> {
        engine_lock::require_free("a program")?;
        let root = Board::checked_root(board)?;
        let allowance = allowance(depth, nodes, None, work)?;
        with_position!(&root.position, |position| {
            let options = Options::new(allowance.on(position).at_most_depth(MAX_PLIES));
            let program = self.prepared.program();
            let mut heuristic = CountedHeuristic::profiling(program, options.order_bits);
            let searched = |watch: &mut Watch| {
                match isolation_core::search(position, &mut heuristic, watch, &options) {
                    Ok(report) => Ok(report.nodes),
                    // What was paid until then counts.
                    Err(Failure::Heuristic(_)) => Ok(0),
                    Err(failure) => Err(failure),
                }
            };
            let nodes = detached(py, searched, |_, watch| watch.interruption().into())?;
            let mut found = BTreeMap::new();
            for (place, paid) in heuristic.profile().into_iter().flat_map(Profile::paid).enumerate()
            {
                for (at, paid) in paid.iter().enumerate() {
                    let line = self.lines.as_ref().map_or(0, |lines| lines[place][at]);
                    *found.entry(line).or_default() += paid;
                }
            }
            Ok((found, nodes * u64::from(prices::NODE)))
        })
    }

    /// The value of a board for the player to move, its moves ordered by these bits. Then whether a part of the
    /// program ran that has hardly run before, in any probe or search.
    #[pyo3(signature = (board, order_bits = 0))]
    fn probe(&self, board: &Bound<'_, Board>, order_bits: u64) -> PyResult<(Option<f64>, bool)> {
        engine_lock::require_free("a program")?;
        let root = Board::checked_root(board)?;
        with_position!(&root.position, |position| {
            let mut engine = Engine::new(Arc::clone(&self.prepared), false);
            let value = engine.run(position, position.to_move(), root.move_count, order_bits);
            let is_new = engine.is_new();
            if is_new {
                engine.compared();
            }
            Ok((value, is_new))
        })
    }
}

fn decoded(place: usize, given: GivenFunction<'_>) -> Result<Function> {
    let (registers, parameters, results, code) = given;
    let code = code.iter().enumerate().map(|(at, given)| {
        instruction(given).map_err(|reason| {
            Error::Instruction(format!("function {place}, instruction {at}: {reason}"))
        })
    });
    Ok(Function { registers, parameters, results, code: code.collect::<Result<_>>()? })
}

fn instruction(given: &Bound<'_, PyTuple>) -> std::result::Result<Instruction, String> {
    let numbers = given.iter().map(|entry| {
        entry.extract().map_err(|_| format!("{} is no integer of 64 bits", shown(&entry)))
    });
    let numbers: Vec<i64> = numbers.collect::<std::result::Result<_, _>>()?;
    let (&number, operands) = numbers.split_first().ok_or("it has no number")?;
    Instruction::decode(number, operands)
}

/// The lines of a program's instructions: one for each.
fn lines_of(program: &Program, given: Vec<Vec<Bound<'_, PyAny>>>) -> Result<Vec<Vec<u32>>> {
    let functions = program.functions();
    if given.len() != functions.len() {
        let (given, wanted) = (given.len(), functions.len());
        let reason =
            format!("lines are given for {given} functions, where the program has {wanted}");
        return Err(Error::Instruction(reason));
    }
    let of_function = |(place, (lines, function)): (usize, (Vec<Bound<'_, PyAny>>, &Function))| {
        if lines.len() != function.code.len() {
            let (given, wanted) = (lines.len(), function.code.len());
            return Err(Error::Instruction(format!(
                "function {place}: {given} lines are given for {wanted} instructions"
            )));
        }
        let lines = lines.into_iter().enumerate().map(|(at, line)| {
            line.extract().map_err(|_| {
                let shown = shown(&line);
                Error::Instruction(format!(
                    "function {place}, instruction {at}: a line is an integer from 0 to {}, not {shown}",
                    u32::MAX
                ))
            })
        });
        lines.collect()
    };
    given.into_iter().zip(functions).enumerate().map(of_function).collect()
}

/// A word of data: an integer with or without a sign.
fn word(given: &Bound<'_, PyAny>) -> Result<u64> {
    match given.extract::<i64>() {
        Ok(integer) => Ok(integer.cast_unsigned()),
        Err(_) => given
            .extract()
            .map_err(|_| Error::Instruction(format!("{} is no word of 64 bits", shown(given)))),
    }
}

/// The instructions: their numbers, and the kinds of their operands, by their names.
pub(crate) fn opcodes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let table = PyDict::new(py);
    for (number, opcode) in OPCODES.iter().enumerate() {
        table.set_item(opcode.name, (number, PyTuple::new(py, opcode.letters)?))?;
    }
    Ok(table)
}

/// The price list, as `isolation_fast.cost` has it.
pub(crate) fn price_list(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let (instructions, growing) = (PyDict::new(py), PyList::empty(py));
    for (number, opcode) in (0..).zip(OPCODES) {
        let any = Instruction::decode(number, &vec![0; opcode.kinds.len()]);
        let any = any.map_err(Error::Instruction)?;
        instructions.set_item(opcode.name, prices::price(any))?;
        if prices::grows(any) {
            growing.append(opcode.name)?;
        }
    }
    let sizes = [
        ("moves", prices::MOVES),
        ("move", prices::MOVE),
        ("blank cell", prices::BLANK_CELL),
        ("set element", prices::SET_ELEMENT),
        ("list word", prices::LIST_WORD),
        ("look", prices::LOOK),
        ("sorted", prices::SORTED),
        ("comparison", prices::COMPARISON),
        ("allocated", prices::ALLOCATED),
    ];
    let list = PyDict::new(py);
    list.set_item("version", prices::VERSION)?;
    list.set_item("node", prices::NODE)?;
    list.set_item("with improved", prices::NODES_WITH_IMPROVED.map(|(_, node)| node))?;
    list.set_item("instructions", instructions)?;
    list.set_item("growing", growing)?;
    list.set_item("sizes", sizes.into_py_dict(py)?)?;
    Ok(list)
}

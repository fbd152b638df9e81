//! Programs: what a Python heuristic is compiled to, and a machine that runs them.
//!
//! A program works on numbers, sets of cells and words of memory, and asks the board. It computes what
//! `CPython` would, to the bit; where that is not certain it *bails*, and `CPython` is asked. Programs are checked
//! once, by [`Program::new`]; a checked one ends, reads nothing outside, and leaves nothing behind.
//!
//! | file | what it holds |
//! |---|---|
//! | `ops` | the table of instructions |
//! | `prices` | what each of them costs, and a node of a search |
//! | `validate` | what makes a program a sound one |
//! | `machine` | the loop that runs one |
//! | `fuel` | what a run may still cost |
//! | `profile` | what each instruction costs in the runs of a machine |
//! | `runners` | what may run one in its place |
//! | `coverage` | which parts of one have run, and were compared with what `CPython` says |
//! | `floats` | arithmetic of floats as `CPython` does it |
//! | `arena`, `lists` | memory, and the lists in it |
//! | `games` | positions that a program makes by itself |

mod arena;
mod coverage;
pub mod floats;
mod fuel;
mod games;
pub mod integers;
mod lists;
mod machine;
mod ops;
pub mod prices;
mod profile;
mod runners;
mod validate;

pub use arena::{ARENA_WORDS, Arena};
pub use coverage::{COMPARED_ENTRIES, Coverage};
pub use fuel::{FUEL, Fuel};
pub use games::{listed, packed};
pub use machine::{MOST_CALLS, Machine};
pub use ops::{Class, Instruction, Kind, OPCODES, Opcode};
pub use profile::Profile;
pub use runners::{Root, Runner, Runners};
pub use validate::MOST_INSTRUCTIONS;

/// The run ends without a value: `CPython` is to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bail;

/// So many registers of each class: integers, floats, masks.
pub type Counts = [u16; 3];

/// One function of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The registers that it has.
    pub registers: Counts,
    /// The first of them that hold its arguments when it is called.
    pub parameters: Counts,
    /// The first of them that hold its results when it returns.
    pub results: Counts,
    /// Its instructions.
    pub code: Vec<Instruction>,
}

/// A program that was checked.
#[derive(Debug)]
pub struct Program {
    functions: Vec<Function>,
    integers: Vec<i64>,
    floats: Vec<f64>,
    data: Vec<u64>,
    /// For each function what [`prices::of_stretches`] says.
    stretches: Vec<Vec<u32>>,
}

/// A program that is not sound.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// As a whole.
    #[error("{0}")]
    Program(String),
    /// A function.
    #[error("function {function}: {reason}")]
    Function {
        /// Its place.
        function: usize,
        /// Why.
        reason: String,
    },
    /// An instruction of a function.
    #[error("function {function}, instruction {at} ({name}): {reason}")]
    Instruction {
        /// The function's place.
        function: usize,
        /// The instruction's place in it.
        at: usize,
        /// The instruction's name.
        name: &'static str,
        /// Why.
        reason: String,
    },
}

impl Program {
    /// Checks a program. Function 0 is what [`Machine::run`] calls: with the game's handle 0 in i0 and the
    /// player in i1, and it returns its value in f0. `data` is at address 0 of the arena.
    ///
    /// # Errors
    /// Where a register is read that may not have been written, an operand names nothing, code could run
    /// past its end, or there is too much of anything.
    pub fn new(
        functions: Vec<Function>,
        integers: Vec<i64>,
        floats: Vec<f64>,
        data: Vec<u64>,
    ) -> Result<Self, ProgramError> {
        let mut program = Self { functions, integers, floats, data, stretches: Vec::new() };
        validate::check(&program)?;
        let functions = program.functions.iter();
        program.stretches =
            functions.map(|function| prices::of_stretches(&function.code)).collect();
        Ok(program)
    }

    /// Its functions.
    #[must_use]
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// For each function what a run pays at each of its instructions, in nanoseconds, if it comes there by a jump,
    /// by a jump that is not taken, or by a call.
    #[must_use]
    pub fn stretches(&self) -> &[Vec<u32>] {
        &self.stretches
    }

    /// Its integer constants.
    #[must_use]
    pub fn integers(&self) -> &[i64] {
        &self.integers
    }

    /// Its float constants.
    #[must_use]
    pub fn floats(&self) -> &[f64] {
        &self.floats
    }

    /// The words at the start of its arena, which never change.
    #[must_use]
    pub fn data(&self) -> &[u64] {
        &self.data
    }
}

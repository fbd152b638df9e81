//! What makes a program a sound one.

use super::ops::{Class, Instruction, Kind};
use super::{Counts, Function, Program, ProgramError, floats};

const MOST_FUNCTIONS: usize = 256;
/// Instructions of all functions together.
pub const MOST_INSTRUCTIONS: usize = 16_384;
const MOST_CONSTANTS: usize = 65_536;
const MOST_DATA: usize = 4096;
/// Registers of a class.
const MOST_REGISTERS: u16 = 256;
/// How often the code of a function is gone through to learn what is written where. Loops as people nest
/// them need two rounds.
const MOST_ROUNDS: u32 = 64;

pub(super) fn check(program: &Program) -> Result<(), ProgramError> {
    let counts = [
        ("functions", program.functions.len(), MOST_FUNCTIONS),
        ("integer constants", program.integers.len(), MOST_CONSTANTS),
        ("float constants", program.floats.len(), MOST_CONSTANTS),
        ("words of data", program.data.len(), MOST_DATA),
    ];
    for (what, given, most) in counts {
        if given > most {
            return Err(ProgramError::Program(format!("{given} {what} are more than {most}")));
        }
    }
    let instructions: usize = program.functions.iter().map(|each| each.code.len()).sum();
    if instructions > MOST_INSTRUCTIONS {
        let reason = format!("{instructions} instructions are more than {MOST_INSTRUCTIONS}");
        return Err(ProgramError::Program(reason));
    }
    let Some(entry) = program.functions.first() else {
        return Err(ProgramError::Program("a program has at least one function".to_owned()));
    };
    if (entry.parameters, entry.results) != ([2, 0, 0], [0, 1, 0]) {
        let reason = "the entry has the parameters (2, 0, 0) and the results (0, 1, 0)".to_owned();
        return Err(ProgramError::Function { function: 0, reason });
    }
    for (place, function) in program.functions.iter().enumerate() {
        check_size(function)
            .map_err(|reason| ProgramError::Function { function: place, reason })?;
    }
    for (place, function) in program.functions.iter().enumerate() {
        let checked =
            check_operands(program, function).and_then(|()| check_flow(program, function));
        checked.map_err(|(at, reason)| ProgramError::Instruction {
            function: place,
            at,
            name: function.code[at].opcode().name,
            reason,
        })?;
    }
    Ok(())
}

fn check_size(function: &Function) -> Result<(), String> {
    let of_class = function.registers.iter().zip(function.parameters).zip(function.results);
    for ((&registers, parameters), results) in of_class {
        if registers > MOST_REGISTERS {
            return Err(format!("{registers} registers of a class are more than {MOST_REGISTERS}"));
        }
        if parameters > registers || results > registers {
            return Err(format!("parameters and results need more than {registers} registers"));
        }
    }
    match function.code.len() {
        1..=MOST_INSTRUCTIONS => Ok(()),
        count => Err(format!("{count} instructions are not from 1 to {MOST_INSTRUCTIONS}")),
    }
}

/// An instruction's place, and what is wrong with it.
type Fault = (usize, String);

/// Whether every operand names something, and nothing runs past the end.
fn check_operands(program: &Program, function: &Function) -> Result<(), Fault> {
    for (at, &instruction) in function.code.iter().enumerate() {
        for (kind, operand) in instruction.operands() {
            let (what, end) = match kind {
                Kind::Read(class) | Kind::Write(class) | Kind::Change(class) => {
                    ("registers", usize::from(function.registers[class as usize]))
                }
                Kind::Integer => ("integer constants", program.integers.len()),
                Kind::Float => ("float constants", program.floats.len()),
                Kind::Label => ("instructions", function.code.len()),
                Kind::Function => ("functions", program.functions.len()),
                Kind::Number => continue,
            };
            if usize::try_from(operand).is_ok_and(|place| place < end) {
                continue;
            }
            let operand = match kind {
                Kind::Read(class) | Kind::Write(class) | Kind::Change(class) => {
                    format!("{}{operand}", class.letter())
                }
                _ => operand.to_string(),
            };
            return Err((at, format!("there is no {operand} among {end} {what}")));
        }
        check_number(program, function, instruction).map_err(|reason| (at, reason))?;
    }
    let last = function.code.len() - 1;
    match function.code[last] {
        Instruction::Ret() | Instruction::Bail() | Instruction::Jump(_) => Ok(()),
        _ => Err((last, "the last instruction must be Ret, Jump or Bail".to_owned())),
    }
}

/// Whether the numbers of an instruction are such that there are for it.
fn check_number(
    program: &Program,
    function: &Function,
    instruction: Instruction,
) -> Result<(), String> {
    match instruction {
        Instruction::MathF(.., number) if usize::from(number) >= floats::MATH.len() => {
            Err(format!("there is no function {number} in `floats::MATH`"))
        }
        Instruction::Math2F(.., number) if usize::from(number) >= floats::MATH_2.len() => {
            Err(format!("there is no function {number} in `floats::MATH_2`"))
        }
        Instruction::ListNew(_, 0) | Instruction::Find(.., 0) | Instruction::Lookup(.., 0) => {
            Err("an element has at least 1 word".to_owned())
        }
        Instruction::SortI(.., 2..) | Instruction::SortF(.., 2..) => {
            Err("a list is sorted forwards by 0 and in reverse by 1".to_owned())
        }
        Instruction::Call(callee, ints, floats, masks) => {
            let callee = &program.functions[usize::from(callee)];
            for (class, base) in Class::ALL.into_iter().zip([ints, floats, masks]) {
                let needed = callee.parameters[class as usize].max(callee.results[class as usize]);
                let have = function.registers[class as usize];
                if u16::from(base) + needed > have && needed > 0 {
                    let letter = class.letter();
                    return Err(format!(
                        "the callee needs {needed} registers from {letter}{base} on, of {have}"
                    ));
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The registers that have been written, of each class.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Written([[u64; 4]; 3]);

impl Written {
    fn first(counts: Counts) -> Self {
        let mut written = Self([[0; 4]; 3]);
        written.add_range([0; 3], counts);
        written
    }

    fn has(&self, class: Class, register: usize) -> bool {
        self.0[class as usize][register / 64] >> (register % 64) & 1 == 1
    }

    fn add(&mut self, class: Class, register: usize) {
        self.0[class as usize][register / 64] |= 1 << (register % 64);
    }

    fn add_range(&mut self, bases: [u8; 3], counts: Counts) {
        for (class, register) in ranges(bases, counts) {
            self.add(class, register);
        }
    }

    fn first_missing(&self, bases: [u8; 3], counts: Counts) -> Option<(Class, usize)> {
        ranges(bases, counts).find(|&(class, register)| !self.has(class, register))
    }

    /// What is written on both ways.
    fn and(&self, other: &Self) -> Self {
        let mut both = *self;
        for (own, other) in both.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()) {
            *own &= other;
        }
        both
    }
}

/// So many registers of each class, from these on.
fn ranges(bases: [u8; 3], counts: Counts) -> impl Iterator<Item = (Class, usize)> {
    Class::ALL.into_iter().flat_map(move |class| {
        let base = usize::from(bases[class as usize]);
        (base..base + usize::from(counts[class as usize])).map(move |register| (class, register))
    })
}

/// Whether every register is written before it is read, on every way there.
fn check_flow(program: &Program, function: &Function) -> Result<(), Fault> {
    let code = &function.code;
    // What is written where a label is reached, as far as ways there were found.
    let mut at_label: Vec<Option<Written>> = vec![None; code.len()];
    let mut is_label = vec![false; code.len()];
    for &instruction in code {
        if let Some(label) = label_of(instruction) {
            is_label[label] = true;
        }
    }
    for _ in 0..MOST_ROUNDS {
        let mut again = false;
        let mut before = Some(Written::first(function.parameters));
        for (at, &instruction) in code.iter().enumerate() {
            if is_label[at] {
                before = match (before, at_label[at]) {
                    (Some(falling), Some(jumping)) => Some(falling.and(&jumping)),
                    (falling, jumping) => falling.or(jumping),
                };
                at_label[at] = before;
            }
            let Some(written) = before else { continue };
            check_reads(program, function, instruction, &written).map_err(|reason| (at, reason))?;
            if let Some(label) = label_of(instruction) {
                let known = at_label[label];
                let now = known.map_or(written, |known| known.and(&written));
                at_label[label] = Some(now);
                again |= label <= at && known != Some(now);
            }
            before = match instruction {
                Instruction::Ret() | Instruction::Bail() | Instruction::Jump(_) => None,
                _ => Some(after(program, instruction, written)),
            };
        }
        if !again {
            return Ok(());
        }
    }
    Err((0, "the function jumps back and forth in too many ways".to_owned()))
}

fn label_of(instruction: Instruction) -> Option<usize> {
    let (_, label) = instruction.operands().find(|&(kind, _)| kind == Kind::Label)?;
    usize::try_from(label).ok()
}

fn check_reads(
    program: &Program,
    function: &Function,
    instruction: Instruction,
    written: &Written,
) -> Result<(), String> {
    let missing = match instruction {
        Instruction::Call(callee, ints, floats, masks) => {
            let callee = &program.functions[usize::from(callee)];
            written.first_missing([ints, floats, masks], callee.parameters)
        }
        Instruction::Ret() => written.first_missing([0; 3], function.results),
        _ => instruction.operands().find_map(|(kind, operand)| match kind {
            Kind::Read(class) | Kind::Change(class) => {
                let register = usize::try_from(operand).ok()?;
                (!written.has(class, register)).then_some((class, register))
            }
            _ => None,
        }),
    };
    match missing {
        Some((class, register)) => {
            Err(format!("{}{register} is read, and not written on every way there", class.letter()))
        }
        None => Ok(()),
    }
}

/// What is written after an instruction that did not jump.
fn after(program: &Program, instruction: Instruction, mut written: Written) -> Written {
    if let Instruction::Call(callee, ints, floats, masks) = instruction {
        let results = program.functions[usize::from(callee)].results;
        written.add_range([ints, floats, masks], results);
    }
    for (kind, operand) in instruction.operands() {
        if let (Kind::Write(class), Ok(register)) = (kind, usize::try_from(operand)) {
            written.add(class, register);
        }
    }
    written
}

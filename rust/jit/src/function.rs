//! Functions of a program: their registers, calls and jumps.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F64, I8, I64};
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, Signature, Type, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::Variable;
use isolation_core::program::{
    Class, Counts, Coverage, Function, Instruction, Kind, MOST_CALLS, Program,
};

use crate::board::Board;
use crate::context::{LEFT, RESULTS, offset};
use crate::emitter::{Emitter, Memory};

/// Functions of up to so many instructions become part of their caller.
const SMALL: usize = 300;
/// So many instructions of a machine function may be those of callees.
const MOST_INLINED: usize = 2000;

/// What the last instruction of a function does.
#[derive(Clone, Copy)]
pub(crate) enum End {
    /// Returns the value of the program.
    Entry,
    /// Returns to another function.
    Function,
    /// Goes on in the caller.
    Inlined(Block),
}

/// A register of a function.
#[derive(Clone, Copy, Default)]
struct Register {
    /// Whether one instruction writes it, or it is a parameter that none does: its value is then the same wherever
    /// it is read, in loops too, since it was written before.
    written_once: bool,
    value: Option<Value>,
    /// What stands for its values otherwise.
    variable: Option<Variable>,
}

/// The registers of a function, and its labels.
pub(crate) struct Frame<'p> {
    pub(crate) function: &'p Function,
    registers: [Vec<Register>; 3],
    /// The block of each instruction that something jumps to.
    labels: Vec<Option<Block>>,
    /// The labels to which something jumps back.
    loops: Vec<bool>,
    /// What is paid where something jumps to an instruction, or comes there by a jump that is not taken.
    stretches: &'p [u32],
    end: End,
    /// Where the caller of an inlined function wants the results.
    outer: Vec<Variable>,
}

/// Translates a function, and those that become part of it.
pub(crate) struct Translator<'a, 'f> {
    pub(crate) emit: Emitter<'f>,
    pub(crate) program: &'a Program,
    /// Which blocks are translated: all, or those that it knows.
    pub(crate) coverage: Option<&'a Coverage>,
    /// Where the run ends because it has come to another one.
    pub(crate) leave: Block,
    /// Where the addresses of all functions are kept.
    pub(crate) entries: &'a [usize],
    /// How many calls there are around this machine function.
    pub(crate) depth: Value,
    /// The functions that are being translated: the last one is part of those before it.
    pub(crate) nest: Vec<u8>,
    pub(crate) inlined: usize,
    /// The functions that are called, and so must be there.
    pub(crate) called: Vec<u8>,
}

/// The register that an operand names.
pub(crate) fn register(operand: i64) -> usize {
    usize::try_from(operand).expect("the program was checked")
}

/// The type of registers of a class.
fn kind_of(class: Class, board: &Board) -> Type {
    match class {
        Class::Int => I64,
        Class::Float => F64,
        Class::Mask => board.set(),
    }
}

/// The first registers of each class, one after the other.
fn first(counts: Counts) -> impl Iterator<Item = (Class, usize)> {
    Class::ALL.into_iter().flat_map(move |class| {
        (0..usize::from(counts[class as usize])).map(move |register| (class, register))
    })
}

/// What a function of the program is called with: the context, how deep, its arguments. It returns whether
/// it bailed.
pub(crate) fn signature(function: &Function, board: &Board, convention: CallConv) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params.extend([AbiParam::new(I64); 2]);
    for (class, _) in first(function.parameters) {
        let kind = kind_of(class, board);
        let words = if kind.bytes() > 8 { 2 } else { 1 };
        let kind = if words == 2 { I64 } else { kind };
        signature.params.extend((0..words).map(|_| AbiParam::new(kind)));
    }
    signature.returns.push(AbiParam::new(I8));
    signature
}

/// The registers of a function, before it begins.
fn registers(program: &Program, function: &Function) -> [Vec<Register>; 3] {
    let mut writers = function.registers.map(|count| vec![0_u8; count.into()]);
    let mut add = |class: Class, register: usize, count: u8| {
        let writers = &mut writers[class as usize][register];
        *writers = writers.saturating_add(count);
    };
    for (class, register) in first(function.parameters) {
        add(class, register, 1);
    }
    for instruction in &function.code {
        // What becomes of a call, or of this, writes in several places.
        let count = if let Instruction::ListPush(..) = instruction { 2 } else { 1 };
        for (kind, operand) in instruction.operands() {
            if let Kind::Write(class) | Kind::Change(class) = kind {
                add(class, register(operand), count);
            }
        }
        if let Instruction::Call(callee, ints, floats, masks) = *instruction {
            let bases = [ints, floats, masks];
            for (class, register) in first(program.functions()[usize::from(callee)].results) {
                add(class, usize::from(bases[class as usize]) + register, 2);
            }
        }
    }
    writers.map(|writers| {
        let register = |&count: &u8| Register { written_once: count == 1, ..Register::default() };
        writers.iter().map(register).collect()
    })
}

impl<'p> Frame<'p> {
    fn new(program: &'p Program, place: u8, end: End) -> Self {
        let place = usize::from(place);
        let function = &program.functions()[place];
        let count = function.code.len();
        Self {
            function,
            registers: registers(program, function),
            labels: vec![None; count],
            loops: vec![false; count],
            stretches: &program.stretches()[place],
            end,
            outer: Vec::new(),
        }
    }
}

impl<'a> Translator<'a, '_> {
    fn variable(&mut self, frame: &mut Frame<'_>, class: Class, register: usize) -> Variable {
        let kind = kind_of(class, self.emit.board);
        let builder = &mut self.emit.builder;
        let register = &mut frame.registers[class as usize][register];
        *register.variable.get_or_insert_with(|| builder.declare_var(kind))
    }

    pub(crate) fn read(&mut self, frame: &mut Frame<'_>, class: Class, register: usize) -> Value {
        if let Some(value) = frame.registers[class as usize][register].value {
            return value;
        }
        let variable = self.variable(frame, class, register);
        self.emit.builder.use_var(variable)
    }

    pub(crate) fn write(
        &mut self,
        frame: &mut Frame<'_>,
        class: Class,
        register: usize,
        value: Value,
    ) {
        let known = &mut frame.registers[class as usize][register];
        if known.written_once {
            known.value = Some(value);
            return;
        }
        let variable = self.variable(frame, class, register);
        self.emit.builder.def_var(variable, value);
    }

    /// Translates a function that is called with these arguments.
    pub(crate) fn function(&mut self, place: u8, arguments: &[Value], end: End) {
        let function = &self.program.functions()[usize::from(place)];
        let mut frame = Frame::new(self.program, place, end);
        let mut left = arguments.iter().copied();
        for (class, register) in first(function.parameters) {
            let mut next = || left.next().expect("as many as the signature has");
            let mut value = next();
            if class == Class::Mask
                && self.emit.builder.func.dfg.value_type(value) != kind_of(class, self.emit.board)
            {
                let high = next();
                value = self.emit.builder.ins().iconcat(value, high);
            }
            self.write(&mut frame, class, register, value);
        }
        self.body(place, &mut frame);
    }

    fn body(&mut self, place: u8, frame: &mut Frame<'a>) {
        self.nest.push(place);
        self.find_labels(frame);
        self.emit.pay(frame.stretches[0]);
        let mut falls_through = true;
        for (at, instruction) in frame.function.code.iter().enumerate() {
            if let Some(block) = frame.labels[at] {
                if falls_through {
                    self.emit.builder.ins().jump(block, &[]);
                }
                self.emit.builder.switch_to_block(block);
                if !frame.loops[at] {
                    self.emit.builder.seal_block(block);
                }
                falls_through = true;
            }
            if falls_through && self.coverage.is_some_and(|known| !known.is_known(place.into(), at))
            {
                self.emit.builder.ins().jump(self.leave, &[]);
                falls_through = false;
            }
            if falls_through {
                falls_through = self.instruction(frame, at, instruction);
            }
        }
        for (block, &is_loop) in frame.labels.iter().zip(&frame.loops) {
            if let (Some(block), true) = (block, is_loop) {
                self.emit.builder.seal_block(*block);
            }
        }
        self.nest.pop();
    }

    fn find_labels(&mut self, frame: &mut Frame<'_>) {
        for (at, instruction) in frame.function.code.iter().enumerate() {
            for (kind, operand) in instruction.operands() {
                if kind == Kind::Label {
                    let label = register(operand);
                    let builder = &mut self.emit.builder;
                    frame.labels[label].get_or_insert_with(|| builder.create_block());
                    frame.loops[label] |= label <= at;
                }
            }
        }
    }

    pub(crate) fn jump(&mut self, frame: &Frame<'_>, label: u16) {
        let label = usize::from(label);
        let to = frame.labels[label].expect("all labels were found before");
        self.emit.pay(frame.stretches[label]);
        if frame.loops[label] {
            self.emit.require_fuel();
        }
        self.emit.builder.ins().jump(to, &[]);
    }

    /// Jumps if the flag is not 0.
    pub(crate) fn jump_if(&mut self, frame: &Frame<'_>, at: usize, label: u16, flag: Value) {
        let [to, on] = [(); 2].map(|()| self.emit.builder.create_block());
        self.emit.builder.ins().brif(flag, to, &[], on, &[]);
        self.emit.enter(to);
        self.jump(frame, label);
        self.emit.enter(on);
        self.emit.pay(frame.stretches[at + 1]);
    }

    pub(crate) fn call(&mut self, frame: &mut Frame<'a>, place: u8, bases: [u8; 3]) {
        let callee = &self.program.functions()[usize::from(place)];
        let depth = self.depth_here();
        let registers: Vec<_> = first(callee.parameters)
            .map(|(class, register)| (class, usize::from(bases[class as usize]) + register))
            .collect();
        let mut arguments = Vec::with_capacity(registers.len());
        for (class, register) in registers {
            arguments.push(self.read(frame, class, register));
        }
        let is_small = callee.code.len() <= SMALL
            && self.inlined + callee.code.len() <= MOST_INLINED
            && !self.nest.contains(&place);
        if is_small {
            self.inlined += callee.code.len();
            self.inline(frame, place, bases, &arguments);
        } else {
            self.call_out(frame, place, bases, &arguments, depth);
        }
    }

    /// How many calls there are around this one. Bails where they are too many.
    fn depth_here(&mut self) -> Value {
        #[allow(clippy::cast_possible_wrap, reason = "some dozens")]
        let (level, most) = ((self.nest.len() - 1) as i64, MOST_CALLS as i64);
        if let Some(depth) = self.emit.known(self.depth) {
            if depth + level >= most {
                let always = self.emit.int(1);
                self.emit.bail_if(always);
            }
            return self.emit.int(depth + level);
        }
        let depth = self.emit.builder.ins().iadd_imm(self.depth, level);
        let too_deep = self.emit.compare_with(IntCC::SignedGreaterThanOrEqual, depth, most);
        self.emit.bail_if(too_deep);
        depth
    }

    /// Translates the callee here.
    fn inline(&mut self, frame: &mut Frame<'a>, place: u8, bases: [u8; 3], arguments: &[Value]) {
        let callee = &self.program.functions()[usize::from(place)];
        let next = self.emit.builder.create_block();
        let mut inner = Frame::new(self.program, place, End::Inlined(next));
        for ((class, register), &value) in first(callee.parameters).zip(arguments) {
            self.write(&mut inner, class, register, value);
        }
        // The callee writes its results to registers of the caller, which it has at hand by these.
        let results: Vec<_> = first(callee.results).collect();
        for &(class, register) in &results {
            let variable =
                self.variable(frame, class, usize::from(bases[class as usize]) + register);
            inner.outer.push(variable);
        }
        self.body(place, &mut inner);
        self.emit.enter(next);
    }

    fn call_out(
        &mut self,
        frame: &mut Frame<'a>,
        place: u8,
        bases: [u8; 3],
        arguments: &[Value],
        depth: Value,
    ) {
        let callee = &self.program.functions()[usize::from(place)];
        self.called.push(place);
        self.emit.put_fuel_back();
        let inner = self.emit.builder.ins().iadd_imm(depth, 1);
        let mut passed = vec![self.emit.context, inner];
        for &value in arguments {
            if self.emit.builder.func.dfg.value_type(value).bytes() > 8 {
                let (low, high) = self.emit.builder.ins().isplit(value);
                passed.extend([low, high]);
            } else {
                passed.push(value);
            }
        }
        let signature = signature(callee, self.emit.board, self.emit.convention);
        let signature = self.emit.builder.import_signature(signature);
        let entry = self.emit.address(&raw const self.entries[usize::from(place)]);
        let entry = self.emit.load(Memory::Table, I64, entry, 0);
        let call = self.emit.builder.ins().call_indirect(signature, entry, &passed);
        let bailed = self.emit.builder.inst_results(call)[0];
        self.emit.bail_if(bailed);
        self.emit.take_fuel();
        let mut at = RESULTS;
        for (class, register) in first(callee.results) {
            let kind = kind_of(class, self.emit.board);
            let value = self.emit.load(Memory::Context, kind, self.emit.context, at);
            at += offset(kind.bytes() as usize);
            self.write(frame, class, usize::from(bases[class as usize]) + register, value);
        }
    }

    pub(crate) fn ret(&mut self, frame: &mut Frame<'_>) {
        let results: Vec<_> = first(frame.function.results).collect();
        let mut values = Vec::with_capacity(results.len());
        for (class, register) in results {
            values.push(self.read(frame, class, register));
        }
        match frame.end {
            End::Entry => {
                self.emit.put_fuel_back();
                self.emit.builder.ins().return_(&values);
            }
            End::Function => {
                let mut at = RESULTS;
                for value in values {
                    self.emit.store(Memory::Context, value, self.emit.context, at);
                    at += offset(self.emit.builder.func.dfg.value_type(value).bytes() as usize);
                }
                self.emit.put_fuel_back();
                let returned = self.emit.builder.ins().iconst(I8, 0);
                self.emit.builder.ins().return_(&[returned]);
            }
            End::Inlined(next) => {
                for (&variable, value) in frame.outer.iter().zip(values) {
                    self.emit.builder.def_var(variable, value);
                }
                self.emit.builder.ins().jump(next, &[]);
            }
        }
    }

    /// Where the run ends without a value: NaN, or that it bailed.
    pub(crate) fn end_by_bail(&mut self, end: End) {
        self.emit.enter(self.leave);
        let left = self.emit.builder.ins().iconst(I8, 1);
        self.emit.store(Memory::Context, left, self.emit.context, LEFT);
        self.emit.builder.ins().jump(self.emit.bail, &[]);
        self.emit.enter(self.emit.cut_off);
        let nothing = self.emit.int(0);
        self.emit.builder.def_var(self.emit.fuel, nothing);
        self.emit.builder.ins().jump(self.emit.bail, &[]);
        self.emit.builder.switch_to_block(self.emit.bail);
        self.emit.builder.seal_block(self.emit.bail);
        // A run that bails beyond its fuel was cut off before.
        let none = self.emit.builder.create_block();
        let fuel = self.emit.builder.use_var(self.emit.fuel);
        let too_little = self.emit.compare_with(IntCC::SignedLessThan, fuel, 1);
        let spent = self.emit.builder.create_block();
        self.emit.builder.ins().brif(too_little, spent, &[], none, &[]);
        self.emit.enter(spent);
        let nothing = self.emit.int(0);
        self.emit.builder.def_var(self.emit.fuel, nothing);
        self.emit.store_fuel();
        self.emit.builder.ins().jump(none, &[]);
        self.emit.enter(none);
        let value = match end {
            End::Entry => self.emit.float(f64::NAN),
            _ => self.emit.builder.ins().iconst(I8, 1),
        };
        self.emit.builder.ins().return_(&[value]);
    }
}

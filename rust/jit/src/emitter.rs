//! What all parts of the translation use: constants, memory, bails, fuel, calls of the host.

use std::collections::{HashMap, HashSet};

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{
    AbiParam, AliasRegion, Block, InstBuilder, InstructionData, MemFlags, Opcode, Signature, Type,
    Value, ValueDef,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Variable};
use isolation_core::program::prices;

use crate::board::Board;
use crate::context::{BAILED, FUEL};

/// Emits one machine function.
pub(crate) struct Emitter<'f> {
    pub(crate) builder: FunctionBuilder<'f>,
    pub(crate) board: &'f Board,
    /// How the host's functions are called, and those of this program.
    pub(crate) convention: CallConv,
    /// The words of the arena that never change.
    pub(crate) data: i64,
    /// The address of the [`Context`](crate::context::Context).
    pub(crate) context: Value,
    /// The fuel that is left; the context's own is behind until [`Self::put_fuel_back`].
    pub(crate) fuel: Variable,
    /// Where the run ends without a value.
    pub(crate) bail: Block,
    /// Where it ends so since its fuel is spent.
    pub(crate) cut_off: Block,
    /// The address of the games.
    pub(crate) games: Value,
    /// Values that are known to be small, and the most they can be, whatever their sign.
    pub(crate) small: HashMap<Value, i64>,
    /// Floats that are known to be multiples of 1/2, and the most they can be, whatever their sign.
    pub(crate) halves: HashMap<Value, f64>,
    /// Values that are known to be handles of games that a program made.
    pub(crate) handles: HashSet<Value>,
    /// Values that are known to be cells of the board.
    pub(crate) on_the_board: HashSet<Value>,
}

/// The memory that an address leads to. Different ones never overlap.
#[derive(Clone, Copy)]
pub(crate) enum Memory {
    /// Fields of the context.
    Context,
    /// Positions.
    Games,
    /// Words of the arena.
    Arena,
    /// What never changes while a program runs.
    Table,
}

impl Memory {
    fn flags(self) -> MemFlags {
        let flags = MemFlags::trusted();
        match self {
            Self::Context => flags.with_alias_region(Some(AliasRegion::Vmctx)),
            Self::Games => flags.with_alias_region(Some(AliasRegion::Table)),
            Self::Arena => flags.with_alias_region(Some(AliasRegion::Heap)),
            // It must not be moved before the check of the place in the table.
            Self::Table => flags.with_readonly(),
        }
    }
}

impl<'f> Emitter<'f> {
    pub(crate) fn new(
        builder: FunctionBuilder<'f>,
        board: &'f Board,
        convention: CallConv,
        data: i64,
        context: Value,
        fuel: Variable,
        [bail, cut_off]: [Block; 2],
    ) -> Self {
        Self {
            builder,
            board,
            convention,
            data,
            context,
            fuel,
            bail,
            cut_off,
            games: context,
            small: HashMap::new(),
            halves: HashMap::new(),
            handles: HashSet::new(),
            on_the_board: HashSet::new(),
        }
    }

    pub(crate) fn int(&mut self, value: i64) -> Value {
        self.builder.ins().iconst(I64, value)
    }

    /// The address of something that lives as long as the machine code.
    pub(crate) fn address<T>(&mut self, of: *const T) -> Value {
        #[allow(clippy::cast_possible_wrap, reason = "the same bits")]
        self.int(of.addr() as i64)
    }

    pub(crate) fn load(&mut self, memory: Memory, kind: Type, address: Value, at: i32) -> Value {
        self.builder.ins().load(kind, memory.flags(), address, at)
    }

    pub(crate) fn store(&mut self, memory: Memory, value: Value, address: Value, at: i32) {
        self.builder.ins().store(memory.flags(), value, address, at);
    }

    /// The integer that a value is known to be.
    pub(crate) fn known(&self, value: Value) -> Option<i64> {
        let value = self.builder.func.dfg.resolve_aliases(value);
        let ValueDef::Result(made_by, _) = self.builder.func.dfg.value_def(value) else {
            return None;
        };
        match self.builder.func.dfg.insts[made_by] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
            _ => None,
        }
    }

    /// The float that a value is known to be.
    pub(crate) fn known_float(&self, value: Value) -> Option<f64> {
        let value = self.builder.func.dfg.resolve_aliases(value);
        let ValueDef::Result(made_by, _) = self.builder.func.dfg.value_def(value) else {
            return None;
        };
        match self.builder.func.dfg.insts[made_by] {
            InstructionData::UnaryIeee64 { opcode: Opcode::F64const, imm } => {
                Some(f64::from_bits(imm.bits()))
            }
            _ => None,
        }
    }

    /// The most that an integer can be, whatever its sign.
    pub(crate) fn most(&self, value: Value) -> Option<i64> {
        self.small.get(&value).copied().or_else(|| self.known(value)?.checked_abs())
    }

    /// Notes the most that a value can be.
    pub(crate) fn at_most(&mut self, value: Value, most: i64) -> Value {
        self.small.insert(value, most);
        value
    }

    /// A comparison's result as an integer.
    pub(crate) fn truth(&mut self, flag: Value) -> Value {
        let truth = self.builder.ins().uextend(I64, flag);
        self.at_most(truth, 1)
    }

    pub(crate) fn compare(&mut self, condition: IntCC, a: Value, b: Value) -> Value {
        self.builder.ins().icmp(condition, a, b)
    }

    pub(crate) fn compare_with(&mut self, condition: IntCC, a: Value, b: i64) -> Value {
        self.builder.ins().icmp_imm(condition, a, b)
    }

    pub(crate) fn compare_floats(&mut self, condition: FloatCC, a: Value, b: Value) -> Value {
        self.builder.ins().fcmp(condition, a, b)
    }

    /// Goes on in a new block, which is reached from the one before only.
    pub(crate) fn enter(&mut self, block: Block) {
        self.builder.switch_to_block(block);
        self.builder.seal_block(block);
    }

    /// Bails if the flag is not 0.
    pub(crate) fn bail_if(&mut self, flag: Value) {
        let on = self.builder.create_block();
        self.builder.ins().brif(flag, self.bail, &[], on, &[]);
        self.enter(on);
    }

    /// Bails if the flag is 0.
    pub(crate) fn bail_unless(&mut self, flag: Value) {
        let on = self.builder.create_block();
        self.builder.ins().brif(flag, on, &[], self.bail, &[]);
        self.enter(on);
    }

    /// Bails unless `0 <= value < end`.
    pub(crate) fn bail_beyond(&mut self, value: Value, end: i64) {
        if self.known(value).is_some_and(|value| (0..end).contains(&value)) {
            return;
        }
        let inside = self.compare_with(IntCC::UnsignedLessThan, value, end);
        self.bail_unless(inside);
    }

    /// Pays a price. Whether something is left is looked at where code may come again, and where it is left.
    pub(crate) fn pay(&mut self, price: u32) {
        let fuel = self.builder.use_var(self.fuel);
        let left = self.builder.ins().iadd_imm(fuel, -i64::from(price));
        self.builder.def_var(self.fuel, left);
    }

    /// The same of a price that is at most some millions.
    pub(crate) fn pay_value(&mut self, price: Value) {
        let fuel = self.builder.use_var(self.fuel);
        let left = self.builder.ins().isub(fuel, price);
        self.builder.def_var(self.fuel, left);
    }

    /// Ends the run where nothing is left.
    pub(crate) fn require_fuel(&mut self) {
        let fuel = self.builder.use_var(self.fuel);
        let too_little = self.compare_with(IntCC::SignedLessThan, fuel, 1);
        let on = self.builder.create_block();
        self.builder.ins().brif(too_little, self.cut_off, &[], on, &[]);
        self.enter(on);
    }

    /// Pays for the elements of a set.
    pub(crate) fn pay_for_set(&mut self, set: Value) {
        let count = self.count(set);
        let price = self.builder.ins().imul_imm(count, i64::from(prices::SET_ELEMENT));
        self.pay_value(price);
    }

    /// The price of a question for moves, of so many.
    pub(crate) fn price_of_moves(&mut self, count: Value) -> Value {
        let each = self.builder.ins().imul_imm(count, i64::from(prices::MOVE));
        let few = self.builder.ins().iadd_imm(each, i64::from(prices::MOVES));
        let all = self.int(self.board.blank_price.into());
        let is_many = self.compare_with(IntCC::UnsignedGreaterThan, count, 8);
        self.builder.ins().select(is_many, all, few)
    }

    /// Stores what is left, where something is: else the run ends.
    pub(crate) fn put_fuel_back(&mut self) {
        self.require_fuel();
        self.store_fuel();
    }

    pub(crate) fn store_fuel(&mut self) {
        let fuel = self.builder.use_var(self.fuel);
        self.builder.ins().istore32(Memory::Context.flags(), fuel, self.context, FUEL);
    }

    pub(crate) fn take_fuel(&mut self) {
        let fuel = self.builder.ins().uload32(Memory::Context.flags(), self.context, FUEL);
        self.builder.def_var(self.fuel, fuel);
    }

    /// Calls a function of the host that never bails, and needs nothing but its arguments.
    pub(crate) fn pure_call(&mut self, function: *const u8, args: &[Value], result: Type) -> Value {
        self.call(function, args, Some(result)).expect("it returns a value")
    }

    /// Calls a function of the host that gets the context before its arguments, and may bail.
    pub(crate) fn host_call(
        &mut self,
        function: *const u8,
        args: &[Value],
        result: Option<Type>,
    ) -> Option<Value> {
        self.put_fuel_back();
        let args: Vec<_> = [self.context].into_iter().chain(args.iter().copied()).collect();
        let result = self.call(function, &args, result);
        let bailed = self.load(Memory::Context, I8, self.context, BAILED);
        self.bail_if(bailed);
        self.take_fuel();
        result
    }

    fn call(&mut self, function: *const u8, args: &[Value], result: Option<Type>) -> Option<Value> {
        let mut signature = Signature::new(self.convention);
        for &value in args {
            signature.params.push(AbiParam::new(self.builder.func.dfg.value_type(value)));
        }
        signature.returns.extend(result.map(AbiParam::new));
        let signature = self.builder.import_signature(signature);
        let function = self.address(function);
        let call = self.builder.ins().call_indirect(signature, function, args);
        self.builder.inst_results(call).first().copied()
    }

    pub(crate) fn float(&mut self, value: f64) -> Value {
        self.builder.ins().f64const(value)
    }
}

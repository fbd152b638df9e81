//! Words of the arena, and lists in it.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Type, Value};
use isolation_core::program::{Class, Instruction, Kind};

use crate::context::{SCRATCH, USED, WORDS, offset};
use crate::emitter::{Emitter, Memory};
use crate::function::{Frame, Translator, register};
use crate::host;

impl Emitter<'_> {
    /// The address in memory of a word of the arena, which was allocated.
    fn word_at(&mut self, place: Value) -> Value {
        let words = self.load(Memory::Context, I64, self.context, WORDS);
        let at = self.builder.ins().ishl_imm(place, 3);
        self.builder.ins().iadd(words, at)
    }

    pub(crate) fn load_word(&mut self, address: Value, offset: i32, kind: Type) -> Value {
        let place = self.builder.ins().iadd_imm(address, i64::from(offset));
        let used = self.load(Memory::Context, I64, self.context, USED);
        let is_there = self.compare(IntCC::UnsignedLessThan, place, used);
        self.bail_unless(is_there);
        let at = self.word_at(place);
        self.load(Memory::Arena, kind, at, 0)
    }

    pub(crate) fn store_word(&mut self, address: Value, offset: i32, word: Value) {
        let place = self.builder.ins().iadd_imm(address, i64::from(offset));
        let used = self.load(Memory::Context, I64, self.context, USED);
        // Beyond the data, which never changes.
        let after = self.builder.ins().iadd_imm(place, -self.data);
        let free = self.builder.ins().iadd_imm(used, -self.data);
        let is_there = self.compare(IntCC::UnsignedLessThan, after, free);
        self.bail_unless(is_there);
        let at = self.word_at(place);
        self.store(Memory::Arena, word, at, 0);
    }
}

/// The header of a list, as machine code has it.
struct Header {
    len: Value,
    capacity: Value,
    start: Value,
    words: Value,
    /// Whether it is a list: all of its elements are in the arena.
    is_sound: Value,
}

impl Emitter<'_> {
    /// All of these flags.
    fn all(&mut self, flags: &[Value]) -> Value {
        let all = flags.iter().copied().reduce(|a, b| self.builder.ins().band(a, b));
        all.expect("there is one")
    }

    /// The header at an address, looked at as the core does. Bails where there is no place for one.
    fn header(&mut self, list: Value) -> Header {
        const WORDS: i64 = 4;
        let used = self.load(Memory::Context, I64, self.context, USED);
        let end = self.builder.ins().iadd_imm(list, WORDS - 1);
        let starts = self.compare(IntCC::UnsignedLessThan, list, used);
        let ends = self.compare(IntCC::UnsignedLessThan, end, used);
        let is_there = self.builder.ins().band(starts, ends);
        self.bail_unless(is_there);
        let at = self.word_at(list);
        let [len, capacity, start, words] =
            [0, 8, 16, 24].map(|offset| self.load(Memory::Arena, I64, at, offset));
        let both = self.builder.ins().bor(len, capacity);
        let others = self.builder.ins().bor(start, words);
        let bits = self.builder.ins().bor(both, others);
        let high = self.builder.ins().ushr_imm(bits, 32);
        let room = self.builder.ins().imul(capacity, words);
        let end = self.builder.ins().iadd(start, room);
        let flags = [
            self.compare_with(IntCC::Equal, high, 0),
            self.compare(IntCC::UnsignedLessThanOrEqual, len, capacity),
            self.compare_with(IntCC::NotEqual, words, 0),
            self.compare(IntCC::UnsignedLessThanOrEqual, end, used),
        ];
        let is_sound = self.all(&flags);
        Header { len, capacity, start, words, is_sound }
    }

    pub(crate) fn list_len(&mut self, list: Value) -> Value {
        let header = self.header(list);
        self.bail_unless(header.is_sound);
        self.at_most(header.len, u32::MAX.into())
    }

    /// The address of an element; a negative index counts from the end.
    pub(crate) fn list_at(&mut self, list: Value, index: Value) -> Value {
        let header = self.header(list);
        let is_back = self.compare_with(IntCC::SignedLessThan, index, 0);
        let back = self.builder.ins().iadd(index, header.len);
        let index = self.builder.ins().select(is_back, back, index);
        let is_there = self.compare(IntCC::UnsignedLessThan, index, header.len);
        let both = self.builder.ins().band(header.is_sound, is_there);
        self.bail_unless(both);
        let after = self.builder.ins().imul(index, header.words);
        self.builder.ins().iadd(header.start, after)
    }

    /// Whether a list has room for one more element of one word or two, outside the data; how long it is, and the
    /// first and last word of that element.
    fn room(&mut self, list: Value) -> (Value, Value, [Value; 2]) {
        let header = self.header(list);
        let flags = [
            header.is_sound,
            self.compare(IntCC::UnsignedLessThan, header.len, header.capacity),
            self.compare_with(IntCC::UnsignedLessThanOrEqual, header.words, 2),
            self.compare_with(IntCC::SignedGreaterThanOrEqual, list, self.data),
            self.compare_with(IntCC::SignedGreaterThanOrEqual, header.start, self.data),
        ];
        let has_room = self.all(&flags);
        let after = self.builder.ins().imul(header.len, header.words);
        let end = self.builder.ins().iadd(header.start, after);
        let past = self.builder.ins().iadd(end, header.words);
        let inside = self.builder.ins().iadd_imm(past, -1);
        (has_room, header.len, [end, inside])
    }
}

impl<'a> Translator<'a, '_> {
    /// An instruction on lists. The most frequent ones are done here.
    pub(crate) fn on_list(&mut self, frame: &mut Frame<'a>, instruction: &'a Instruction) {
        match *instruction {
            Instruction::ListLen(to, list) => {
                let list = self.read(frame, Class::Int, list.into());
                let len = self.emit.list_len(list);
                self.write(frame, Class::Int, to.into(), len);
            }
            Instruction::ListAt(to, list, index) => {
                let list = self.read(frame, Class::Int, list.into());
                let index = self.read(frame, Class::Int, index.into());
                let address = self.emit.list_at(list, index);
                self.write(frame, Class::Int, to.into(), address);
            }
            Instruction::ListPush(to, list) => {
                let list = self.read(frame, Class::Int, list.into());
                let (has_room, len, element) = self.emit.room(list);
                let [here, there, on] = [(); 3].map(|()| self.emit.builder.create_block());
                self.emit.builder.ins().brif(has_room, here, &[], there, &[]);
                self.emit.enter(here);
                let longer = self.emit.builder.ins().iadd_imm(len, 1);
                let header = self.emit.word_at(list);
                self.emit.store(Memory::Arena, longer, header, 0);
                let zero = self.emit.int(0);
                for word in element {
                    let word = self.emit.word_at(word);
                    self.emit.store(Memory::Arena, zero, word, 0);
                }
                self.write(frame, Class::Int, to.into(), element[0]);
                self.emit.builder.ins().jump(on, &[]);
                self.emit.enter(there);
                self.by_host(frame, instruction);
                self.emit.builder.ins().jump(on, &[]);
                self.emit.enter(on);
            }
            _ => self.by_host(frame, instruction),
        }
    }

    /// The host does it as the machine does, on registers that are copied to the context and back.
    fn by_host(&mut self, frame: &mut Frame<'a>, instruction: &'a Instruction) {
        let scratch = |operand: i64| SCRATCH + offset(8 * register(operand));
        for (kind, operand) in instruction.operands() {
            if let Kind::Read(class) = kind {
                let value = self.read(frame, class, register(operand));
                self.emit.store(Memory::Context, value, self.emit.context, scratch(operand));
            }
        }
        let address = self.emit.address(std::ptr::from_ref(instruction));
        self.emit.host_call(host::LISTS(), &[address], None);
        for (kind, operand) in instruction.operands() {
            if let Kind::Write(class) = kind {
                let value =
                    self.emit.load(Memory::Context, I64, self.emit.context, scratch(operand));
                self.write(frame, class, register(operand), value);
            }
        }
    }
}

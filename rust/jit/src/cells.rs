//! Cells and sets of cells.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I64, I128};
use cranelift_codegen::ir::{InstBuilder, Value};

use crate::context::ORDER_BITS;
use crate::emitter::{Emitter, Memory};
use crate::host;

impl Emitter<'_> {
    /// A set that is known.
    pub(crate) fn set(&mut self, cells: u128) -> Value {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_possible_wrap,
            reason = "the same bits, each half by itself"
        )]
        let (low, high) = (cells as i64, (cells >> 64) as i64);
        let low = self.int(low);
        if self.board.set() == I64 {
            return low;
        }
        let high = self.int(high);
        self.builder.ins().iconcat(low, high)
    }

    /// A set as two words, the lower first.
    pub(crate) fn words(&mut self, set: Value) -> (Value, Value) {
        if self.board.set() == I128 { self.builder.ins().isplit(set) } else { (set, self.int(0)) }
    }

    /// The set of one cell of the board.
    fn only(&mut self, cell: Value) -> Value {
        let first = self.set(1);
        self.builder.ins().ishl(first, cell)
    }

    fn bail_off_board(&mut self, cell: Value) {
        if !self.on_the_board.contains(&cell) {
            self.bail_beyond(cell, self.board.cells);
        }
    }

    pub(crate) fn on_board(&mut self, cell: Value) -> Value {
        self.compare_with(IntCC::UnsignedLessThan, cell, self.board.cells)
    }

    pub(crate) fn set_of(&mut self, cell: Value) -> Value {
        self.bail_off_board(cell);
        self.only(cell)
    }

    pub(crate) fn without(&mut self, a: Value, b: Value) -> Value {
        let others = self.builder.ins().bnot(b);
        self.builder.ins().band(a, others)
    }

    /// Whether a set has no cells.
    pub(crate) fn is_empty(&mut self, set: Value) -> Value {
        let word = if self.board.set() == I128 {
            let (low, high) = self.builder.ins().isplit(set);
            self.builder.ins().bor(low, high)
        } else {
            set
        };
        self.compare_with(IntCC::Equal, word, 0)
    }

    pub(crate) fn is_some(&mut self, set: Value) -> Value {
        let none = self.is_empty(set);
        self.builder.ins().bxor_imm(none, 1)
    }

    /// An integer that was found for a set, as an integer of 64 bits.
    fn narrow(&mut self, value: Value) -> Value {
        if self.board.set() == I128 { self.builder.ins().ireduce(I64, value) } else { value }
    }

    pub(crate) fn count(&mut self, set: Value) -> Value {
        let count = self.builder.ins().popcnt(set);
        let count = self.narrow(count);
        self.at_most(count, self.board.cells)
    }

    /// Whether a cell is in a set; 0 off the board.
    pub(crate) fn has(&mut self, set: Value, cell: Value) -> Value {
        let rest = self.builder.ins().ushr(set, cell);
        let rest = self.narrow(rest);
        let bit = self.builder.ins().band_imm(rest, 1);
        let on_board = self.on_board(cell);
        let on_board = self.builder.ins().uextend(I64, on_board);
        let has = self.builder.ins().band(bit, on_board);
        self.at_most(has, 1)
    }

    pub(crate) fn with_cell(&mut self, set: Value, cell: Value) -> Value {
        let only = self.set_of(cell);
        self.builder.ins().bor(set, only)
    }

    /// The lowest cell of a set that is not empty, and the others.
    pub(crate) fn pop(&mut self, set: Value) -> (Value, Value) {
        let cell = self.builder.ins().ctz(set);
        let cell = self.narrow(cell);
        let one = self.set(1);
        let below = self.builder.ins().isub(set, one);
        let rest = self.builder.ins().band(set, below);
        self.on_the_board.insert(cell);
        (self.at_most(cell, self.board.cells), rest)
    }

    /// At most 8 cells in the order in which the board lists moves from a cell, or increasing from -1.
    pub(crate) fn pack_moves(&mut self, moves: Value, origin: Value) -> Value {
        let count = self.count(moves);
        let few = self.compare_with(IntCC::UnsignedLessThanOrEqual, count, 8);
        let place = self.builder.ins().iadd_imm(origin, 1);
        let is_origin = self.compare_with(IntCC::UnsignedLessThanOrEqual, place, self.board.cells);
        let both = self.builder.ins().band(few, is_origin);
        self.bail_unless(both);
        let (low, high) = self.words(moves);
        let bits = self.load(Memory::Context, I64, self.context, ORDER_BITS);
        self.pure_call(host::PACK_MOVES, &[low, high, bits, origin], I64)
    }

    /// A set of a table, by the place of a cell in it that is known to be there.
    pub(crate) fn of_table(&mut self, table: *const u64, place: Value) -> Value {
        let kind = self.board.set();
        let start = self.address(table);
        let shift = i64::from(kind.bytes().ilog2());
        let at = self.builder.ins().ishl_imm(place, shift);
        let address = self.builder.ins().iadd(start, at);
        self.load(Memory::Table, kind, address, 0)
    }

    pub(crate) fn knight_from(&mut self, cell: Value) -> Value {
        self.bail_off_board(cell);
        self.of_table(self.board.reach.as_ptr(), cell)
    }

    /// The cell of a row and a column, or -1.
    pub(crate) fn cell_of(&mut self, row: Value, column: Value) -> Value {
        let in_rows = self.compare_with(IntCC::UnsignedLessThan, row, self.board.height);
        let in_columns = self.compare_with(IntCC::UnsignedLessThan, column, self.board.width);
        let inside = self.builder.ins().band(in_rows, in_columns);
        let start = self.builder.ins().imul_imm(column, self.board.height);
        let cell = self.builder.ins().iadd(start, row);
        let none = self.int(-1);
        let cell = self.builder.ins().select(inside, cell, none);
        self.at_most(cell, self.board.cells)
    }

    /// Row and column of a cell.
    pub(crate) fn coordinates(&mut self, cell: Value) -> (Value, Value) {
        /// With so many bits the product is exact: cells and heights are below 2⁷ each.
        const BITS: i64 = 16;
        self.bail_off_board(cell);
        let inverse = ((1 << BITS) + self.board.height - 1) / self.board.height;
        let scaled = self.builder.ins().imul_imm(cell, inverse);
        let column = self.builder.ins().ushr_imm(scaled, BITS);
        let start = self.builder.ins().imul_imm(column, self.board.height);
        let row = self.builder.ins().isub(cell, start);
        (self.at_most(row, self.board.height), self.at_most(column, self.board.width))
    }
}

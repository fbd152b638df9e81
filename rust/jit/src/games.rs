//! Positions: the board that is asked about, and those that a program makes of it.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};

use crate::context::{Game, MADE, MOST_GAMES, offset};
use crate::emitter::{Emitter, Memory};

const BLANK: i32 = offset(offset_of!(Game, blank));
const PLACES: i32 = offset(offset_of!(Game, places));
const TO_MOVE: i32 = offset(offset_of!(Game, to_move));
const MOVE_COUNT: i32 = offset(offset_of!(Game, move_count));

impl Emitter<'_> {
    /// The address of a game.
    pub(crate) fn game(&mut self, handle: Value) -> Value {
        const SHIFT: i64 = size_of::<Game>().ilog2() as i64;
        if self.known(handle) == Some(0) {
            return self.games;
        }
        if !self.handles.contains(&handle) {
            let made = self.load(Memory::Context, I64, self.context, MADE);
            let is_one = self.compare(IntCC::UnsignedLessThanOrEqual, handle, made);
            self.bail_unless(is_one);
        }
        let at = self.builder.ins().ishl_imm(handle, SHIFT);
        self.builder.ins().iadd(self.games, at)
    }

    pub(crate) fn move_count(&mut self, handle: Value) -> Value {
        let game = self.game(handle);
        self.load(Memory::Games, I64, game, MOVE_COUNT)
    }

    pub(crate) fn active(&mut self, handle: Value) -> Value {
        let game = self.game(handle);
        let active = self.load(Memory::Games, I64, game, TO_MOVE);
        self.at_most(active, 1)
    }

    pub(crate) fn opponent(&mut self, player: Value) -> Value {
        self.builder.ins().bxor_imm(player, 1)
    }

    fn place_at(&mut self, game: Value, player: Value) -> Value {
        let player = self.builder.ins().band_imm(player, 1);
        let at = self.builder.ins().ishl_imm(player, 3);
        let address = self.builder.ins().iadd(game, at);
        let place = self.load(Memory::Games, I64, address, PLACES);
        self.at_most(place, self.board.cells)
    }

    pub(crate) fn location(&mut self, handle: Value, player: Value) -> Value {
        let game = self.game(handle);
        let place = self.place_at(game, player);
        let is_placed = self.on_board(place);
        let none = self.int(-1);
        let location = self.builder.ins().select(is_placed, place, none);
        self.at_most(location, self.board.cells)
    }

    pub(crate) fn blank(&mut self, handle: Value) -> Value {
        let game = self.game(handle);
        self.load(Memory::Games, self.board.set(), game, BLANK)
    }

    fn moves_at(&mut self, game: Value, player: Value) -> Value {
        let place = self.place_at(game, player);
        let reach = self.of_table(self.board.reach.as_ptr(), place);
        let blank = self.load(Memory::Games, self.board.set(), game, BLANK);
        self.builder.ins().band(blank, reach)
    }

    /// The moves of a player, as a set.
    pub(crate) fn moves(&mut self, handle: Value, player: Value) -> Value {
        let game = self.game(handle);
        self.moves_at(game, player)
    }

    /// Whether the player, or its opponent, is to move and has no move.
    pub(crate) fn is_stuck(&mut self, handle: Value, player: Value, opponent: bool) -> Value {
        let game = self.game(handle);
        let player = if opponent { self.opponent(player) } else { player };
        let player = self.builder.ins().band_imm(player, 1);
        let active = self.load(Memory::Games, I64, game, TO_MOVE);
        let is_active = self.compare(IntCC::Equal, active, player);
        let moves = self.moves_at(game, player);
        // Only the player to move can have lost, so only its moves are paid.
        let count = self.count(moves);
        let price = self.price_of_moves(count);
        let nothing = self.int(0);
        let price = self.builder.ins().select(is_active, price, nothing);
        self.pay_value(price);
        let some = self.is_some(moves);
        let none = self.builder.ins().bxor_imm(some, 1);
        self.builder.ins().band(is_active, none)
    }

    pub(crate) fn moves_from(&mut self, handle: Value, cell: Value) -> Value {
        let reach = self.knight_from(cell);
        let blank = self.blank(handle);
        self.builder.ins().band(blank, reach)
    }

    /// The address of a new game, and its handle.
    fn new_game(&mut self) -> (Value, Value) {
        let made = self.load(Memory::Context, I64, self.context, MADE);
        let too_many = self.compare_with(IntCC::Equal, made, MOST_GAMES.into());
        self.bail_if(too_many);
        let handle = self.builder.ins().iadd_imm(made, 1);
        self.store(Memory::Context, handle, self.context, MADE);
        self.handles.insert(handle);
        (self.game(handle), handle)
    }

    pub(crate) fn copy_game(&mut self, handle: Value) -> Value {
        let old = self.game(handle);
        let (new, handle) = self.new_game();
        let blank = self.load(Memory::Games, self.board.set(), old, BLANK);
        self.store(Memory::Games, blank, new, BLANK);
        for at in [PLACES, PLACES + 8, TO_MOVE, MOVE_COUNT] {
            let word = self.load(Memory::Games, I64, old, at);
            self.store(Memory::Games, word, new, at);
        }
        handle
    }

    pub(crate) fn forecast(&mut self, handle: Value, cell: Value) -> Value {
        let set = self.set_of(cell);
        let old = self.game(handle);
        let (new, handle) = self.new_game();
        self.after_jump(old, new, set, cell);
        handle
    }

    pub(crate) fn apply(&mut self, handle: Value, cell: Value) {
        let set = self.set_of(cell);
        if !self.handles.contains(&handle) {
            let is_root = self.compare_with(IntCC::Equal, handle, 0);
            self.bail_if(is_root);
        }
        let game = self.game(handle);
        self.after_jump(game, game, set, cell);
    }

    /// Writes what becomes of a game by a jump of the player to move.
    fn after_jump(&mut self, old: Value, new: Value, set: Value, cell: Value) {
        let blank = self.load(Memory::Games, self.board.set(), old, BLANK);
        let to_move = self.load(Memory::Games, I64, old, TO_MOVE);
        let count = self.load(Memory::Games, I64, old, MOVE_COUNT);
        let [first, second] = [PLACES, PLACES + 8].map(|at| self.load(Memory::Games, I64, old, at));
        let blank = self.without(blank, set);
        let new_first = self.builder.ins().select(to_move, first, cell);
        let new_second = self.builder.ins().select(to_move, cell, second);
        let to_move = self.builder.ins().bxor_imm(to_move, 1);
        let count = self.builder.ins().iadd_imm(count, 1);
        self.store(Memory::Games, blank, new, BLANK);
        let words = [
            (new_first, PLACES),
            (new_second, PLACES + 8),
            (to_move, TO_MOVE),
            (count, MOVE_COUNT),
        ];
        for (word, at) in words {
            self.store(Memory::Games, word, new, at);
        }
    }
}

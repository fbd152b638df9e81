//! What each instruction becomes that works on cells, games and lists.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use isolation_core::program::{Class, Instruction};

use crate::function::{Frame, Translator};
use crate::host;

impl<'a> Translator<'a, '_> {
    #[allow(clippy::too_many_lines, reason = "one line an instruction")]
    pub(crate) fn on_board(
        &mut self,
        frame: &mut Frame<'a>,
        at: usize,
        instruction: &'a Instruction,
    ) {
        use Instruction as Op;
        macro_rules! i {
            ($register:expr) => {
                self.read(frame, Class::Int, $register.into())
            };
        }
        macro_rules! m {
            ($register:expr) => {
                self.read(frame, Class::Mask, $register.into())
            };
        }
        macro_rules! set {
            ($class:ident $to:expr, $value:expr) => {{
                let value = $value;
                self.write(frame, Class::$class, $to.into(), value);
            }};
        }
        // What a method makes of some registers.
        macro_rules! of {
            ($class:ident $to:expr, $method:ident, $kind:ident $a:expr) => {{
                let a = $kind!($a);
                set!($class $to, self.emit.$method(a));
            }};
            ($class:ident $to:expr, $method:ident, $kind:ident $a:expr, $other:ident $b:expr) => {{
                let (a, b) = ($kind!($a), $other!($b));
                set!($class $to, self.emit.$method(a, b));
            }};
        }
        // Two sets whose elements are paid for.
        macro_rules! both {
            ($a:expr, $b:expr) => {{
                let (a, b) = (m!($a), m!($b));
                self.emit.pay_for_set(a);
                self.emit.pay_for_set(b);
                (a, b)
            }};
        }
        // Moves that are paid for, and how many they are.
        macro_rules! moves {
            ($method:ident, $game:expr, $place:expr) => {{
                let (game, place) = (i!($game), i!($place));
                let moves = self.emit.$method(game, place);
                let count = self.emit.count(moves);
                let price = self.emit.price_of_moves(count);
                self.emit.pay_value(price);
                (moves, count)
            }};
        }
        macro_rules! host {
            ($function:ident, $($argument:expr),*) => {{
                let args: &[Value] = &[$($argument),*];
                self.emit.host_call(host::$function(), args, None);
            }};
            (Int $to:expr, $function:ident, $($argument:expr),*) => {{
                let args: &[Value] = &[$($argument),*];
                let value = self.emit.host_call(host::$function(), args, Some(I64));
                set!(Int $to, value.expect("it returns an integer"));
            }};
        }
        match *instruction {
            Op::MaskEmpty(to) => set!(Mask to, self.emit.set(0)),
            Op::MaskAnd(to, a, b) => {
                let (a, b) = both!(a, b);
                set!(Mask to, self.emit.builder.ins().band(a, b));
            }
            Op::MaskOr(to, a, b) => {
                let (a, b) = both!(a, b);
                set!(Mask to, self.emit.builder.ins().bor(a, b));
            }
            Op::MaskWithout(to, a, b) => {
                let (a, b) = both!(a, b);
                set!(Mask to, self.emit.without(a, b));
            }
            Op::MaskXor(to, a, b) => {
                let (a, b) = both!(a, b);
                set!(Mask to, self.emit.builder.ins().bxor(a, b));
            }
            Op::MaskCount(to, a) => of!(Int to, count, m a),
            Op::MaskHas(to, a, cell) => of!(Int to, has, m a, i cell),
            Op::MaskAdd(set, cell) => of!(Mask set, with_cell, m set, i cell),
            Op::MaskPop(to, set, none) => {
                let cells = m!(set);
                let empty = self.emit.is_empty(cells);
                self.jump_if(frame, at, none, empty);
                let (cell, rest) = self.emit.pop(cells);
                set!(Mask set, rest);
                set!(Int to, cell);
            }
            Op::CellOf(to, row, column) => of!(Int to, cell_of, i row, i column),
            Op::RowOf(to, cell) => {
                let cell = i!(cell);
                set!(Int to, self.emit.coordinates(cell).0);
            }
            Op::ColOf(to, cell) => {
                let cell = i!(cell);
                set!(Int to, self.emit.coordinates(cell).1);
            }

            Op::Width(to) => set!(Int to, self.emit.int(self.emit.board.width)),
            Op::Height(to) => set!(Int to, self.emit.int(self.emit.board.height)),
            Op::MoveCount(to, game) => of!(Int to, move_count, i game),
            Op::Active(to, game) => of!(Int to, active, i game),
            Op::Opponent(to, player) => of!(Int to, opponent, i player),
            Op::Location(to, game, player) | Op::Origin(to, game, player) => {
                of!(Int to, location, i game, i player);
            }
            Op::Blank(to, game) => {
                of!(Mask to, blank, i game);
                self.emit.pay(self.emit.board.blank_price);
            }
            Op::Moves(to, game, player) => set!(Mask to, moves!(moves, game, player).0),
            Op::Mobility(to, game, player) => set!(Int to, moves!(moves, game, player).1),
            Op::CanMove(to, game, player) => {
                let (moves, _) = moves!(moves, game, player);
                let flag = self.emit.is_some(moves);
                set!(Int to, self.emit.truth(flag));
            }
            Op::IsLoser(to, game, player) => {
                let (game, player) = (i!(game), i!(player));
                let flag = self.emit.is_stuck(game, player, false);
                set!(Int to, self.emit.truth(flag));
            }
            Op::IsWinner(to, game, player) => {
                let (game, player) = (i!(game), i!(player));
                let flag = self.emit.is_stuck(game, player, true);
                set!(Int to, self.emit.truth(flag));
            }
            Op::IsBlank(to, game, cell) => {
                let (game, cell) = (i!(game), i!(cell));
                let blank = self.emit.blank(game);
                set!(Int to, self.emit.has(blank, cell));
            }
            Op::MobilityFrom(to, game, cell) => set!(Int to, moves!(moves_from, game, cell).1),
            Op::MovesFrom(to, game, cell) => set!(Mask to, moves!(moves_from, game, cell).0),
            Op::Forecast(to, game, cell) => of!(Int to, forecast, i game, i cell),
            Op::CopyGame(to, game) => of!(Int to, copy_game, i game),
            Op::Apply(game, cell) => {
                let (game, cell) = (i!(game), i!(cell));
                self.emit.apply(game, cell);
            }

            Op::PackMoves(to, moves, origin) => of!(Int to, pack_moves, m moves, i origin),
            Op::OrderedList(to, moves, origin) => {
                let moves = m!(moves);
                let (low, high) = self.emit.words(moves);
                host!(Int to, ORDERED_LIST, low, high, i!(origin));
            }
            Op::NextPacked(to, packed, none) => {
                let cells = i!(packed);
                let empty = self.emit.compare_with(IntCC::Equal, cells, 0);
                self.jump_if(frame, at, none, empty);
                let rest = self.emit.builder.ins().ushr_imm(cells, 8);
                set!(Int packed, rest);
                let cell = self.emit.builder.ins().band_imm(cells, 0xFF);
                let cell = self.emit.builder.ins().iadd_imm(cell, -1);
                set!(Int to, self.emit.at_most(cell, 0xFF));
            }
            _ => self.on_list(frame, instruction),
        }
    }
}

//! What each instruction becomes.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F64, I64};
use cranelift_codegen::ir::{InstBuilder, Value};
use isolation_core::program::{Class, Instruction};

use crate::function::{Frame, Translator};
use crate::host;
use crate::numbers::Rounding;

impl<'a> Translator<'a, '_> {
    /// Translates one instruction. Whether the one after it can be reached from it.
    #[allow(clippy::too_many_lines, reason = "one line an instruction")]
    pub(crate) fn instruction(
        &mut self,
        frame: &mut Frame<'a>,
        at: usize,
        instruction: &'a Instruction,
    ) -> bool {
        use Instruction as Op;
        macro_rules! i {
            ($register:expr) => {
                self.read(frame, Class::Int, $register.into())
            };
        }
        macro_rules! f {
            ($register:expr) => {
                self.read(frame, Class::Float, $register.into())
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
        macro_rules! ints {
            ($to:expr, $method:ident, $a:expr, $b:expr) => {{
                let (a, b) = (i!($a), i!($b));
                set!(Int $to, self.emit.$method(a, b));
            }};
        }
        macro_rules! floats {
            ($to:expr, $method:ident, $a:expr, $b:expr) => {{
                let (a, b) = (f!($a), f!($b));
                set!(Float $to, self.emit.$method(a, b));
            }};
        }
        macro_rules! plain {
            ($class:ident $to:expr, $kind:ident, $method:ident, $($a:expr),+) => {{
                let args = [$($kind!($a)),+];
                set!($class $to, plain!(@call self.emit.builder.ins(), $method, args, $($a),+));
            }};
            (@call $ins:expr, $method:ident, $args:ident, $a:expr) => {
                $ins.$method($args[0])
            };
            (@call $ins:expr, $method:ident, $args:ident, $a:expr, $b:expr) => {
                $ins.$method($args[0], $args[1])
            };
        }
        macro_rules! compare {
            ($to:expr, $condition:ident, $a:expr, $b:expr) => {{
                let (a, b) = (i!($a), i!($b));
                let flag = self.emit.compare(IntCC::$condition, a, b);
                set!(Int $to, self.emit.truth(flag));
            }};
        }
        macro_rules! compare_floats {
            ($to:expr, $condition:ident, $a:expr, $b:expr) => {{
                let (a, b) = (f!($a), f!($b));
                let flag = self.emit.compare_floats(FloatCC::$condition, a, b);
                set!(Int $to, self.emit.truth(flag));
            }};
        }
        macro_rules! jump {
            ($label:expr, $condition:ident, $a:expr, $b:expr) => {{
                let (a, b) = (i!($a), i!($b));
                let flag = self.emit.compare(IntCC::$condition, a, b);
                self.jump_if(frame, at, $label, flag);
            }};
        }
        macro_rules! jump_with {
            ($label:expr, $condition:ident, $a:expr, $number:expr) => {{
                let a = i!($a);
                let flag = self.emit.compare_with(IntCC::$condition, a, $number.into());
                self.jump_if(frame, at, $label, flag);
            }};
        }
        macro_rules! jump_floats {
            ($label:expr, $condition:ident, $a:expr, $b:expr) => {{
                let (a, b) = (f!($a), f!($b));
                let flag = self.emit.compare_floats(FloatCC::$condition, a, b);
                self.jump_if(frame, at, $label, flag);
            }};
        }
        // Asks a game.
        macro_rules! ask {
            ($class:ident $to:expr, $method:ident, $($register:expr),+) => {{
                let args = [$(i!($register)),+];
                set!($class $to, ask!(@call self.emit, $method, args, $($register),+));
            }};
            (@call $emit:expr, $method:ident, $args:ident, $a:expr) => {
                $emit.$method($args[0])
            };
            (@call $emit:expr, $method:ident, $args:ident, $a:expr, $b:expr) => {
                $emit.$method($args[0], $args[1])
            };
        }
        macro_rules! host {
            ($function:ident, $($argument:expr),*) => {{
                let args: &[Value] = &[$($argument),*];
                self.emit.host_call(host::$function(), args, None);
            }};
            ($class:ident $to:expr, $kind:expr, $function:ident, $($argument:expr),*) => {{
                let args: &[Value] = &[$($argument),*];
                let value = self.emit.host_call(host::$function(), args, Some($kind));
                set!($class $to, value.expect("it returns a value"));
            }};
        }
        match *instruction {
            Op::ConstI(to, value) => set!(Int to, self.emit.int(value.into())),
            Op::ConstK(to, place) => {
                set!(Int to, self.emit.int(self.program.integers()[usize::from(place)]));
            }
            Op::ConstF(to, place) => {
                set!(Float to, self.emit.float(self.program.floats()[usize::from(place)]));
            }
            Op::MovI(to, a) => set!(Int to, i!(a)),
            Op::MovF(to, a) => set!(Float to, f!(a)),
            Op::MovM(to, a) => {
                let set = m!(a);
                self.emit.pay_for_set(set);
                set!(Mask to, set);
            }

            Op::AddI(to, a, b) => ints!(to, add, a, b),
            Op::SubI(to, a, b) => ints!(to, subtract, a, b),
            Op::MulI(to, a, b) => ints!(to, multiply, a, b),
            Op::AddN(to, a, number) => {
                let (a, number) = (i!(a), self.emit.int(number.into()));
                set!(Int to, self.emit.add(a, number));
            }
            Op::FloorDivI(to, a, b) => ints!(to, floor_divide, a, b),
            Op::ModI(to, a, b) => ints!(to, modulo, a, b),
            Op::PowI(to, a, b) => {
                let (a, b) = (i!(a), i!(b));
                if self.emit.known(b) == Some(2) {
                    set!(Int to, self.emit.multiply(a, a));
                } else {
                    host!(Int to, I64, POW_I, a, b);
                }
            }
            Op::NegI(to, a) => ask!(Int to, negate, a),
            Op::AbsI(to, a) => ask!(Int to, absolute, a),
            Op::NotI(to, a) => plain!(Int to, i, bnot, a),
            Op::IsZero(to, a) => {
                let a = i!(a);
                let flag = self.emit.compare_with(IntCC::Equal, a, 0);
                set!(Int to, self.emit.truth(flag));
            }
            Op::AndI(to, a, b) => plain!(Int to, i, band, a, b),
            Op::OrI(to, a, b) => plain!(Int to, i, bor, a, b),
            Op::XorI(to, a, b) => plain!(Int to, i, bxor, a, b),
            Op::ShlI(to, a, b) => host!(Int to, I64, SHIFT_LEFT, i!(a), i!(b)),
            Op::ShrI(to, a, b) => host!(Int to, I64, SHIFT_RIGHT, i!(a), i!(b)),
            Op::MinI(to, a, b) => {
                let (a, b) = (i!(a), i!(b));
                set!(Int to, self.emit.least_or_most(IntCC::SignedLessThan, a, b));
            }
            Op::MaxI(to, a, b) => {
                let (a, b) = (i!(a), i!(b));
                set!(Int to, self.emit.least_or_most(IntCC::SignedGreaterThan, a, b));
            }

            Op::EqI(to, a, b) => compare!(to, Equal, a, b),
            Op::NeI(to, a, b) => compare!(to, NotEqual, a, b),
            Op::LtI(to, a, b) => compare!(to, SignedLessThan, a, b),
            Op::LeI(to, a, b) => compare!(to, SignedLessThanOrEqual, a, b),
            Op::EqF(to, a, b) => compare_floats!(to, Equal, a, b),
            Op::NeF(to, a, b) => compare_floats!(to, NotEqual, a, b),
            Op::LtF(to, a, b) => compare_floats!(to, LessThan, a, b),
            Op::LeF(to, a, b) => compare_floats!(to, LessThanOrEqual, a, b),

            Op::AddF(to, a, b) => floats!(to, add_floats, a, b),
            Op::SubF(to, a, b) => floats!(to, subtract_floats, a, b),
            Op::MulF(to, a, b) => plain!(Float to, f, fmul, a, b),
            Op::DivF(to, a, b) => floats!(to, divide_floats, a, b),
            Op::FloorDivF(to, a, b) => {
                let args = [f!(a), f!(b)];
                set!(Float to, self.emit.float_call(host::FLOOR_DIV_F(), &args));
            }
            Op::ModF(to, a, b) => {
                let args = [f!(a), f!(b)];
                set!(Float to, self.emit.float_call(host::MOD_F(), &args));
            }
            Op::PowF(to, a, b) => floats!(to, power, a, b),
            Op::NegF(to, a) => plain!(Float to, f, fneg, a),
            Op::AbsF(to, a) => plain!(Float to, f, fabs, a),
            Op::SqrtF(to, a) => {
                let a = f!(a);
                set!(Float to, self.emit.square_root(a));
            }
            Op::MathF(to, a, number) => {
                let args = [f!(a), self.emit.int(number.into())];
                set!(Float to, self.emit.float_call(host::MATH(), &args));
            }
            Op::Math2F(to, a, b, number) => {
                let args = [f!(a), f!(b), self.emit.int(number.into())];
                set!(Float to, self.emit.float_call(host::MATH_2(), &args));
            }
            Op::CeilI(to, a) => {
                let a = f!(a);
                set!(Int to, self.emit.rounded(a, Rounding::Ceil));
            }
            Op::FloorI(to, a) => {
                let a = f!(a);
                set!(Int to, self.emit.rounded(a, Rounding::Floor));
            }
            Op::TruncI(to, a) => {
                let a = f!(a);
                set!(Int to, self.emit.rounded(a, Rounding::Trunc));
            }
            Op::RoundI(to, a) => host!(Int to, I64, ROUND, f!(a)),
            Op::IToF(to, a) => {
                let a = i!(a);
                set!(Float to, self.emit.float_of(a, false));
            }
            Op::IToFExact(to, a) => {
                let a = i!(a);
                set!(Float to, self.emit.float_of(a, true));
            }

            Op::Jump(to) => {
                self.jump(frame, to);
                return false;
            }
            Op::JumpIf(a, to) => jump_with!(to, NotEqual, a, 0),
            Op::JumpIfNot(a, to) => jump_with!(to, Equal, a, 0),
            Op::JumpEqI(a, b, to) => jump!(to, Equal, a, b),
            Op::JumpNeI(a, b, to) => jump!(to, NotEqual, a, b),
            Op::JumpLtI(a, b, to) => jump!(to, SignedLessThan, a, b),
            Op::JumpLeI(a, b, to) => jump!(to, SignedLessThanOrEqual, a, b),
            Op::JumpEqN(a, n, to) => jump_with!(to, Equal, a, n),
            Op::JumpNeN(a, n, to) => jump_with!(to, NotEqual, a, n),
            Op::JumpLtN(a, n, to) => jump_with!(to, SignedLessThan, a, n),
            Op::JumpLeN(a, n, to) => jump_with!(to, SignedLessThanOrEqual, a, n),
            Op::JumpGtN(a, n, to) => jump_with!(to, SignedGreaterThan, a, n),
            Op::JumpGeN(a, n, to) => jump_with!(to, SignedGreaterThanOrEqual, a, n),
            Op::JumpEqF(a, b, to) => jump_floats!(to, Equal, a, b),
            Op::JumpNeF(a, b, to) => jump_floats!(to, NotEqual, a, b),
            Op::JumpLtF(a, b, to) => jump_floats!(to, LessThan, a, b),
            Op::JumpLeF(a, b, to) => jump_floats!(to, LessThanOrEqual, a, b),
            Op::JumpNotLtF(a, b, to) => jump_floats!(to, UnorderedOrGreaterThanOrEqual, a, b),
            Op::JumpNotLeF(a, b, to) => jump_floats!(to, UnorderedOrGreaterThan, a, b),
            Op::Call(callee, ints, floats, masks) => {
                self.call(frame, callee, [ints, floats, masks]);
            }
            Op::Ret() => {
                self.ret(frame);
                return false;
            }
            Op::Bail() => {
                self.emit.builder.ins().jump(self.emit.bail, &[]);
                return false;
            }

            Op::Alloc(to, words) => host!(Int to, I64, ALLOC, i!(words)),
            Op::LoadI(to, address, offset) => {
                let address = i!(address);
                set!(Int to, self.emit.load_word(address, offset, I64));
            }
            Op::LoadF(to, address, offset) => {
                let address = i!(address);
                set!(Float to, self.emit.load_word(address, offset, F64));
            }
            Op::StoreI(address, offset, from) => {
                let (address, from) = (i!(address), i!(from));
                self.emit.store_word(address, offset, from);
            }
            Op::StoreF(address, offset, from) => {
                let (address, from) = (i!(address), f!(from));
                self.emit.store_word(address, offset, from);
            }
            _ => self.on_board(frame, at, instruction),
        }
        true
    }
}

//! Integers and floats.

use std::sync::OnceLock;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F64, I64};
use cranelift_codegen::ir::{InstBuilder, Value};

use isolation_core::program::floats;

use crate::emitter::Emitter;
use crate::host;

/// Values that cannot be more than this are added and multiplied without a look at the overflow.
const SMALL: i64 = 1 << 62;

/// As far as the platform's powers are tried out.
const MOST_BASE: f64 = 1024.0;

/// The powers that are products: those of small multiples of 1/2 are exact.
const MOST_POWER: u8 = 4;

/// Whether the platform's libm gives all these powers of the multiples of 1/2 up to [`MOST_BASE`] exactly. None
/// is known that does not.
fn powers_are_exact() -> bool {
    static EXACT: OnceLock<bool> = OnceLock::new();
    *EXACT.get_or_init(|| {
        let mut halves = (0..).map(|twice| f64::from(twice) / 2.0).take_while(|&a| a <= MOST_BASE);
        halves.all(|a| {
            (2..=MOST_POWER).all(|power| {
                let exact = (1..power).fold(a, |product, _| product * a);
                floats::pow(a, power.into()) == Some(exact)
            })
        })
    })
}

/// What is rounded to an integer, and how.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    Ceil,
    Floor,
    Trunc,
}

impl Emitter<'_> {
    /// The most that a combination of two small values can be, if that is small too.
    fn combined(
        &self,
        a: Value,
        b: Value,
        combine: impl Fn(i64, i64) -> Option<i64>,
    ) -> Option<i64> {
        combine(self.most(a)?, self.most(b)?).filter(|&most| most < SMALL)
    }

    pub(crate) fn add(&mut self, a: Value, b: Value) -> Value {
        if let Some(most) = self.combined(a, b, i64::checked_add) {
            let sum = self.builder.ins().iadd(a, b);
            return self.at_most(sum, most);
        }
        let (sum, overflow) = self.builder.ins().sadd_overflow(a, b);
        self.bail_if(overflow);
        sum
    }

    pub(crate) fn subtract(&mut self, a: Value, b: Value) -> Value {
        if let Some(most) = self.combined(a, b, i64::checked_add) {
            let difference = self.builder.ins().isub(a, b);
            return self.at_most(difference, most);
        }
        let (difference, overflow) = self.builder.ins().ssub_overflow(a, b);
        self.bail_if(overflow);
        difference
    }

    pub(crate) fn multiply(&mut self, a: Value, b: Value) -> Value {
        if let Some(most) = self.combined(a, b, i64::checked_mul) {
            let product = self.builder.ins().imul(a, b);
            return self.at_most(product, most);
        }
        let (product, overflow) = self.builder.ins().smul_overflow(a, b);
        self.bail_if(overflow);
        product
    }

    pub(crate) fn negate(&mut self, a: Value) -> Value {
        let zero = self.int(0);
        self.subtract(zero, a)
    }

    pub(crate) fn absolute(&mut self, a: Value) -> Value {
        if let Some(most) = self.most(a) {
            let size = self.builder.ins().iabs(a);
            return self.at_most(size, most);
        }
        let has_none = self.compare_with(IntCC::Equal, a, i64::MIN);
        self.bail_if(has_none);
        self.builder.ins().iabs(a)
    }

    fn bail_where_zero(&mut self, divisor: Value) {
        if self.known(divisor).is_none_or(|divisor| divisor == 0) {
            let by_zero = self.compare_with(IntCC::Equal, divisor, 0);
            self.bail_if(by_zero);
        }
    }

    /// Quotient and remainder of the machine, and whether the signs of remainder and divisor differ, as Python's
    /// never do.
    fn divided(&mut self, a: Value, b: Value) -> (Value, Value, Value) {
        let quotient = self.builder.ins().sdiv(a, b);
        let product = self.builder.ins().imul(quotient, b);
        let rest = self.builder.ins().isub(a, product);
        let signs = self.builder.ins().bxor(rest, b);
        let differ = self.compare_with(IntCC::SignedLessThan, signs, 0);
        let some = self.compare_with(IntCC::NotEqual, rest, 0);
        let differ = self.builder.ins().band(differ, some);
        (quotient, rest, self.builder.ins().uextend(I64, differ))
    }

    /// `a // b`.
    pub(crate) fn floor_divide(&mut self, a: Value, b: Value) -> Value {
        self.bail_where_zero(b);
        if self.most(a).is_none() && self.known(b).is_none_or(|b| b == -1) {
            // The one quotient that is no integer of 64 bits.
            let least = self.compare_with(IntCC::Equal, a, i64::MIN);
            let minus_one = self.compare_with(IntCC::Equal, b, -1);
            let both = self.builder.ins().band(least, minus_one);
            self.bail_if(both);
        }
        let (quotient, _, differ) = self.divided(a, b);
        let floor = self.builder.ins().isub(quotient, differ);
        match self.most(a).and_then(|most| most.checked_add(1)) {
            // One more for -1 // 64, which is -1, and its like.
            Some(most) => self.at_most(floor, most),
            None => floor,
        }
    }

    /// `a % b`.
    pub(crate) fn modulo(&mut self, a: Value, b: Value) -> Value {
        self.bail_where_zero(b);
        let divisor = if self.most(a).is_none() && self.known(b).is_none_or(|b| b == -1) {
            // Dividing the least integer by -1 would end the process. By 1 nothing is left over either.
            let minus_one = self.compare_with(IntCC::Equal, b, -1);
            let one = self.int(1);
            self.builder.ins().select(minus_one, one, b)
        } else {
            b
        };
        let (_, rest, differ) = self.divided(a, divisor);
        let all = self.builder.ins().ineg(differ);
        let step = self.builder.ins().band(all, divisor);
        let modulo = self.builder.ins().iadd(rest, step);
        match self.most(b) {
            Some(most) => self.at_most(modulo, most),
            None => modulo,
        }
    }

    pub(crate) fn least_or_most(&mut self, condition: IntCC, a: Value, b: Value) -> Value {
        let is_a = self.compare(condition, a, b);
        let chosen = self.builder.ins().select(is_a, a, b);
        match self.combined(a, b, |a, b| Some(a.max(b))) {
            Some(most) => self.at_most(chosen, most),
            None => chosen,
        }
    }

    /// The most that a float can be, whatever its sign, where it is known to be a multiple of 1/2 and to be of no
    /// great size: then its sums are exact.
    fn half(&self, a: Value) -> Option<f64> {
        let known = || {
            let size = self.known_float(a)?.abs();
            ((2.0 * size).fract() == 0.0 && size <= MOST_BASE).then_some(size)
        };
        self.halves.get(&a).copied().or_else(known)
    }

    /// Notes of a float that it is such a multiple, if it is not too large.
    fn at_half(&mut self, a: Value, most: Option<f64>) -> Value {
        if let Some(most) = most.filter(|&most| most <= MOST_BASE) {
            self.halves.insert(a, most);
        }
        a
    }

    fn half_of_both(&self, a: Value, b: Value) -> Option<f64> {
        Some(self.half(a)? + self.half(b)?)
    }

    pub(crate) fn add_floats(&mut self, a: Value, b: Value) -> Value {
        let sum = self.builder.ins().fadd(a, b);
        self.at_half(sum, self.half_of_both(a, b))
    }

    pub(crate) fn subtract_floats(&mut self, a: Value, b: Value) -> Value {
        let difference = self.builder.ins().fsub(a, b);
        self.at_half(difference, self.half_of_both(a, b))
    }

    pub(crate) fn divide_floats(&mut self, a: Value, b: Value) -> Value {
        let divisor = self.known_float(b).filter(|&divisor| divisor != 0.0);
        if let (Some(a), Some(b)) = (self.known_float(a), divisor) {
            let quotient = a / b;
            if !quotient.is_nan() {
                return self.float(quotient);
            }
        }
        if divisor.is_none() {
            let zero = self.float(0.0);
            let by_zero = self.compare_floats(FloatCC::Equal, b, zero);
            self.bail_if(by_zero);
        }
        self.builder.ins().fdiv(a, b)
    }

    /// `a ** b` by libm, but for squares and the like of small multiples of 1/2: these are exact.
    pub(crate) fn power(&mut self, a: Value, b: Value) -> Value {
        let power = (2..=MOST_POWER).find(|&power| self.known_float(b) == Some(power.into()));
        match power.filter(|_| self.half(a).is_some() && powers_are_exact()) {
            Some(power) => (1..power).fold(a, |product, _| self.builder.ins().fmul(product, a)),
            None => self.float_call(host::POW_F(), &[a, b]),
        }
    }

    pub(crate) fn square_root(&mut self, a: Value) -> Value {
        let zero = self.float(0.0);
        let has_one = self.compare_floats(FloatCC::GreaterThanOrEqual, a, zero);
        self.bail_unless(has_one);
        self.builder.ins().sqrt(a)
    }

    /// A float as an integer of 64 bits. Made of a conversion towards zero: only newer processors round
    /// in other ways.
    pub(crate) fn rounded(&mut self, a: Value, rounding: Rounding) -> Value {
        const END: f64 = 9_223_372_036_854_775_808.0;
        let (least, end) = (self.float(-END), self.float(END));
        let above = self.compare_floats(FloatCC::GreaterThanOrEqual, a, least);
        let below = self.compare_floats(FloatCC::LessThan, a, end);
        let fits = self.builder.ins().band(above, below);
        self.bail_unless(fits);
        let whole = self.builder.ins().fcvt_to_sint(I64, a);
        if rounding == Rounding::Trunc {
            return whole;
        }
        // A float with a fraction is far from the ends, so a step further is an integer too.
        let back = self.builder.ins().fcvt_from_sint(F64, whole);
        if rounding == Rounding::Floor {
            let too_far = self.compare_floats(FloatCC::GreaterThan, back, a);
            let step = self.builder.ins().uextend(I64, too_far);
            self.builder.ins().isub(whole, step)
        } else {
            let too_far = self.compare_floats(FloatCC::LessThan, back, a);
            let step = self.builder.ins().uextend(I64, too_far);
            self.builder.ins().iadd(whole, step)
        }
    }

    pub(crate) fn float_of(&mut self, a: Value, exactly: bool) -> Value {
        const LAST: i64 = 1 << 53;
        if exactly && self.most(a).is_none_or(|most| most > LAST) {
            let moved = self.builder.ins().iadd_imm(a, LAST);
            let fits = self.compare_with(IntCC::UnsignedLessThanOrEqual, moved, 2 * LAST);
            self.bail_unless(fits);
        }
        if let Some(known) = self.known(a) {
            return self.float(floats::nearest(known));
        }
        let float = self.builder.ins().fcvt_from_sint(F64, a);
        let most = self.most(a).map(floats::nearest);
        self.at_half(float, most)
    }

    /// A function of the host from floats to a float, which may bail.
    pub(crate) fn float_call(&mut self, function: *const u8, args: &[Value]) -> Value {
        self.host_call(function, args, Some(F64)).expect("it returns a float")
    }
}

//! Arithmetic of floats to the bit as `CPython` does it, by the same functions of the platform's libm.
//!
//! None is where `CPython` raises, or gives a complex number, or where it is not certain that every version and
//! platform agrees. Rust's `powf`, `exp`, `sin` and so on call the libm that `CPython` calls.

use std::f64::consts::PI;

/// A function of `math` with one argument.
pub type Function1 = fn(f64) -> f64;
/// A function of `math` with two.
pub type Function2 = fn(f64, f64) -> Option<f64>;

/// The functions of `math` with one argument, by their number: where they are infinite or NaN of a number
/// that is not, `CPython` raises, and so [`math`] gives nothing.
pub const MATH: &[(&str, Function1)] = &[
    ("exp", f64::exp),
    ("log", f64::ln),
    ("log2", f64::log2),
    ("log10", f64::log10),
    ("log1p", log1p),
    ("expm1", f64::exp_m1),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("degrees", degrees),
    ("radians", radians),
];

/// The functions of `math` with two arguments, by their number.
pub const MATH_2: &[(&str, Function2)] = &[
    ("atan2", |y, x| Some(atan2(y, x))),
    ("fmod", fmod),
    ("copysign", |a, b| Some(a.copysign(b))),
    ("hypot", hypot),
    ("log", log_of_base),
];

/// A function of [`MATH`].
#[inline(never)]
#[must_use]
pub fn math(number: u8, a: f64) -> Option<f64> {
    sound((MATH.get(usize::from(number))?.1)(a), a)
}

/// A function of [`MATH_2`].
#[inline(never)]
#[must_use]
pub fn math_2(number: u8, a: f64, b: f64) -> Option<f64> {
    (MATH_2.get(usize::from(number))?.1)(a, b)
}

/// A result that raises nothing.
fn sound(result: f64, a: f64) -> Option<f64> {
    let raises = result.is_nan() && !a.is_nan() || result.is_infinite() && a.is_finite();
    (!raises).then_some(result)
}

/// `a / b`.
#[inline]
#[must_use]
pub fn div(a: f64, b: f64) -> Option<f64> {
    (b != 0.0).then(|| a / b)
}

/// `a % b`: it has the sign of b.
#[inline]
#[must_use]
pub fn modulo(a: f64, b: f64) -> Option<f64> {
    (b != 0.0).then(|| floor_div_mod(a, b).1)
}

/// `a // b`.
#[inline]
#[must_use]
pub fn floor_div(a: f64, b: f64) -> Option<f64> {
    (b != 0.0).then(|| floor_div_mod(a, b).0)
}

#[inline(never)]
#[allow(clippy::float_cmp, reason = "as CPython compares")]
fn floor_div_mod(a: f64, b: f64) -> (f64, f64) {
    let mut modulo = a % b;
    let mut div = (a - modulo) / b;
    if modulo == 0.0 {
        modulo = 0.0_f64.copysign(b);
    } else if (b < 0.0) != (modulo < 0.0) {
        modulo += b;
        div -= 1.0;
    }
    if div == 0.0 {
        return (0.0_f64.copysign(a / b), modulo);
    }
    let floor = div.floor();
    (if div - floor > 0.5 { floor + 1.0 } else { floor }, modulo)
}

/// `a ** b`.
#[inline(never)]
#[must_use]
#[allow(clippy::float_cmp, reason = "as CPython compares")]
pub fn pow(a: f64, b: f64) -> Option<f64> {
    let odd = (b.abs() % 2.0) == 1.0;
    if b == 0.0 {
        return Some(1.0);
    }
    if a.is_nan() {
        return Some(a);
    }
    if b.is_nan() {
        return Some(if a == 1.0 { 1.0 } else { b });
    }
    if b.is_infinite() {
        let size = a.abs();
        return Some(if size == 1.0 {
            1.0
        } else if (b > 0.0) == (size > 1.0) {
            f64::INFINITY
        } else {
            0.0
        });
    }
    if a.is_infinite() {
        return Some(match (b > 0.0, odd) {
            (true, true) => a,
            (true, false) => a.abs(),
            (false, true) => 0.0_f64.copysign(a),
            (false, false) => 0.0,
        });
    }
    if a == 0.0 {
        return (b > 0.0).then_some(if odd { a } else { 0.0 });
    }
    if a < 0.0 && b != b.floor() {
        return None;
    }
    let (base, negate) = if a < 0.0 { (-a, odd) } else { (a, false) };
    let power = if base == 1.0 { 1.0 } else { base.powf(b) };
    // Below the normal numbers not every libm says whether it went out of range.
    (power == 0.0 || power.is_normal()).then_some(if negate { -power } else { power })
}

/// `math.sqrt(a)`.
#[inline]
#[must_use]
pub fn sqrt(a: f64) -> Option<f64> {
    // Not of NaN, whose bits a square root may change.
    (a >= 0.0).then(|| a.sqrt())
}

fn log1p(a: f64) -> f64 {
    if a == 0.0 { a } else { a.ln_1p() }
}

fn degrees(a: f64) -> f64 {
    a * (180.0 / PI)
}

fn radians(a: f64) -> f64 {
    a * (PI / 180.0)
}

fn atan2(y: f64, x: f64) -> f64 {
    if y.is_nan() || x.is_nan() {
        f64::NAN
    } else if y.is_infinite() {
        let part = match (x.is_infinite(), x.is_sign_negative()) {
            (false, _) => 0.5,
            (true, false) => 0.25,
            (true, true) => 0.75,
        };
        (part * PI).copysign(y)
    } else if x.is_infinite() || y == 0.0 {
        (if x.is_sign_negative() { PI } else { 0.0 }).copysign(y)
    } else {
        y.atan2(x)
    }
}

fn fmod(a: f64, b: f64) -> Option<f64> {
    if a.is_finite() && b.is_infinite() {
        return Some(a);
    }
    let rest = a % b;
    (!rest.is_nan() || a.is_nan() || b.is_nan()).then_some(rest)
}

/// `CPython` has an algorithm of its own, which has changed; where the squares are exact all of them are the
/// nearest number. So it is for halves up to thousands: distances on boards.
#[allow(clippy::float_cmp, reason = "whether it is a multiple of a half")]
fn hypot(a: f64, b: f64) -> Option<f64> {
    const MOST: f64 = (1 << 24) as f64;
    let exact = |a: f64| a.abs() <= MOST && (2.0 * a).trunc() == 2.0 * a;
    (exact(a) && exact(b)).then(|| (a * a + b * b).sqrt())
}

/// `math.log(a, base)`.
fn log_of_base(a: f64, base: f64) -> Option<f64> {
    div(sound(a.ln(), a)?, sound(base.ln(), base)?)
}

/// A float as an integer, where one of 64 bits is the same.
#[inline]
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "within the limits")]
pub fn whole(a: f64) -> Option<i64> {
    const END: f64 = 9_223_372_036_854_775_808.0;
    (-END..END).contains(&a).then_some(a as i64)
}

/// `float(a)`.
#[inline]
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "the nearest one is wanted")]
pub fn nearest(a: i64) -> f64 {
    a as f64
}

/// The float that is the same number, up to 2 ** 53.
#[inline]
#[must_use]
pub fn exactly(a: i64) -> Option<f64> {
    (a.unsigned_abs() <= 1 << 53).then(|| nearest(a))
}

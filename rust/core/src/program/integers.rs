//! Arithmetic of integers as Python has it, up to 64 bits. None is beyond them, and where Python raises.

/// `a // b`.
#[inline]
#[must_use]
pub fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// `a % b`: it has the sign of b.
#[inline]
#[must_use]
pub fn modulo(a: i64, b: i64) -> Option<i64> {
    if b == 0 {
        return None;
    }
    let rest = a.wrapping_rem(b);
    Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
}

/// `a ** b`.
#[inline]
#[must_use]
pub fn pow(a: i64, b: i64) -> Option<i64> {
    match (a, u32::try_from(b)) {
        (_, Ok(exponent)) => a.checked_pow(exponent),
        (0 | 1, Err(_)) if b > 0 => Some(a),
        (-1, Err(_)) if b > 0 => Some(if b % 2 == 0 { 1 } else { -1 }),
        _ => None,
    }
}

/// `a << b`.
#[inline]
#[must_use]
pub fn shl(a: i64, b: i64) -> Option<i64> {
    match u32::try_from(b) {
        Ok(count @ 0..64) => Some(a << count).filter(|moved| moved >> count == a),
        _ => (a == 0 && b >= 0).then_some(0),
    }
}

/// `a >> b`.
#[inline]
#[must_use]
pub fn shr(a: i64, b: i64) -> Option<i64> {
    (b >= 0).then(|| a >> b.min(63))
}

//! What machine code calls: safe functions of the core, each behind one that takes what machine code gives.

use std::panic::{AssertUnwindSafe, catch_unwind};

use isolation_core::program::{Bail, Instruction, floats, integers, listed, packed};
use isolation_core::{Cell, CellSet};

use crate::context::Context;

/// What stands for a result where there is none.
trait Nothing {
    const NOTHING: Self;
}

impl Nothing for () {
    const NOTHING: Self = ();
}

impl Nothing for i64 {
    const NOTHING: Self = 0;
}

impl Nothing for f64 {
    const NOTHING: Self = 0.0;
}

/// Does a piece of work, and notes in the context that the run bails if it fails. A panic, which would be a
/// defect, must not unwind through machine code: it bails too, after its message.
#[inline]
fn guarded<T: Nothing>(
    context: *mut Context,
    work: impl FnOnce(&mut Context) -> Result<T, Bail>,
) -> T {
    // SAFETY: machine code passes the address that it got from `Jitted::call`, whose caller has the context
    // for itself, and waits for this function.
    #[allow(unsafe_code, reason = "machine code has no references")]
    let context = unsafe { &mut *context };
    if let Ok(Ok(value)) = catch_unwind(AssertUnwindSafe(|| work(context))) {
        return value;
    }
    context.bailed = 1;
    T::NOTHING
}

/// Defines functions that give the address of one for machine code.
macro_rules! hosts {
    ($($name:ident($context:ident $(, $argument:ident: $kind:ty)*) -> $result:ty $work:block)*) => {
        $(
            #[allow(non_snake_case, reason = "it stands for a constant, which an address cannot be")]
            pub(crate) fn $name() -> *const u8 {
                extern "C" fn host(context: *mut Context, $($argument: $kind),*) -> $result {
                    guarded(context, |$context| $work)
                }
                host as *const u8
            }
        )*
    };
}

hosts! {
    POW_I(_context, a: i64, b: i64) -> i64 { integers::pow(a, b).ok_or(Bail) }
    SHIFT_LEFT(_context, a: i64, b: i64) -> i64 { integers::shl(a, b).ok_or(Bail) }
    SHIFT_RIGHT(_context, a: i64, b: i64) -> i64 { integers::shr(a, b).ok_or(Bail) }

    FLOOR_DIV_F(_context, a: f64, b: f64) -> f64 { floats::floor_div(a, b).ok_or(Bail) }
    MOD_F(_context, a: f64, b: f64) -> f64 { floats::modulo(a, b).ok_or(Bail) }
    POW_F(_context, a: f64, b: f64) -> f64 { floats::pow(a, b).ok_or(Bail) }
    MATH(_context, a: f64, number: i64) -> f64 { floats::math(byte(number)?, a).ok_or(Bail) }
    MATH_2(_context, a: f64, b: f64, number: i64) -> f64 {
        floats::math_2(byte(number)?, a, b).ok_or(Bail)
    }
    ROUND(_context, a: f64) -> i64 { floats::whole(a.round_ties_even()).ok_or(Bail) }

    ALLOC(context, words: i64) -> i64 {
        let address = context.arena.alloc_paid(words, &mut context.fuel);
        context.look_at_arena();
        address
    }

    LISTS(context, instruction: *const Instruction) -> () {
        // SAFETY: it is the address of an instruction of the program, which lives as long as its code.
        #[allow(unsafe_code, reason = "machine code has no references")]
        let instruction = unsafe { *instruction };
        let done = context.arena.work(instruction, &mut context.scratch, &mut context.fuel);
        context.look_at_arena();
        done
    }
    ORDERED_LIST(context, low: u64, high: u64, origin: i64) -> i64 {
        let (size, bits, moves) = (context.size, context.order_bits, set_of(low, high));
        let list = listed(&moves, size, bits, origin, &mut context.arena, &mut context.fuel);
        context.look_at_arena();
        list
    }
}

/// The function for [`Emitter::pack_moves`](crate::emitter::Emitter), which has looked at all that could make it bail.
pub(crate) const PACK_MOVES: *const u8 = pack_moves as *const u8;

extern "C" fn pack_moves(low: u64, high: u64, order_bits: u64, origin: i64) -> i64 {
    let origin = u32::try_from(origin).ok().map(Cell);
    if high == 0 {
        packed(low.cells(), order_bits, origin)
    } else {
        packed(set_of(low, high).cells(), order_bits, origin)
    }
    .unwrap_or(0)
}

fn byte(number: i64) -> Result<u8, Bail> {
    u8::try_from(number).map_err(|_| Bail)
}

fn set_of(low: u64, high: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

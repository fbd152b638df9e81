"""The functions of numbers: builtins, and those of `math`."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Final

from isolation_fast.compiled.arithmetic import as_float, in_a_word, magnitude, operated
from isolation_fast.compiled.conditions import truth, truth_value
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.tables import Call, builtin
from isolation_fast.compiled.types import BOOL, CELL, FLOAT, INT, MIXED, NUMBERS, TEXT, WHOLE
from isolation_fast.compiled.values import Value, number, tuple_of

# In the order of the engine's own table.
ONE: Final[tuple[Callable[[float], float], ...]] = (
    math.exp,
    math.log,
    math.log2,
    math.log10,
    math.log1p,
    math.expm1,
    math.sin,
    math.cos,
    math.tan,
    math.asin,
    math.acos,
    math.atan,
    math.sinh,
    math.cosh,
    math.tanh,
    math.degrees,
    math.radians,
)
TWO: Final[tuple[Callable[[float, float], float], ...]] = (math.atan2, math.fmod, math.copysign)
HYPOT: Final = 3
LOG_OF_BASE: Final = 4


def _number(low: Lowering, value: Value) -> Value:
    """An argument that must be a number."""
    value = low.present(value)
    if value.type not in NUMBERS:
        if value.type is MIXED:
            low.refuse("type", "a number is sometimes something else: use two variables")
        raise low.bail()
    return value


@builtin(abs)
def lower_abs(low: Lowering, call: Call) -> Value:
    """`abs`."""
    (value,) = call.only(low)
    value = _number(low, value)
    return in_a_word(low, abs(value.constant)) if value.is_constant else magnitude(low, value)


@builtin(float)
def lower_float(low: Lowering, call: Call) -> Value:
    """`float` of a number, or of a text that is known."""
    if not call.arguments and not call.named:
        return number(0.0)
    (value,) = (low.present(each) for each in call.only(low))
    if value.is_constant and value.type in (*NUMBERS, TEXT):
        try:
            return number(float(value.constant))
        except (ValueError, OverflowError):
            raise low.bail() from None
    if value.type is TEXT:
        low.refuse("float", "float of a text: use a number")
    return Value(FLOAT, (as_float(low, _number(low, value)),))


@builtin(int)
def lower_int(low: Lowering, call: Call) -> Value:
    """`int` of a number: towards 0."""
    if not call.arguments and not call.named:
        return number(0)
    return _rounded(low, low.present(call.only(low)[0]), "TruncI", int)


@builtin(math.floor)
def lower_floor(low: Lowering, call: Call) -> Value:
    """`math.floor`."""
    return _rounded(low, low.present(call.only(low)[0]), "FloorI", math.floor)


@builtin(math.ceil)
def lower_ceil(low: Lowering, call: Call) -> Value:
    """`math.ceil`."""
    return _rounded(low, low.present(call.only(low)[0]), "CeilI", math.ceil)


@builtin(math.trunc)
def lower_trunc(low: Lowering, call: Call) -> Value:
    """`math.trunc`."""
    return _rounded(low, low.present(call.only(low)[0]), "TruncI", math.trunc)


@builtin(round)
def lower_round(low: Lowering, call: Call) -> Value:
    """`round` to an integer: halves to the even one."""
    value, digits = call.taken(low, ("number", "ndigits"), 1)
    assert value is not None
    if digits is not None and digits.constant is not None:
        value = low.present(value)
        if value.is_constant and digits.is_constant and value.type in NUMBERS:
            return _computed(low, lambda: round(value.constant, digits.constant))
        low.refuse("round", "round to decimal places is left to Python: leave it out, or round to an integer")
    return _rounded(low, low.present(value), "RoundI", round)


def _computed(low: Lowering, compute: Callable[[], float]) -> Value:
    """What is computed while compiling; what raises is Python's."""
    try:
        return in_a_word(low, compute())
    except (TypeError, ValueError, OverflowError):
        raise low.bail() from None


def _rounded(low: Lowering, value: Value, name: str, function: Callable[[float], int]) -> Value:
    if value.type is TEXT:
        low.refuse("int", "int of a text: use a number")
    value = _number(low, value)
    if value.is_constant:
        return _computed(low, lambda: function(value.constant))
    if value.type in WHOLE:
        return Value(INT, low.row(value))
    # An int that is kept as a float is its own floor and ceiling.
    return Value(INT, (low.made(name, low.row(value)[-1]),))


@builtin(bool)
def lower_bool(low: Lowering, call: Call) -> Value:
    """`bool`."""
    if not call.arguments and not call.named:
        return number(False)
    (value,) = call.only(low)
    if value.type is BOOL:
        return value
    return truth_value(low, truth(low, value), id(call.node))


@builtin(str, repr)
def lower_text(low: Lowering, call: Call) -> Value:
    """A text that is not known while compiling: of use for nothing but to be passed on."""
    (value,) = call.only(low)
    if value.type not in NUMBERS:
        low.refuse("text", "a text is made of what is no number: leave it out")
    return Value(TEXT, ())


@builtin(pow)
def lower_pow(low: Lowering, call: Call) -> Value:
    """`pow` of two numbers."""
    base, exponent, modulus = call.taken(low, ("base", "exp", "mod"), 2)
    assert base is not None
    assert exponent is not None
    if modulus is not None:
        low.refuse("pow", "pow with a modulus: use ** and %")
    return operated(low, ast.Pow(), base, exponent)


@builtin(divmod)
def lower_divmod(low: Lowering, call: Call) -> Value:
    """`divmod`."""
    one, other = (low.settled(_number(low, value)) for value in call.only(low, 2))
    return tuple_of((operated(low, ast.FloorDiv(), one, other), operated(low, ast.Mod(), one, other)))


# ---- math


@builtin(math.sqrt)
def lower_sqrt(low: Lowering, call: Call) -> Value:
    """`math.sqrt`."""
    (value,) = (_number(low, each) for each in call.only(low))
    return Value(FLOAT, (low.made("SqrtF", as_float(low, value), kind="f"),))


@builtin(math.pow)
def lower_math_pow(low: Lowering, call: Call) -> Value:
    """`math.pow`: as ** of floats, which raises where this does or gives what bails."""
    floats = [as_float(low, _number(low, value)) for value in call.only(low, 2)]
    return Value(FLOAT, (low.made("PowF", *floats, kind="f"),))


@builtin(math.fabs)
def lower_fabs(low: Lowering, call: Call) -> Value:
    """`math.fabs`."""
    (value,) = (_number(low, each) for each in call.only(low))
    return Value(FLOAT, (low.pure("AbsF", as_float(low, value), kind="f"),))


@builtin(math.hypot)
def lower_hypot(low: Lowering, call: Call) -> Value:
    """`math.hypot` of two numbers."""
    if len(call.arguments) != 2:
        low.refuse("hypot", "hypot of other than two numbers: use math.sqrt")
    floats = [as_float(low, _number(low, value)) for value in call.only(low, 2)]
    return Value(FLOAT, (low.made("Math2F", *floats, HYPOT, kind="f"),))


@builtin(math.dist)
def lower_dist(low: Lowering, call: Call) -> Value:
    """`math.dist` of two pairs: as hypot of the differences."""
    one, other = (low.present(value) for value in call.only(low, 2))
    pairs = [low.pair(value) if value.type is CELL else value for value in (one, other)]
    if any(value.parts is None or len(value.parts) != 2 for value in pairs):
        low.refuse("dist", "dist of what are no two pairs: use math.sqrt")
    floats = [[as_float(low, _number(low, part)) for part in value.parts or ()] for value in pairs]
    differences = [low.pure("SubF", first, second, kind="f") for first, second in zip(*floats, strict=True)]
    return Value(FLOAT, (low.made("Math2F", *differences, HYPOT, kind="f"),))


@builtin(math.isnan)
def lower_is_nan(low: Lowering, call: Call) -> Value:
    """`math.isnan`."""
    content = _content(low, call)
    return Value(BOOL, (low.pure("NeF", content, content),))


@builtin(math.isfinite)
def lower_is_finite(low: Lowering, call: Call) -> Value:
    """`math.isfinite`."""
    content = _content(low, call)
    # The difference of an infinity or NaN with itself is NaN.
    none = low.pure("SubF", content, content, kind="f")
    return Value(BOOL, (low.pure("EqF", none, none),))


@builtin(math.isinf)
def lower_is_infinite(low: Lowering, call: Call) -> Value:
    """`math.isinf`."""
    size = low.pure("AbsF", _content(low, call), kind="f")
    return Value(BOOL, (low.pure("EqF", low.constant_register("ConstF", math.inf, "f"), size),))


def _content(low: Lowering, call: Call) -> int:
    """The register of the only argument as a float."""
    (value,) = (_number(low, each) for each in call.only(low))
    return as_float(low, value)


def _of_one(place: int) -> Callable[[Lowering, Call], Value]:
    def lower(low: Lowering, call: Call) -> Value:
        if ONE[place] is math.log and len(call.arguments) == 2:
            floats = [as_float(low, _number(low, value)) for value in call.only(low, 2)]
            return Value(FLOAT, (low.made("Math2F", *floats, LOG_OF_BASE, kind="f"),))
        (value,) = (_number(low, each) for each in call.only(low))
        return Value(FLOAT, (low.made("MathF", as_float(low, value), place, kind="f"),))

    return lower


def _of_two(place: int) -> Callable[[Lowering, Call], Value]:
    def lower(low: Lowering, call: Call) -> Value:
        floats = [as_float(low, _number(low, value)) for value in call.only(low, 2)]
        return Value(FLOAT, (low.made("Math2F", *floats, place, kind="f"),))

    return lower


for _place, _function in enumerate(ONE):
    builtin(_function)(_of_one(_place))
for _place, _pair in enumerate(TWO):
    builtin(_pair)(_of_two(_place))

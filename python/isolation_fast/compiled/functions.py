"""Builtins: the functions of numbers, those of `math`, and what makes one value of many."""

from __future__ import annotations

import ast
import itertools
import math
import sys
from collections.abc import Callable
from typing import Any, Final

from isolation_fast.compiled import prelude
from isolation_fast.compiled.code import WORD, Register
from isolation_fast.compiled.comparing import less
from isolation_fast.compiled.expressions import items_of
from isolation_fast.compiled.iteration import each
from isolation_fast.compiled.lowering import Body, Call, Lowering, builtin, is_stream, stream
from isolation_fast.compiled.operators import as_float, length, magnitude, operated, truth, truth_value
from isolation_fast.compiled.source import MATH, PYTHON
from isolation_fast.compiled.types import (
    BOOL,
    CELL,
    FLOAT,
    INT,
    NONE,
    NOTHING,
    NUM,
    NUMBERS,
    SOME_TEXT,
    STRING,
    TEXT,
    WHOLE,
    Grouping,
    Optional,
    Tuple,
    Value,
    constant,
    tuple_of,
)

COMPENSATED: Final = sys.version_info >= (3, 12)
"""Since then `sum` of floats makes up for what each addition rounds off."""

# In the order of the engine's own table.
ONE: Final[tuple[Callable[[float], float], ...]] = (
    MATH.exp,
    MATH.log,
    MATH.log2,
    MATH.log10,
    MATH.log1p,
    MATH.expm1,
    MATH.sin,
    MATH.cos,
    MATH.tan,
    MATH.asin,
    MATH.acos,
    MATH.atan,
    MATH.sinh,
    MATH.cosh,
    MATH.tanh,
    MATH.degrees,
    MATH.radians,
)
TWO: Final[tuple[Callable[[float, float], float], ...]] = (MATH.atan2, MATH.fmod, MATH.copysign)
HYPOT: Final = 3
LOG_OF_BASE: Final = 4
ROUNDED: Final[tuple[tuple[Callable[[Any], int], str], ...]] = (
    (MATH.floor, "FloorI"),
    (MATH.ceil, "CeilI"),
    (MATH.trunc, "TruncI"),
)


# ---- numbers


def _number(low: Lowering, value: Value) -> Value:
    """An argument that must be a number."""
    value = low.unmixed(low.present(value), "a number is sometimes something else: use two variables")
    if value.kind not in NUMBERS:
        raise low.bail()
    return value


def _floats(low: Lowering, call: Call, count: int) -> list[Register]:
    return [as_float(low, _number(low, value)) for value in call.only(low, count)]


@builtin(PYTHON.abs)
def lower_abs(low: Lowering, call: Call) -> Value:
    """`abs`."""
    return magnitude(low, _number(low, *call.only(low)))


@builtin(PYTHON.float)
def lower_float(low: Lowering, call: Call) -> Value:
    """`float` of a number, or of a text that is known."""
    if not call.arguments and not call.named:
        return constant(0.0)
    (value,) = (low.present(each) for each in call.only(low))
    if value.is_constant and value.kind in (*NUMBERS, TEXT):
        try:
            return constant(float(value.constant))
        except (ValueError, OverflowError):
            raise low.bail() from None
    if value.kind in (TEXT, STRING):
        low.refuse("float", "float of a text: use a number")
    return Value(FLOAT, (as_float(low, _number(low, value)),))


@builtin(PYTHON.int)
def lower_int(low: Lowering, call: Call) -> Value:
    """`int` of a number: towards 0."""
    if not call.arguments and not call.named:
        return constant(0)
    return _rounded(low, low.present(call.only(low)[0]), "TruncI", int)


def _rounded(low: Lowering, value: Value, name: str, function: Callable[[Any], int]) -> Value:
    if value.kind in (TEXT, STRING):
        low.refuse("int", "int of a text: use a number")
    value = _number(low, value)
    if value.is_constant:
        try:
            found = function(value.constant)
        except (ValueError, OverflowError):
            raise low.bail() from None
        if abs(found) >= WORD:
            raise low.bail()
        return constant(found)
    if value.kind in WHOLE:
        return Value(INT, value.row)
    # An int that is kept as a float is its own floor and ceiling.
    return Value(INT, (low.made(name, value.row[-1]),))


def _note_roundings() -> None:
    for function, name in ROUNDED:

        def lower(low: Lowering, call: Call, function: Any = function, name: str = name) -> Value:
            return _rounded(low, low.present(call.only(low)[0]), name, function)

        builtin(function)(lower)


@builtin(PYTHON.round)
def lower_round(low: Lowering, call: Call) -> Value:
    """`round` to an integer: halves to the even one."""
    value, digits = call.taken(low, ("number", "ndigits"), 1)
    assert value is not None
    if digits is not None and digits.type is not NONE:
        value = low.present(value)
        if value.is_constant and digits.kind in WHOLE and digits.is_constant and value.kind in NUMBERS:
            return constant(round(value.constant, digits.constant))
        low.refuse("round", "round to decimal places is left to Python: leave it out, or round to an integer")
    return _rounded(low, low.present(value), "RoundI", round)


@builtin(PYTHON.bool)
def lower_bool(low: Lowering, call: Call) -> Value:
    """`bool`."""
    if not call.arguments and not call.named:
        return constant(False)
    (value,) = call.only(low)
    return value if value.kind is BOOL else truth_value(low, truth(low, value))


@builtin(PYTHON.str, PYTHON.repr)
def lower_text(low: Lowering, call: Call) -> Value:
    """A text that is not known while compiling: of use for nothing but to be passed on."""
    (value,) = call.only(low)
    if value.kind not in NUMBERS:
        low.refuse("text", "a text is made of what is no number: leave it out")
    return SOME_TEXT


@builtin(PYTHON.pow)
def lower_pow(low: Lowering, call: Call) -> Value:
    """`pow` of two numbers."""
    one, exponent, modulus = call.taken(low, ("base", "exp", "mod"), 2)
    if modulus is not None:
        low.refuse("pow", "pow with a modulus: use ** and %")
    return operated(low, ast.Pow(), one or NOTHING, exponent or NOTHING)


@builtin(PYTHON.divmod)
def lower_divmod(low: Lowering, call: Call) -> Value:
    """`divmod`."""
    one, other = (_number(low, value) for value in call.only(low, 2))
    return tuple_of((operated(low, ast.FloorDiv(), one, other), operated(low, ast.Mod(), one, other)))


@builtin(PYTHON.isinstance)
def lower_isinstance(low: Lowering, call: Call) -> Value:
    """`isinstance` of a number."""
    value, wanted = (low.present(each) for each in call.only(low, 2))
    classes = [getattr(each.type, "value", None) for each in wanted.parts or (wanted,)]
    if value.kind not in (*WHOLE, FLOAT) or any(each not in (int, float, bool) for each in classes):
        low.refuse("isinstance", "isinstance of what is no number: do without")
    own = {INT: int, BOOL: bool, FLOAT: float}[value.kind]
    return constant(issubclass(own, tuple(classes)))


# ---- math


@builtin(MATH.sqrt)
def lower_sqrt(low: Lowering, call: Call) -> Value:
    """`math.sqrt`."""
    return Value(FLOAT, (low.made("SqrtF", *_floats(low, call, 1), kind="f"),))


@builtin(MATH.pow)
def lower_math_pow(low: Lowering, call: Call) -> Value:
    """`math.pow`: as ** of floats, which raises where this does or gives what bails."""
    return Value(FLOAT, (low.made("PowF", *_floats(low, call, 2), kind="f"),))


@builtin(MATH.fabs)
def lower_fabs(low: Lowering, call: Call) -> Value:
    """`math.fabs`."""
    return Value(FLOAT, (low.pure("AbsF", *_floats(low, call, 1), kind="f"),))


@builtin(MATH.hypot)
def lower_hypot(low: Lowering, call: Call) -> Value:
    """`math.hypot` of two numbers."""
    if len(call.arguments) != 2:
        low.refuse("hypot", "hypot of other than two numbers: use math.sqrt")
    return Value(FLOAT, (low.made("Math2F", *_floats(low, call, 2), HYPOT, kind="f"),))


@builtin(MATH.dist)
def lower_dist(low: Lowering, call: Call) -> Value:
    """`math.dist` of two pairs: as hypot of the differences."""
    pairs = [low.present(value) for value in call.only(low, 2)]
    pairs = [low.pair(value) if value.type is CELL else value for value in pairs]
    if any(type(value.type) is not Tuple or len(value.type.parts) != 2 for value in pairs):
        low.refuse("dist", "dist of what are no two pairs: use math.sqrt")
    floats = [[as_float(low, _number(low, part)) for part in value.parts or ()] for value in pairs]
    differences = [low.pure("SubF", first, second, kind="f") for first, second in zip(*floats, strict=True)]
    return Value(FLOAT, (low.made("Math2F", *differences, HYPOT, kind="f"),))


@builtin(MATH.isnan)
def lower_isnan(low: Lowering, call: Call) -> Value:
    """`math.isnan`."""
    (content,) = _floats(low, call, 1)
    return Value(BOOL, (low.pure("NeF", content, content),))


@builtin(MATH.isfinite)
def lower_isfinite(low: Lowering, call: Call) -> Value:
    """`math.isfinite`: the difference of an infinity or NaN with itself is NaN."""
    (content,) = _floats(low, call, 1)
    none = low.pure("SubF", content, content, kind="f")
    return Value(BOOL, (low.pure("EqF", none, none),))


@builtin(MATH.isinf)
def lower_isinf(low: Lowering, call: Call) -> Value:
    """`math.isinf`."""
    (content,) = _floats(low, call, 1)
    return Value(BOOL, (low.pure("EqF", low.number(math.inf), low.pure("AbsF", content, kind="f")),))


def _note_math() -> None:
    for place, one in enumerate(ONE):

        def lower_one(low: Lowering, call: Call, place: int = place) -> Value:
            if ONE[place] is MATH.log and len(call.arguments) == 2:
                return Value(FLOAT, (low.made("Math2F", *_floats(low, call, 2), LOG_OF_BASE, kind="f"),))
            return Value(FLOAT, (low.made("MathF", *_floats(low, call, 1), place, kind="f"),))

        builtin(one)(lower_one)
    for place, two in enumerate(TWO):

        def lower_two(low: Lowering, call: Call, place: int = place) -> Value:
            return Value(FLOAT, (low.made("Math2F", *_floats(low, call, 2), place, kind="f"),))

        builtin(two)(lower_two)


_note_roundings()
_note_math()


# ---- one value of many


@builtin(PYTHON.len)
def lower_len(low: Lowering, call: Call) -> Value:
    """`len`."""
    return length(low, *call.only(low))


@builtin(PYTHON.sum)
def lower_sum(low: Lowering, call: Call) -> Value:
    """`sum`: of ints exact, of floats in order, from 3.12 on with what rounding takes off."""
    items, start = call.taken(low, ("iterable", "start"), 1, 1)
    begin = constant(0) if start is None else low.present(start)
    if not COMPENSATED:
        return low.prelude("total", items or NOTHING, begin)
    return _compensated(low, items or NOTHING, begin)


def _compensated(low: Lowering, items: Value, begin: Value) -> Value:
    """The sum of what are all ints, or all floats: of which of them is a fact of the rounds before."""
    key = (low.site("sum"), "kinds")
    kinds = low.facts.get(key, frozenset())

    def noted(body: Body, ordered: bool) -> list[Any]:
        def note(item: Value) -> None:
            item = low.present(item)
            low.facts.learn(key, low.facts.newest(key, frozenset()) | {item.kind})
            body(item)

        return each(low, items, note, ordered=ordered)

    walked = stream(noted)
    if kinds & {FLOAT, NUM} and begin.kind in NUMBERS:
        if kinds != {FLOAT} or not (begin.kind is FLOAT or (begin.is_constant and begin.constant == 0)):
            low.refuse("sum", "sum of ints and floats: make them floats")
        found = low.prelude("compensated_total", walked, constant(0.0) if begin.is_constant and begin.kind is not FLOAT else begin)
        return found
    return low.prelude("total", walked, begin)


@builtin(PYTHON.any)
def lower_any(low: Lowering, call: Call) -> Value:
    """`any`: the first that is true ends it."""
    return low.prelude("any_of", *call.only(low))


@builtin(PYTHON.all)
def lower_all(low: Lowering, call: Call) -> Value:
    """`all`: the first that is false ends it."""
    return low.prelude("all_of", *call.only(low))


@builtin(PYTHON.min)
def lower_min(low: Lowering, call: Call) -> Value:
    """`min`: the first of equals."""
    return _extreme(low, call, largest=False)


@builtin(PYTHON.max)
def lower_max(low: Lowering, call: Call) -> Value:
    """`max`: the first of equals."""
    return _extreme(low, call, largest=True)


def _extreme(low: Lowering, call: Call, *, largest: bool) -> Value:
    named = dict(call.named)
    key, default = named.pop("key", NOTHING), named.pop("default", None)
    if named or not call.arguments or (default is not None and len(call.arguments) > 1):
        raise low.bail()
    message = "the least or largest of different types: compare numbers"
    items = call.arguments[0] if len(call.arguments) == 1 else tuple_of(tuple(call.arguments))
    parts = items_of(low, low.present(items))
    if key.type is NONE and parts:
        best = low.present(parts[0])
        for part in parts[1:]:
            best = low.unmixed(_better(low, best, low.present(part), largest), message)
        return best
    word = "largest" if largest else "smallest"
    if key.type is NONE:
        found = low.prelude(word, _present_items(low, items))
    else:
        found = low.prelude(f"{word}_by", items, key)
    low.unmixed(found, message)
    if default is None:
        best = low.present(found)
        if best.type is NONE:
            raise low.bail()
        return best if key.type is NONE else (best.parts or ())[1]
    return low.unmixed(_or_else(low, found, default, has_key=key.type is not NONE), message)


def _or_else(low: Lowering, found: Value, default: Value, *, has_key: bool) -> Value:
    true, false = truth(low, low.prelude("is_some", found))

    def best() -> Value:
        value = low.inside(found) if isinstance(found.type, Optional) else found
        return (value.parts or ())[1] if has_key else value

    return low.either([way for way in ((true, best), (false, lambda: default)) if way[0]])


def _present_items(low: Lowering, items: Value) -> Value:
    """The items, of which none is None."""
    return stream(lambda body, ordered: each(low, items, lambda item: body(low.present(item)), ordered=ordered))


def _better(low: Lowering, best: Value, other: Value, largest: bool) -> Value:
    """The one of two that goes before."""
    if best.kind in WHOLE and other.kind in WHOLE and not (best.is_constant and other.is_constant):
        kind = best.kind if best.kind is other.kind else INT
        return Value(kind, (low.pure("MaxI" if largest else "MinI", low.one(best), low.one(other)),))
    test = less(low, best, other) if largest else less(low, other, best)
    true, false = truth(low, test)
    return low.either([way for way in ((true, lambda: other), (false, lambda: best)) if way[0]])


@builtin(PYTHON.next)
def lower_next(low: Lowering, call: Call) -> Value:
    """`next` of a generator that is made here: its first item."""
    items, default = call.taken(low, ("iterator", "default"), 1, 2)
    assert items is not None
    if not is_stream(items):
        low.refuse("next", "next of what is no generator written here: use a loop with break")
    found = low.prelude("first_of", items)
    if default is None:
        found = low.present(found)
        if found.parts is None:
            raise low.bail()
        return found.parts[0]
    true, false = truth(low, low.prelude("is_some", found))

    def first() -> Value:
        value = low.inside(found) if isinstance(found.type, Optional) else found
        return (value.parts or ())[0]

    made = low.either([way for way in ((true, first), (false, lambda: default)) if way[0]])
    return low.unmixed(made, "the first item is sometimes of another type than the default: use one type")


# ---- what is walked once


@builtin(PYTHON.enumerate)
def lower_enumerate(low: Lowering, call: Call) -> Value:
    """`enumerate`: items with their numbers."""
    items, first = call.taken(low, ("iterable", "start"), 1)
    begin = constant(0) if first is None else low.present(first)
    if begin.kind not in WHOLE:
        raise low.bail()
    return low.prelude("enumerated", items or NOTHING, begin)


@builtin(PYTHON.map)
def lower_map(low: Lowering, call: Call) -> Value:
    """`map` of a function over one iterable."""
    if len(call.arguments) != 2 or call.named:
        low.refuse("map", "map over several lists: write a comprehension")
    return low.prelude("mapped", *call.arguments)


@builtin(PYTHON.filter)
def lower_filter(low: Lowering, call: Call) -> Value:
    """`filter` of an iterable by a function, or by truth."""
    function, items = call.only(low, 2)
    return low.prelude("true_ones", items) if function.type is NONE else low.prelude("filtered", function, items)


@builtin(itertools.chain)
def lower_chain(low: Lowering, call: Call) -> Value:
    """`itertools.chain`."""
    return low.prelude("chained", tuple_of(tuple(low.present(value) for value in call.only(low, len(call.arguments)))))


@builtin(prelude.unordered)
def lower_unordered(low: Lowering, call: Call) -> Value:
    """Of the prelude: what is walked in any order, if it is a set."""
    (items,) = call.arguments
    is_set = isinstance(items.type, Grouping)
    return stream(lambda body, _ordered: each(low, items, body, ordered=not is_set))

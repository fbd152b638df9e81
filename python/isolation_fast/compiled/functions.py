"""Builtins: the functions of numbers, those of `math`, and what makes one value of many."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any, Final

from isolation_fast.compiled.calls import called
from isolation_fast.compiled.code import Register
from isolation_fast.compiled.comparing import less
from isolation_fast.compiled.expressions import items_of, new_list, pushed
from isolation_fast.compiled.flow import Edge
from isolation_fast.compiled.iteration import SHUFFLED, each, in_step, is_shuffled
from isolation_fast.compiled.lists import handle_of, in_order, kept_as, region_of
from isolation_fast.compiled.lowering import (
    Body,
    Call,
    Lowering,
    builtin,
    family,
    is_stream,
    method,
    stream,
)
from isolation_fast.compiled.operators import (
    length,
    magnitude,
    operated,
    small_constant,
    truth,
    truth_value,
)
from isolation_fast.compiled.scalars import Scalar, of_python
from isolation_fast.compiled.source import MATH, PYTHON
from isolation_fast.compiled.types import (
    BOOL,
    CELL,
    FLOAT,
    INT,
    NEVER,
    NONE,
    NOTHING,
    NUM,
    NUMBERS,
    SOME_TEXT,
    STRING,
    TEXT,
    WHOLE,
    Listing,
    Tuple,
    Value,
    constant,
    is_plain,
    parts_in,
    tuple_of,
)

COMPENSATED: Final = sys.version_info >= (3, 12)
"""Since then `sum` of floats makes up for what each addition rounds off."""

# In the order of the engine's own table.
OF_ONE: Final = (
    *(MATH.exp, MATH.log, MATH.log2, MATH.log10, MATH.log1p, MATH.expm1, MATH.sin, MATH.cos, MATH.tan),
    *(MATH.asin, MATH.acos, MATH.atan, MATH.sinh, MATH.cosh, MATH.tanh, MATH.degrees, MATH.radians),
)
OF_TWO: Final = (MATH.atan2, MATH.fmod, MATH.copysign, MATH.hypot)
LOG_OF_BASE: Final = 4
ORDERED: Final = "the least or largest of different types: compare numbers"


# ---- numbers


def _number(low: Lowering, value: Value) -> Value:
    """An argument that must be a number."""
    value = low.unmixed(low.present(value), "a number is sometimes something else: use two variables")
    if value.kind not in NUMBERS:
        raise low.bail()
    return value


def _floats(low: Lowering, call: Call, count: int) -> list[Register]:
    return [low.as_float(_number(low, of_python(value))) for value in call.only(low, count)]


@builtin(PYTHON.abs)
def _abs(low: Lowering, call: Call) -> Value:
    (value,) = call.only(low)
    if type(value.type) is Scalar:
        return Value(value.type, magnitude(low, of_python(value)).row)
    return magnitude(low, _number(low, value))


@builtin(PYTHON.float)
def _float_builtin(low: Lowering, call: Call) -> Value:
    """`float` of a number, or of a text that is known."""
    if not call.arguments and not call.named:
        return constant(0.0)
    (value,) = (of_python(low.present(each)) for each in call.only(low))
    if value.is_constant and value.kind in (*NUMBERS, TEXT):
        try:
            return constant(float(value.constant))
        except (ValueError, OverflowError):
            raise low.bail() from None
    if value.kind in (TEXT, STRING):
        low.refuse("float", "float of a text: use a number")
    return Value(FLOAT, (low.as_float(_number(low, value)),))


def _rounded(low: Lowering, value: Value, name: str, function: Callable[[Any], int]) -> Value:
    value = low.present(value)
    if type(value.type) is Scalar and (value.type.of is FLOAT or function is int):
        value = of_python(value)
    if value.kind in (TEXT, STRING):
        low.refuse("int", "int of a text: use a number")
    value = _number(low, value)
    if value.is_constant:
        try:
            found = function(value.constant)
        except (ValueError, OverflowError):
            raise low.bail() from None
        return small_constant(low, found)
    if value.kind in WHOLE:
        return Value(INT, value.row)
    # An int that is kept as a float is its own floor and ceiling.
    return Value(INT, (low.made(name, value.row[-1]),))


@builtin(PYTHON.int)
def _int(low: Lowering, call: Call) -> Value:
    if not call.arguments and not call.named:
        return constant(0)
    return _rounded(low, call.only(low)[0], "TruncI", int)


builtin(MATH.floor)(lambda low, call: _rounded(low, call.only(low)[0], "FloorI", MATH.floor))
builtin(MATH.ceil)(lambda low, call: _rounded(low, call.only(low)[0], "CeilI", MATH.ceil))
builtin(MATH.trunc)(lambda low, call: _rounded(low, call.only(low)[0], "TruncI", MATH.trunc))


@builtin(PYTHON.round)
def _round(low: Lowering, call: Call) -> Value:
    """`round` to an integer: halves to the even one."""
    value, digits = call.taken(low, ("number", "ndigits"), 1)
    assert value is not None
    if digits is not None and digits.type is not NONE:
        value = low.present(value)
        if value.is_constant and digits.kind in WHOLE and digits.is_constant and value.kind in NUMBERS:
            try:
                return small_constant(low, round(value.constant, digits.constant))
            except OverflowError:
                raise low.bail() from None
        low.refuse("round", "round to decimal places is left to Python: leave it out, or round to an integer")
    return _rounded(low, value, "RoundI", round)


@builtin(PYTHON.bool)
def _bool(low: Lowering, call: Call) -> Value:
    if not call.arguments and not call.named:
        return constant(False)
    (value,) = call.only(low)
    return value if value.kind is BOOL else truth_value(low, truth(low, value))


@builtin(PYTHON.str, PYTHON.repr)
def _some_text(low: Lowering, call: Call) -> Value:
    """A text that is not known while compiling: of use for nothing but to be passed on."""
    (value,) = call.only(low)
    if value.kind not in NUMBERS:
        low.refuse("text", "a text is made of what is no number: leave it out")
    return SOME_TEXT


@builtin(PYTHON.pow)
def _pow(low: Lowering, call: Call) -> Value:
    """`pow` of two numbers."""
    one, exponent, modulus = call.taken(low, ("base", "exp", "mod"), 2)
    if modulus is not None:
        low.refuse("pow", "pow with a modulus: use ** and %")
    return operated(low, ast.Pow(), one or NOTHING, exponent or NOTHING)


@builtin(PYTHON.divmod)
def _divmod(low: Lowering, call: Call) -> Value:
    one, other = (_number(low, value) for value in call.only(low, 2))
    return tuple_of((operated(low, ast.FloorDiv(), one, other), operated(low, ast.Mod(), one, other)))


@builtin(PYTHON.isinstance)
def _isinstance(low: Lowering, call: Call) -> Value:
    """`isinstance` of a number."""
    value, wanted = (low.present(each) for each in call.only(low, 2))
    classes: list[Any] = [getattr(each.type, "value", None) for each in wanted.parts or (wanted,)]
    if value.kind not in (*WHOLE, FLOAT) or any(each not in (int, float, bool) for each in classes):
        low.refuse("isinstance", "isinstance of what is no number: do without")
    own = {INT: int, BOOL: bool, FLOAT: float}[value.kind]
    return constant(issubclass(own, tuple(classes)))


# ---- math


def _of_floats(low: Lowering, call: Call, name: str, count: int, *place: int) -> Value:
    """What an instruction makes of so many floats; `place` is that in the engine's table."""
    return Value(FLOAT, (low.made(name, *_floats(low, call, count), *place, kind="f"),))


def _note_math() -> None:
    every: list[tuple[Any, ...]] = [(MATH.sqrt, "SqrtF", 1), (MATH.pow, "PowF", 2)]
    every += [(function, "MathF", 1, place) for place, function in enumerate(OF_ONE)]
    every += [(function, "Math2F", 2, place) for place, function in enumerate(OF_TWO)]
    for function, *instruction in every:
        builtin(function)(lambda low, call, instruction=instruction: _of_floats(low, call, *instruction))
    for function, name in ((MATH.isnan, "is_nan"), (MATH.isfinite, "is_finite"), (MATH.isinf, "is_infinite")):
        builtin(function)(lambda low, call, name=name: low.prelude(name, _float(low, call)))


def _float(low: Lowering, call: Call) -> Value:
    return Value(FLOAT, tuple(_floats(low, call, 1)))


_note_math()
builtin(MATH.fabs)(lambda low, call: magnitude(low, _float(low, call)))


@builtin(MATH.log)
def _log(low: Lowering, call: Call) -> Value:
    if len(call.arguments) == 2:
        return _of_floats(low, call, "Math2F", 2, LOG_OF_BASE)
    return _of_floats(low, call, "MathF", 1, OF_ONE.index(MATH.log))


@builtin(MATH.hypot)
def _hypot(low: Lowering, call: Call) -> Value:
    if len(call.arguments) != 2:
        low.refuse("hypot", "hypot of other than two numbers: use math.sqrt")
    return _of_floats(low, call, "Math2F", 2, OF_TWO.index(MATH.hypot))


@builtin(MATH.dist)
def _dist(low: Lowering, call: Call) -> Value:
    pairs = [low.present(value) for value in call.only(low, 2)]
    if any(family(pair.type) != "tuple" or len(items_of(low, pair) or ()) != 2 for pair in pairs):
        low.refuse("dist", "dist of what are no two pairs: use math.sqrt")
    return low.prelude("distance", *pairs)


# ---- one value of many


builtin(PYTHON.len)(lambda low, call: length(low, *call.only(low)))


@builtin(PYTHON.sum)
def _sum(low: Lowering, call: Call) -> Value:
    """`sum`: of ints exact, of floats in order, from 3.12 on with what rounding takes off."""
    items, start = call.taken(low, ("iterable", "start"), 1, 1)
    assert items is not None
    begin = constant(0) if start is None else low.present(start)
    return _compensated(low, items, begin) if COMPENSATED else low.prelude("total", items, begin)


def _compensated(low: Lowering, items: Value, begin: Value) -> Value:
    """The sum of what are all ints, or all floats: of which of them is a fact of the rounds before."""
    key = (low.site("sum"), "kinds")
    kinds = low.facts.get(key, frozenset())

    def noted(item: Value) -> Value:
        item = low.present(item)
        low.facts.learn(key, low.facts.newest(key, frozenset()) | {item.kind})
        return item

    walked = _each_as(low, items, noted)
    if kinds & {FLOAT, NUM, Scalar(FLOAT)} and begin.kind in NUMBERS:
        if kinds != {FLOAT} or not (begin.kind is FLOAT or (begin.is_constant and begin.constant == 0)):
            low.refuse("sum", "sum of ints and floats: make them floats")
        start = begin if begin.kind is FLOAT else constant(0.0)
        return low.prelude("compensated_total", walked, start)
    return low.prelude("total", walked, begin)


builtin(PYTHON.any)(lambda low, call: low.prelude("any_of", *call.only(low)))
builtin(PYTHON.all)(lambda low, call: low.prelude("all_of", *call.only(low)))
builtin(PYTHON.min)(lambda low, call: _extreme(low, call, least=True))
builtin(PYTHON.max)(lambda low, call: _extreme(low, call, least=False))


def _extreme(low: Lowering, call: Call, *, least: bool) -> Value:
    """`min` and `max`: the first of equals."""
    named = dict(call.named)
    key, default = named.pop("key", NOTHING), named.pop("default", None)
    if named or not call.arguments or (default is not None and len(call.arguments) > 1):
        raise low.bail()
    items = call.arguments[0] if len(call.arguments) == 1 else tuple_of(tuple(call.arguments))
    if key.type is not NONE:
        return _first_of(low, low.prelude("best_by", items, key, constant(least)), default)
    parts = items_of(low, low.present(items))
    if not parts:
        return _first_of(
            low, low.prelude("best", _each_as(low, items, low.present), constant(least)), default
        )
    best = low.present(parts[0])
    for part in parts[1:]:
        best = low.unmixed(_better(low, best, low.present(part), least=least), ORDERED)
    return best


def _first_of(low: Lowering, found: Value, default: Value | None) -> Value:
    """The first part of what was found; where that is None, the default."""
    if default is None:
        return low.prelude("first_part", found)
    return low.prelude("first_part_or", found, default)


def _each_as(low: Lowering, items: Value, change: Callable[[Value], Value]) -> Value:
    """What walks over the items, each as it is changed."""
    return stream(lambda body, ordered: each(low, items, lambda item: body(change(item)), ordered=ordered))


def _better(low: Lowering, best: Value, other: Value, *, least: bool) -> Value:
    """The one of two that goes before."""
    if best.kind in WHOLE and other.kind in WHOLE and not (best.is_constant and other.is_constant):
        kind = best.kind if best.kind is other.kind else INT
        name = "MinI" if least else "MaxI"
        return Value(kind, (low.pure(name, low.one(best), low.one(other)),))
    true, false = truth(low, less(low, other, best) if least else less(low, best, other))
    return low.either([way for way in ((true, lambda: other), (false, lambda: best)) if way[0]])


@builtin(PYTHON.next)
def _next(low: Lowering, call: Call) -> Value:
    """`next` of a generator that is made here: its first item."""
    items, default = call.taken(low, ("iterator", "default"), 1, 2)
    assert items is not None
    if not is_stream(items):
        low.refuse("next", "next of what is no generator written here: use a loop with break")
    return _first_of(low, low.prelude("first_of", items), default)


# ---- what is walked once


@builtin(PYTHON.enumerate)
def _enumerate(low: Lowering, call: Call) -> Value:
    """`enumerate`: items with their numbers."""
    items, first = call.taken(low, ("iterable", "start"), 1)
    begin = constant(0) if first is None else low.present(first)
    if begin.kind not in WHOLE:
        raise low.bail()
    return low.prelude("enumerated", items or NOTHING, begin)


@builtin(PYTHON.map)
def _map(low: Lowering, call: Call) -> Value:
    """`map` of a function over one iterable, or over several in step."""
    function, *items = call.only(low, max(2, len(call.arguments)))
    if len(items) == 1:
        return low.prelude("mapped", function, *items)
    return low.prelude("mapped_in_step", function, in_step(low, Call(items)))


builtin(PYTHON.filter)(lambda low, call: low.prelude("filtered", *call.only(low, 2)))


# ---- sorting


@builtin(PYTHON.sorted)
def _sorted(low: Lowering, call: Call) -> Value:
    named = dict(call.named)
    key, reverse = named.pop("key", NOTHING), named.pop("reverse", constant(False))
    if named or len(call.arguments) != 1:
        raise low.bail()
    items = low.present(call.arguments[0])
    shuffled = is_shuffled(items.type)
    if shuffled and key.type is not NONE:
        low.refuse("set", SHUFFLED)

    def walk(put: Body) -> list[Edge]:
        def checked(item: Value) -> None:
            # Of two items that are equal it cannot be told which came first.
            if shuffled and not is_plain(item.type):
                low.refuse("set", SHUFFLED)
            put(item)

        return each(low, items, checked, ordered=not shuffled)

    region = low.region("sorted")
    made = Value(Listing(region), (new_list(low, region),))
    _fill_sorted(low, made, walk, key, reverse)
    return made


@method("list", "sort", takes=("key", "reverse"), required=0, named=True)
def _list_sort(low: Lowering, value: Value, key: Value | None, reverse: Value | None) -> Value:
    """`list.sort(key=..., reverse=...)`: while Python sorts a list, it is empty."""
    low.write_into(value)
    handle = in_order(low, value)
    if region_of(value).element is NEVER:
        return NOTHING
    copy = kept_as(low, value.type, low.made("ListCopy", handle))
    low.emit("ListClear", handle)

    def walk(put: Body) -> list[Edge]:
        low.enter(each(low, copy, put))
        low.bail_if("JumpNeI", low.made("ListLen", handle), low.number(0))
        return [low.leave()]

    _fill_sorted(low, value, walk, key or NOTHING, reverse or constant(False))
    return NOTHING


def _fill_sorted(
    low: Lowering, made: Value, walk: Callable[[Body], list[Edge]], key: Value, reverse: Value
) -> None:
    """Put into a list what a loop gives, sorted: items stand behind their keys in a list that is sorted."""
    if not reverse.is_constant or reverse.kind not in WHOLE:
        low.refuse("sort", "`reverse` is not constant: write True or False")
    region = low.region("what is sorted")
    pairs = new_list(low, region)

    def put(item: Value) -> None:
        by = item
        if key.type is not NONE:
            with low.turned("key"):
                by = called(low, key, Call([item]))
        pushed(low, region, pairs, tuple_of((_as_key(low, by), low.bound(item))))

    effects = low.unit.effects
    low.enter(walk(put))
    if effects != low.unit.effects:
        # Python has all items before it asks for the first key.
        message = "what is sorted, or its key, changes something on the way: make a list of it first"
        low.refuse("sort", message)
    if not isinstance(region.element, Tuple):
        return
    _sort(low, pairs, region.element, int(bool(reverse.constant)))

    def take(pair: Value) -> None:
        pushed(low, region_of(made), handle_of(low, made), (pair.parts or ())[1])

    low.enter(each(low, Value(Listing(region), (pairs,)), take))


def _as_key(low: Lowering, value: Value) -> Value:
    """What items are compared by: numbers, and tuples of them."""
    value = low.present(value)
    if value.type is CELL:
        value = low.pair(value)
    if type(value.type) is Tuple:
        return tuple_of(tuple(_as_key(low, part) for part in value.parts or ()))
    if value.kind not in NUMBERS:
        low.refuse("sort", f"it is sorted by {value.type.label}: sort by numbers, or tuples of them")
    return value


def _sort(low: Lowering, pairs: Register, element: Tuple, backwards: int) -> None:
    """Sort a list of pairs by each number of their first parts, the last one first; each pass is stable."""
    kinds = [kind for kind in parts_in(element.parts[0]) if not isinstance(kind, Tuple)]
    end = len(element.parts[0].layout)
    for kind in reversed(kinds):
        with low.turned(end):
            _sort_by(low, pairs, "I" if kind in WHOLE else "F", end - 1, backwards)
        end -= len(kind.layout)


def _sort_by(low: Lowering, pairs: Register, letter: str, offset: int, backwards: int) -> None:
    """Sort a list of pairs by one of their words."""
    keys, index = low.made("ListNew", 1), low.copied(low.number(0))

    def turn(exits: list[Edge]) -> None:
        exits.append(low.jump("JumpLeI", low.made("ListLen", pairs), index))
        word = low.made(f"Load{letter}", low.made("ListAt", pairs, index), offset, kind=letter.lower())
        low.emit(f"Store{letter}", low.made("ListPush", keys), 0, word)
        low.emit("AddN", index, index, 1)

    low.enter(low.loop(low.site("keys"), turn))
    low.emit(f"Sort{letter}", pairs, keys, backwards)

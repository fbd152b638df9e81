"""What makes one value of many: `sum`, `any`, `all`, `min`, `max`, `len`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any, Final

from isolation_fast.compiled.arithmetic import as_float, operated
from isolation_fast.compiled.conditions import length, less, truth, truth_value
from isolation_fast.compiled.flow import Edge
from isolation_fast.compiled.iteration import applied, each, is_shuffled
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.tables import Call, builtin
from isolation_fast.compiled.types import (
    FLOAT,
    INT,
    MIXED,
    NONE,
    NUM,
    NUMBERS,
    WHOLE,
    Known,
    Listing,
    Optional,
)
from isolation_fast.compiled.values import NOTHING, Value, number, tuple_of

COMPENSATED: Final = sys.version_info >= (3, 12)
"""Since then `sum` of floats makes up for what each addition rounds off."""


@builtin(len)
def lower_len(low: Lowering, call: Call) -> Value:
    """`len`."""
    (value,) = call.only(low)
    return length(low, value)


# ---- sum


@builtin(sum)
def lower_sum(low: Lowering, call: Call) -> Value:
    """`sum`: of ints exact, of floats in order, from 3.12 on with what rounding takes off."""
    items, start = call.taken(low, ("iterable", "start"), 1, 1)
    assert items is not None
    start = number(0) if start is None else low.settled(low.present(start))
    name, lost = (("$", low.scope.key, id(call.node), word) for word in ("sum", "lost"))

    def write(ordered: bool) -> bool:
        env = low.reached()
        env[name], env[lost] = start, number(0.0)
        whole = True

        def add(item: Value) -> None:
            nonlocal whole
            item = low.present(item)
            total = low.reached()[name]
            if isinstance(item.type, Listing) and isinstance(total.type, Listing) and is_shuffled(items.type):
                # In whatever order the lists are joined, the sum has the same items.
                total.type.region.root().shuffle()
            else:
                whole = whole and item.type in WHOLE and total.type in WHOLE
            if COMPENSATED and item.type in (FLOAT, NUM):
                _add_compensated(low, name, lost, item)
            else:
                if COMPENSATED and total.type in (FLOAT, NUM):
                    low.refuse("sum", "sum of ints and floats: make them floats")
                low.assign_key(name, operated(low, ast.Add(), total, item))

        exits = each(low, items, ("sum", low.place(call.node)), add, [name, lost], ordered=ordered)
        low.enter(exits)
        return whole or ordered

    plain = start.type is FLOAT or (start.is_constant and start.constant == 0)
    if COMPENSATED and start.type in NUMBERS and not plain:
        low.refuse("sum", "sum with a start that is no float: add the start to the sum")
    low.in_any_order(("sum", low.place(call.node)), write)
    env = low.reached()
    total = _with_lost(low, env[name], env[lost], call)
    if total.type is MIXED:
        low.refuse("sum", "sum of what are not numbers: add them in a loop")
    total = low.settled(total)
    low.env = {key: value for key, value in low.reached().items() if key not in (name, lost)}
    return total


def _add_compensated(low: Lowering, name: Any, lost: Any, item: Value) -> None:
    """Add as CPython does since 3.12: what an addition of floats rounds off is added to `lost`.

    It adds the first float to the start as it is. That start is 0 or a float here, which gives the same.
    """
    if item.type is NUM:
        tag, content = low.row(item)
        low.bail_if("JumpIfNot", tag)
        item = Value(FLOAT, (content,))
    total = low.reached()[name]
    if total.type in WHOLE:
        total = number(0.0)
    one, other = as_float(low, total), low.one(item)
    new = low.pure("AddF", one, other, kind="f")
    sizes = [low.pure("AbsF", register, kind="f") for register in (one, other)]
    smaller = low.jump("JumpLtF", *sizes)

    def rest(first: int, second: int) -> Value:
        off = low.pure("AddF", low.pure("SubF", first, new, kind="f"), second, kind="f")
        return operated(low, ast.Add(), low.reached()[lost], Value(FLOAT, (off,)))

    more = low.either(
        ("lost", id(low.at)),
        [([low.leave()], lambda: rest(one, other)), ([smaller], lambda: rest(other, one))],
    )
    low.assign_key(lost, more)
    low.assign_key(name, Value(FLOAT, (new,)))


def _with_lost(low: Lowering, total: Value, lost: Value, call: Call) -> Value:
    """Add what was lost, if it is a finite number and not 0."""
    if not COMPENSATED or total.type not in (FLOAT, NUM):
        return total
    if total.type is NUM:
        tag, content = low.row(total)
        none = low.jump("JumpIfNot", tag)
        held = Value(FLOAT, (content,))
        return low.either(
            ("sum of some", id(call.node)),
            [([none], lambda: number(0)), ([low.leave()], lambda: _with_lost(low, held, lost, call))],
        )
    zero = low.constant_register("ConstF", 0.0, "f")
    off = as_float(low, lost)
    finite = low.pure("SubF", off, off, kind="f")
    none = low.jump("JumpEqF", off, zero)
    infinite = low.jump("JumpNeF", finite, finite)
    some = low.leave()
    return low.either(
        ("with lost", id(call.node)),
        [([none, infinite], lambda: total), ([some], lambda: operated(low, ast.Add(), total, lost))],
    )


# ---- any, all


@builtin(any)
def lower_any(low: Lowering, call: Call) -> Value:
    """`any`: the first that is true ends it."""
    return _quantified(low, call, every=False)


@builtin(all)
def lower_all(low: Lowering, call: Call) -> Value:
    """`all`: the first that is false ends it."""
    return _quantified(low, call, every=True)


def _quantified(low: Lowering, call: Call, *, every: bool) -> Value:
    (items,) = call.only(low)
    decided: list[Edge] = []
    ended: list[Edge] = []
    place = ("any", low.place(call.node))

    def test(item: Value) -> None:
        true, false = truth(low, item)
        on, off = (true, false) if every else (false, true)
        decided.extend(off)
        low.enter(on)

    def write(ordered: bool) -> bool:
        # Of two items one may decide and the other raise.
        risks = low.risks
        ended[:] = each(low, items, place, test, ordered=ordered)
        return low.risks == risks

    low.in_any_order(place, write)
    ways = (ended, decided) if every else (decided, ended)
    return truth_value(low, ways, place)


# ---- min, max


@builtin(min)
def lower_min(low: Lowering, call: Call) -> Value:
    """`min`: the first of equals."""
    return _extreme(low, call, largest=False)


@builtin(max)
def lower_max(low: Lowering, call: Call) -> Value:
    """`max`: the first of equals."""
    return _extreme(low, call, largest=True)


def _extreme(low: Lowering, call: Call, *, largest: bool) -> Value:
    named = dict(call.named)
    key, default = named.pop("key", NOTHING), named.pop("default", None)
    if named or not call.arguments:
        raise low.bail()
    if len(call.arguments) == 1:
        return _extreme_of(low, call, key, default, largest)
    if default is not None:
        raise low.bail()
    keyed = [
        (low.settled(low.present(value)) if key.type is NONE else low.settled(value))
        for value in call.arguments
    ]
    best = _with_key(low, key, keyed[0])
    for place, value in enumerate(keyed[1:]):
        best = _better(low, best, _with_key(low, key, value), largest, ("best", place, id(call.node)))
    return _unmixed(low, (best.parts or ())[1])


def _with_key(low: Lowering, key: Value, item: Value) -> Value:
    """What is compared, and what it stands for."""
    item = low.settled(item)
    return tuple_of((item if key.type is NONE else low.settled(applied(low, key, [item])), item))


def _better(low: Lowering, best: Value, other: Value, largest: bool, place: Any) -> Value:
    """The one of two pairs that goes before."""
    (one_key, one), (other_key, item) = best.parts or (), other.parts or ()
    if one_key is one and other_key is item and one.type in WHOLE and item.type in WHOLE:
        name = "MaxI" if largest else "MinI"
        if not (one.is_constant and item.is_constant):
            found = Value(
                item.type if one.type is item.type else INT, (low.pure(name, low.one(one), low.one(item)),)
            )
            return tuple_of((found, found))
    test = less(low, one_key, other_key) if largest else less(low, other_key, one_key)
    true, false = truth(low, test)
    if one_key is one and other_key is item:
        found = _unmixed(low, low.either(place, [(true, lambda: item), (false, lambda: one)]))
        return tuple_of((found, found))
    return _unmixed(low, low.either(place, [(true, lambda: other), (false, lambda: best)]))


def _unmixed(low: Lowering, value: Value) -> Value:
    if value.type is MIXED:
        low.refuse("type", "the least or largest of different types: compare numbers")
    return value


def _extreme_of(low: Lowering, call: Call, key: Value, default: Value | None, largest: bool) -> Value:
    """The extreme of what can be walked over; where there is nothing, the default."""
    (items,) = call.arguments
    name = ("$", low.scope.key, id(call.node), "best")
    place = ("extreme", low.place(call.node))

    def write(ordered: bool) -> bool:
        low.reached()[name] = NOTHING
        plain = key.type is NONE

        def compare(item: Value) -> None:
            nonlocal plain
            best = low.reached()[name]
            item = low.present(item) if key.type is NONE else item
            found = _with_key(low, key, item)
            plain = plain and item.type in WHOLE
            if best.type is MIXED:
                low.refuse("type", "the least or largest of different types: compare numbers")
            if isinstance(best.type, Optional):
                tag, *row = low.row(best)
                none = low.jump("JumpIfNot", tag)
                held = low.held(best.type.of, row)
                arms: list[tuple[list[Edge], Callable[[], Value]]] = [
                    ([low.leave()], lambda: _better(low, _joint(held, key), found, largest, ("of", place))),
                    ([none], lambda: found),
                ]
                found = low.either(("any", place), arms)
            elif best.type is not NONE:
                # Of a tuple it is known which items come before.
                found = _better(low, _joint(best, key), found, largest, ("of", place))
            low.assign_key(name, found)

        low.enter(each(low, items, place, compare, ordered=ordered))
        return plain or ordered

    low.in_any_order(place, write)
    best = _unmixed(low, low.reached().pop(name))
    if best.type is NONE:
        if default is None:
            raise low.bail()
        return default
    if default is None:
        return _unmixed(low, low.settled((low.present(best).parts or ())[1]))
    if not isinstance(best.type, Optional):
        return _unmixed(low, low.settled((best.parts or ())[1]))
    tag, *row = low.row(low.settled(best))
    none = low.jump("JumpIfNot", tag)
    held = low.held(best.type.of, row)
    found = low.either(
        ("default", place), [([low.leave()], lambda: (held.parts or ())[1]), ([none], lambda: default)]
    )
    return _unmixed(low, found)


def _joint(held: Value, key: Value) -> Value:
    """Without a key, what is compared is the item itself."""
    if key.type is NONE and held.parts is not None:
        item = held.parts[1]
        return tuple_of((item, item))
    return held


@builtin(next)
def lower_next(low: Lowering, call: Call) -> Value:
    """`next` of a generator that is made here: its first item."""
    items, default = call.taken(low, ("iterator", "default"), 1, 2)
    assert items is not None
    if not (isinstance(items.type, Known) and items.type.label == "an iterator"):
        low.refuse("next", "next of what is no generator written here: use a loop with break")
    name = ("$", low.scope.key, id(call.node), "next")
    first: list[Edge] = []

    def take(item: Value) -> None:
        low.reached()[name] = low.settled(item)
        first.append(low.leave())

    ended = each(low, items, ("next", low.place(call.node)), take)

    def without() -> Value:
        if default is None:
            raise low.bail()
        return default

    arms: list[tuple[list[Edge], Callable[[], Value]]] = [
        (first, lambda: low.reached().pop(name)),
        (ended, without),
    ]
    return _unmixed(low, low.either(("next", id(call.node)), arms))

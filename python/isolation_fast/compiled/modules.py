"""What `operator`, `functools` and `itertools` offer."""

from __future__ import annotations

import functools
import itertools
import operator
from typing import Final

from isolation_fast.compiled.calls import UNSTARRED, called
from isolation_fast.compiled.comparing import ORDERS, compared
from isolation_fast.compiled.iteration import stream_of
from isolation_fast.compiled.lists import new_tuple_of
from isolation_fast.compiled.lowering import METHODS, Call, Lowering, builtin, is_stream
from isolation_fast.compiled.operators import OPERATORS, length, operated
from isolation_fast.compiled.source import PYTHON
from isolation_fast.compiled.types import (
    CELL,
    NEVER,
    Closure,
    Known,
    Listing,
    Method,
    Optional,
    Tuple,
    Value,
    constant,
    tuple_of,
)

MOST_POOLS: Final = 8
PARTIAL: Final = "partial call"


@builtin(operator.itemgetter)
def _item_getter(low: Lowering, call: Call) -> Value:
    return low.prelude("item_getter", tuple_of(tuple(call.only(low, max(1, len(call.arguments))))))


def _columns(low: Lowering, rows: Value) -> Value:
    """`zip(*rows)`."""
    rows = low.prelude("collected", rows)
    row = rows.type.region.element if isinstance(rows.type, Listing) else NEVER
    row = row.of if isinstance(row, Optional) else row
    size = 2 if row is CELL else len(row.parts) if isinstance(row, Tuple) else 0
    if not size and row is not NEVER:
        low.refuse("zip", "zip of the items of a list that are no tuples: write a comprehension")
    low.bail_if("JumpLeI", low.one(length(low, rows)), low.number(0))
    columns = []
    for place in range(size):
        with low.turned(place):
            columns.append(new_tuple_of(low, low.prelude("column", rows, constant(place))))
    return stream_of(low, tuple(columns))


UNSTARRED[id(PYTHON.zip)] = _columns
UNSTARRED[id(itertools.chain)] = lambda low, many: low.prelude("chained", low.prelude("collected", many))


def _many(low: Lowering, call: Call) -> Value:
    """All arguments, as a tuple."""
    return tuple_of(tuple(map(low.present, call.only(low, len(call.arguments)))))


builtin(itertools.chain)(lambda low, call: low.prelude("chained", _many(low, call)))


for _operator, (_, _, _function) in OPERATORS.items():
    builtin(_function)(lambda low, call, op=_operator: operated(low, op(), *call.only(low, 2)))
for _order, _compare in ORDERS.items():
    builtin(_compare)(lambda low, call, op=_order: compared(low, op(), *call.only(low, 2)))


@builtin(itertools.product)
def _product(low: Lowering, call: Call) -> Value:
    times = call.named.get("repeat", constant(1)).constant
    if set(call.named) - {"repeat"} or type(times) is not int or not 0 <= times <= MOST_POOLS:
        low.refuse("product", "product with what is not constant: write loops in one another")
    rows = stream_of(low, (tuple_of(()),))
    for place, pool in enumerate([_pool(low, items) for items in enumerate(call.arguments)] * times):
        with low.turned(("pool", place)):
            rows = low.prelude("crossed", rows, pool)
    return rows


def _pool(low: Lowering, items: tuple[int, Value]) -> Value:
    with low.turned(items[0]):
        return low.prelude("collected", items[1])


def _pairs(low: Lowering, call: Call, *, both: bool) -> Value:
    items, size = call.taken(low, ("iterable", "r"), 2)
    assert items is not None
    if size is None or size.constant != 2:
        low.refuse("itertools", "permutations or combinations of other than two: write loops in one another")
    return low.prelude("pairs_of", low.prelude("collected", items), constant(both))


builtin(itertools.permutations)(lambda low, call: _pairs(low, call, both=True))
builtin(itertools.combinations)(lambda low, call: _pairs(low, call, both=False))


@builtin(functools.reduce)
def _reduce(low: Lowering, call: Call) -> Value:
    name = "reduced" if len(call.arguments) == 2 else "reduced_from"
    return low.prelude(name, *call.only(low, 2 + (name == "reduced_from")))


@builtin(functools.partial)
def partial_of(low: Lowering, call: Call) -> Value:
    """A function with some of its arguments: a method of a tuple of all of them."""
    if not call.arguments:
        raise low.bail()
    function, *given = map(low.bound, call.arguments)
    if not isinstance(function.type, (Closure, Method, Known)) or is_stream(function):
        low.refuse("partial", f"partial of {function.type.label}: give it a function")
    named = (tuple_of((constant(name), low.bound(value))) for name, value in call.named.items())
    held = tuple_of((function, tuple_of(tuple(given)), tuple_of(tuple(named))))
    low.refuse_iterator(held)
    return Value(Method(held.type, PARTIAL), held.row)


def _call_of_partial(low: Lowering, held: Value, call: Call) -> Value:
    function, given, named = held.parts or ()
    before = {name.constant: value for name, value in (each.parts or () for each in named.parts or ())}
    return called(low, function, Call([*(given.parts or ()), *call.arguments], {**before, **call.named}))


METHODS["tuple", PARTIAL] = _call_of_partial

"""Sorting: `sorted` and `list.sort`.

Items stand in a list beside their keys. That is sorted by each part of the key, the last part first, which
gives the order of tuples since each pass is stable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from isolation_fast.compiled.elements import loaded, new_list, pushed, region_of
from isolation_fast.compiled.iteration import SHUFFLED, applied, each, is_shuffled
from isolation_fast.compiled.lists import is_plain
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.tables import Call, builtin, method
from isolation_fast.compiled.types import CELL, FLOAT, NEVER, NONE, NUM, WHOLE, Listing
from isolation_fast.compiled.values import NOTHING, Value, tuple_of

FLOATS: Final = (FLOAT, NUM)


@builtin(sorted)
def lower_sorted(low: Lowering, call: Call) -> Value:
    """`sorted(items, key=..., reverse=...)`: a new list."""
    named = dict(call.named)
    key, reverse = named.pop("key", NOTHING), named.pop("reverse", None)
    if named or len(call.arguments) != 1:
        raise low.bail()
    items = low.settled(low.present(call.arguments[0]))
    backwards = _backwards(low, reverse)
    shuffled = is_shuffled(items.type)
    if shuffled and key.type is not NONE:
        low.refuse("set", SHUFFLED)
    made = new_list(low, low.region(call.node, "sorted"))

    def walk(put: Callable[[Value], None]) -> None:
        def checked(item: Value) -> None:
            # Of two items that are equal it cannot be told which came first.
            if shuffled and not is_plain(item.type):
                low.refuse("set", SHUFFLED)
            put(item)

        place = ("sorted", low.place(call.node))
        low.enter(each(low, items, place, checked, ordered=not shuffled))

    return _sorted_into(low, call, made, walk, key, backwards)


@method("list", "sort", takes=("key", "reverse"), required=0)
def lower_sort(low: Lowering, value: Value, key: Value | None, reverse: Value | None) -> Value:
    """`list.sort(key=..., reverse=...)`: while Python sorts a list, it is empty."""
    region = low.write_into(region_of(value))
    if region.shuffled:
        low.refuse("set", SHUFFLED)
    if region.element is NEVER:
        return NOTHING
    backwards = _backwards(low, reverse)
    handle = low.one(low.settled(value))
    copy = Value(value.type, (low.made("ListCopy", handle),))
    low.emit("ListClear", handle)
    call = Call(low.call_node, [], {})  # type: ignore[arg-type]

    def walk(put: Callable[[Value], None]) -> None:
        low.enter(each(low, copy, ("sort", low.place(call.node)), put))
        zero = low.constant_register("ConstI", 0, "i")
        low.bail_if("JumpNeI", low.made("ListLen", handle), zero)

    _sorted_into(low, call, Value(value.type, (handle,)), walk, key or NOTHING, backwards)
    return NOTHING


def _backwards(low: Lowering, reverse: Value | None) -> int:
    if reverse is None:
        return 0
    if not reverse.is_constant or reverse.type not in WHOLE:
        low.refuse("sort", "`reverse` is not constant: write True or False")
    return int(bool(reverse.constant))


def _sorted_into(
    low: Lowering,
    call: Call,
    made: Value,
    walk: Callable[[Callable[[Value], None]], None],
    key: Value,
    backwards: int,
) -> Value:
    """Put into a list what a loop gives, sorted."""
    pairs = new_list(low, low.unit.region(("sorted", id(call.node)), "what is sorted"))
    handle = low.one(pairs)

    def put(item: Value) -> None:
        item = low.settled(item)
        compared = item if key.type is NONE else low.settled(applied(low, key, [item]))
        pushed(low, region_of(pairs), handle, tuple_of((_as_key(low, compared), item)))

    effects = low.unit.effects
    walk(put)
    if effects != low.unit.effects:
        # Python has all items before it asks for the first key.
        low.refuse(
            "sort", "what is sorted, or its key, changes something on the way: make a list of it first"
        )
    if region_of(pairs).element is not NEVER:
        _sort(low, call, pairs, backwards)

        def take(pair: Value) -> None:
            pushed(low, region_of(made), low.one(made), (pair.parts or ())[1])

        low.enter(each(low, pairs, ("taken", low.place(call.node)), take))
    return made


def _as_key(low: Lowering, value: Value) -> Value:
    """What items are compared by: numbers, and tuples of them."""
    value = low.present(value)
    if value.type is CELL:
        value = low.pair(value)
    if value.parts is not None:
        return tuple_of(tuple(_as_key(low, part) for part in value.parts))
    if value.type not in WHOLE and value.type not in FLOATS:
        low.refuse("sort", f"it is sorted by {value.type.label}: sort by numbers, or tuples of them")
    return value


def _flat(value: Value) -> list[Value]:
    if value.parts is None:
        return [value]
    return [number for part in value.parts for number in _flat(part)]


def _sort(low: Lowering, call: Call, pairs: Value, backwards: int) -> None:
    """Sort a list of pairs by each number of their first parts, the last number first."""
    assert isinstance(pairs.type, Listing)
    region, handle = region_of(pairs), low.one(pairs)
    address = low.made("ListLen", handle)
    empty = low.jump("JumpEqI", address, low.constant_register("ConstI", 0, "i"))
    first = loaded(low, region.element, low.made("ListAt", handle, low.constant_register("ConstI", 0, "i")))
    count = len(_flat((first.parts or ())[0]))
    for place in reversed(range(count)):
        kinds: set[str] = set()
        keys = low.made("ListNew", 1)

        def add(pair: Value, place: int = place, kinds: set[str] = kinds, keys: int = keys) -> None:
            number = _flat((pair.parts or ())[0])[place]
            letter = "I" if number.type in WHOLE else "F"
            kinds.add(letter)
            low.emit(f"Store{letter}", low.made("ListPush", keys), 0, low.row(number)[-1])

        low.enter(each(low, pairs, ("keys", place, low.place(call.node)), add))
        low.emit("SortI" if kinds == {"I"} else "SortF", handle, keys, backwards)
    low.enter([low.leave(), empty])

"""Dicts: lists of pairs of a key and its value, in the order in which Python has them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final

from isolation_fast.compiled.boards import cell_of
from isolation_fast.compiled.conditions import length
from isolation_fast.compiled.elements import in_data, loaded, new_list, region_of, region_of_module, stored
from isolation_fast.compiled.expressions import value_of
from isolation_fast.compiled.flow import Edge, Key
from isolation_fast.compiled.iteration import Body, comprehended, stream
from isolation_fast.compiled.lists import is_plain
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.tables import Call, builtin, constant, expression, method
from isolation_fast.compiled.types import (
    BOOL,
    CELL,
    GAME,
    MIXED,
    NEVER,
    NONE,
    NUMBERS,
    Listing,
    Mapping,
    Optional,
    Region,
    Tuple,
    Type,
    join,
)
from isolation_fast.compiled.values import FALSE, NOTHING, Value, tuple_of

DICT: Final = "dict"


def _kinds(region: Region) -> tuple[Type, Type]:
    """The types of its keys and of its values."""
    assert isinstance(region.element, Tuple)
    return region.element.parts[0], region.element.parts[1]


def _pairs(value: Value) -> Value:
    """A dict as a list of pairs."""
    return Value(Listing(region=region_of(value)), value.row)


def _hold(low: Lowering, region: Region, key: Value, value: Value) -> None:
    """Note what is put into dicts."""
    if key.type is GAME or not is_plain(key.type) or not key.type.layout:
        low.refuse("dict", f"{key.type.label} is the key of a dict: use integers, or tuples of them")
    low.refuse_iterator(value)
    pair = Tuple((key.type, value.type))
    if join(region.element, pair) is MIXED:
        low.refuse("dict", "a dict holds different types: keep to one type of keys and one of values")
    region.hold(pair)


# ---- made


def _new(low: Lowering, region: Region) -> Value:
    return Value(Mapping(region=region), (low.one(new_list(low, region)),))


@expression(ast.Dict)
def lower_display(low: Lowering, node: ast.Dict) -> Value:
    """A dict, written out."""
    pairs = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            low.refuse("dict", "`**` takes another dict in: write its items one by one", node)
        first = low.settled(low.present(low.value(key)))
        pairs.append((first, low.settled(low.bound(low.value(value)))))
    low.at = node
    region = low.region(node, "dict")
    return _written(low, id(node), region, pairs) or _set_one_by_one(low, region, pairs)


def _set_one_by_one(low: Lowering, region: Region, pairs: list[tuple[Value, Value]]) -> Value:
    made = _new(low, region)
    for key, value in pairs:
        _set(low, made, key, value)
    return made


def _written(low: Lowering, key: Hashable, region: Region, pairs: list[tuple[Value, Value]]) -> Value | None:
    """A dict of constants in the program's data, if nobody changes it."""
    for first, value in pairs:
        _hold(low, region, first, value)
    contents = [_content(first) for first, _ in pairs]
    if region.changed or not pairs or len(set(contents)) < len(contents):
        return None
    made = in_data(low, key, region, [tuple_of(pair) for pair in pairs])
    return None if made is None else Value(Mapping(region=region), made.row)


def _content(value: Value) -> Any:
    return value.constant if value.parts is None else tuple(map(_content, value.parts))


@expression(ast.DictComp)
def lower_comprehension(low: Lowering, node: ast.DictComp) -> Value:
    """A dict comprehension."""
    first = low.settled(low.value(node.generators[0].iter))
    made = _new(low, low.region(node, "dict"))

    def write() -> None:
        key = low.settled(low.present(low.value(node.key)))
        _set(low, made, key, low.settled(low.bound(low.value(node.value))))

    low.enter(comprehended(low, node, first, write, low.place(node), (), ordered=True))
    return made


@builtin(dict)
def lower_dict(low: Lowering, call: Call) -> Value:
    """`dict()`, and `dict(other)` of a dict."""
    if not call.arguments and not call.named:
        return _new(low, low.region(call.node, "dict"))
    items = low.present(call.arguments[0]) if len(call.arguments) == 1 and not call.named else NOTHING
    if not isinstance(items.type, Mapping):
        low.refuse("dict", "dict(...) of what is no dict: write a dict comprehension")
    return Value(items.type, (low.made("ListCopy", low.one(items)),))


@constant(dict)
def constant_dict(low: Lowering, found: dict[Any, Any]) -> Value:
    """A dict of a module."""
    region = region_of_module(low, found, "dict")
    pairs = [
        (value_of(low, key, "a key of a dict"), value_of(low, value, "a value of a dict"))
        for key, value in found.items()
    ]
    made = _written(low, id(found), region, pairs) if pairs else _new(low, region)
    if made is None:
        low.refuse("constant", "a dict of the module holds more than numbers, tuples and lists")
    return made


# ---- read


def _place(low: Lowering, value: Value, key: Value) -> int | None:
    """The index of a key, -1 if it is not there; None where no dict has anything in it."""
    region = region_of(value)
    inner = key.type.of if isinstance(key.type, Optional) else key.type
    if inner is NONE or (region.element is NEVER and (inner in NUMBERS or is_plain(inner))):
        return None
    if region.element is NEVER:
        low.refuse("dict", f"{inner.label} is looked up in a dict: use integers, or tuples of them")
    key = low.present(key)
    kind, _ = _kinds(region)
    if kind is CELL and key.parts is not None and len(key.parts) == 2 and is_plain(key.type):
        key = Value(CELL, (cell_of(low, key),))
    if key.type is GAME or not is_plain(key.type) or join(kind, key.type) != kind:
        low.refuse("dict", f"{key.type.label} is looked up among keys of another type: use one type of keys")
    row = low.row(low.converted(key, kind))
    address = low.scratch(len(row))
    for offset, register in enumerate(row):
        low.emit("StoreI", address, offset, register)
    return low.made("Find", low.one(value), address, len(row))


def _at(low: Lowering, value: Value, index: int) -> tuple[Type, int]:
    """The type of a value, and its address."""
    key, kind = _kinds(region_of(value))
    return kind, low.made("AddN", low.made("ListAt", low.one(value), index), len(key.layout))


@method(DICT, "__len__")
def lower_length(low: Lowering, value: Value) -> Value:
    """How many keys there are."""
    return length(low, _pairs(value))


@method(DICT, "__contains__", takes=("key",))
def lower_contains(low: Lowering, value: Value, key: Value) -> Value:
    """`key in dict`."""
    place = _place(low, value, key)
    if place is None:
        return FALSE
    return Value(BOOL, (low.pure("LeI", low.constant_register("ConstI", 0, "i"), place),))


@method(DICT, "__getitem__", takes=("key",))
def lower_item(low: Lowering, value: Value, key: Value) -> Value:
    """`dict[key]`."""
    place = _place(low, value, low.present(key))
    if place is None:
        raise low.bail()
    low.bail_if("JumpLtI", place, low.constant_register("ConstI", 0, "i"))
    return loaded(low, *_at(low, value, place))


@method(DICT, "get", takes=("key", "default"), required=1)
def lower_get(low: Lowering, value: Value, key: Value, default: Value | None) -> Value:
    """`dict.get(key, default)`."""
    other = NOTHING if default is None else low.settled(low.bound(default))
    place = _place(low, value, key)
    if place is None:
        return other
    none = low.jump("JumpLtI", place, low.constant_register("ConstI", 0, "i"))
    arms: list[tuple[list[Edge], Callable[[], Value]]] = [
        ([low.leave()], lambda: loaded(low, *_at(low, value, place))),
        ([none], lambda: other),
    ]
    found = low.either(("get", low.place(low.call_node)), arms)
    if found.type is MIXED:
        low.refuse(
            "dict", "`get` gives sometimes one type, sometimes another: let the default be of one type"
        )
    return found


def _walk(value: Value, part: int | None) -> Value:
    """What walks over keys, over values, or over both."""

    def walk(
        low: Lowering, key: Hashable, body: Body, variables: Iterable[Key], _ordered: bool
    ) -> list[Edge]:
        if region_of(value).element is NEVER:
            return [low.leave()]
        handle = low.one(low.settled(value))
        before = low.made("ListLen", handle)
        index = low.copy(low.constant_register("ConstI", 0, "i"))
        low.rewritten.add(index)

        def turn(exits: list[Edge]) -> None:
            # Where a key was added meanwhile, Python raises.
            low.bail_if("JumpNeI", low.made("ListLen", handle), before)
            exits.append(low.jump("JumpLeI", before, index))
            pair = loaded(low, region_of(value).element, low.made("ListAt", handle, index))
            low.emit("AddN", index, index, 1)
            body(pair if part is None else (pair.parts or ())[part])

        return low.loop(key, turn, variables)

    return stream(walk)


@method(DICT, "__iter__", "keys")
def lower_keys(_low: Lowering, value: Value) -> Value:
    """The keys, walked at once."""
    return _walk(value, 0)


@method(DICT, "values")
def lower_values(_low: Lowering, value: Value) -> Value:
    """The values, walked at once."""
    return _walk(value, 1)


@method(DICT, "items")
def lower_items(_low: Lowering, value: Value) -> Value:
    """Keys and values, walked at once."""
    return _walk(value, None)


@method(DICT, "copy")
def lower_copy_of_dict(low: Lowering, value: Value) -> Value:
    """`dict.copy()`."""
    return Value(value.type, (low.made("ListCopy", low.one(value)),))


# ---- changed


def _set(low: Lowering, value: Value, key: Value, item: Value) -> None:
    """Put a value under a key: a key that is there stays as it is."""
    region = region_of(value)
    _hold(low, region, key, item)
    place = _place(low, value, key)
    assert place is not None
    none = low.jump("JumpLtI", place, low.constant_register("ConstI", 0, "i"))
    kind, address = _at(low, value, place)
    stored(low, kind, address, item)
    there = low.leave()
    low.enter([none])
    pair = low.converted(tuple_of((key, item)), region.element)
    stored(low, region.element, low.made("ListPush", low.one(value)), pair)
    low.enter([there, low.leave()])


@method(DICT, "__setitem__", takes=("key", "item"))
def lower_set_item(low: Lowering, value: Value, key: Value, item: Value) -> Value:
    """`dict[key] = item`."""
    low.write_into(region_of(value))
    _set(low, value, low.settled(low.present(key)), low.settled(low.bound(item)))
    return NOTHING


@method(DICT, "setdefault", takes=("key", "default"))
def lower_set_default(low: Lowering, value: Value, key: Value, default: Value) -> Value:
    """`dict.setdefault(key, default)`."""
    low.write_into(region_of(value))
    key, default = low.settled(low.present(key)), low.settled(low.bound(default))
    _hold(low, region_of(value), key, default)
    there = low.jump("JumpIf", low.one(lower_contains(low, value, key)))
    _set(low, value, key, default)
    low.enter([there, low.leave()])
    place = _place(low, value, key)
    assert place is not None
    return loaded(low, *_at(low, value, place))

"""Sets and dicts.

A set is a list that has each item once, or a set of cells that nobody changes; a dict is a list of pairs.
The order in which Python walks over a set is not imitated: a set is walked only where that does not matter, a
list made of one is noted as shuffled, and a heuristic that needs the order of that is refused too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, TypeVar

from isolation_fast.compiled.code import Register
from isolation_fast.compiled.comparing import contained
from isolation_fast.compiled.expressions import (
    are_different,
    in_data,
    loaded,
    new_list,
    pushed,
    stored,
)
from isolation_fast.compiled.flow import Edge
from isolation_fast.compiled.iteration import comprehended, each, unless_seen, where
from isolation_fast.compiled.lists import (
    handle_of,
    is_cells,
    kept_as,
    mask_of,
    place_of,
    region_of,
    spread_or_begun,
)
from isolation_fast.compiled.lowering import (
    Body,
    Call,
    Lowering,
    builtin,
    expression,
    is_stream,
    method,
)
from isolation_fast.compiled.operators import length, truth, truth_value
from isolation_fast.compiled.source import PYTHON
from isolation_fast.compiled.types import (
    BOOL,
    CELL,
    FALSE,
    GAME,
    MIXED,
    NEVER,
    NONE,
    NOTHING,
    NUMBERS,
    Container,
    Form,
    Grouping,
    Listing,
    Mapping,
    Optional,
    Region,
    Tuple,
    Type,
    Value,
    constant,
    is_plain,
    join,
    plain,
    tuple_of,
)

Made = TypeVar("Made")

SET: Final = "set"
DICT: Final = "dict"
JOINED: Final = (  # what does it in the prelude and with cells, its operator, and its methods
    ("set_and", "MaskAnd", "bitand", "intersection", "intersection_update"),
    ("set_or", "MaskOr", "bitor", "union", "update"),
    ("set_without", "MaskWithout", "sub", "difference", "difference_update"),
    ("set_xor", "MaskXor", "bitxor", "symmetric_difference", "symmetric_difference_update"),
)


def _new(low: Lowering, kind: Container) -> Value:
    """An empty set or dict that can be changed."""
    kind.region.need(Form.LIST)
    return kept_as(low, kind, new_list(low, kind.region))


def _as_list(low: Lowering, value: Value) -> Value:
    """A set or dict as a list that has what is in it, each once."""
    kind = Listing(region_of(value))
    row = (mask_of(low, value), low.number(-1))[: len(kind.layout)] if is_cells(value) else value.row
    return Value(kind, row)


def _without_none(kind: Type) -> Type:
    return kind.of if isinstance(kind, Optional) else kind


def _written_out(
    low: Lowering,
    kind: Container,
    items: list[Value],
    keys: Iterable[Value],
    put: Callable[[Value, Value], None],
) -> Value:
    """A set or dict of some items: in the program's data, if they are constants and nobody changes it."""
    if items and not kind.region.is_changed and are_different(keys):
        kept = in_data(low, kind.region, items)
        if kept is not None:
            return Value(kind, (kept,))
    made = _new(low, kind)
    for item in items:
        put(made, item)
    return made


# ---- sets


def plain_item(low: Lowering, item: Value) -> Value:
    """An item of a set: refused where equal words do not tell, as of floats. None is left to Python."""
    item = low.present(item)
    if item.kind is GAME or not is_plain(item.type):
        low.refuse("set", f"a set holds {item.type.label}: keep integers or pairs of them in it")
    return item


def _looked_up(low: Lowering, work: Callable[[], Made]) -> Made:
    """What work finds in a set or a dict: Python finds it by its hash, which costs less."""
    low.is_hashed = True
    try:
        return work()
    finally:
        low.is_hashed = False


def _put(low: Lowering, value: Value, item: Value) -> None:
    """Put an item into a set kept as a list, if it is not there."""
    item = plain_item(low, item)
    low.hold(region_of(value), item.type)
    true, false = truth(low, _looked_up(low, lambda: contained(low, item, _as_list(low, value))))
    where(low, (false, true), lambda: pushed(low, region_of(value), handle_of(low, value), item))


def _filled(low: Lowering, walk: Callable[[Body, bool], list[Edge]]) -> Value:
    """A new set of what a loop gives."""
    made = _new(low, Grouping(low.region("set")))
    unless_seen(low, lambda ordered: walk(lambda item: _put(low, made, item), ordered))
    return made


@builtin(PYTHON.set)
def _set_of(low: Lowering, call: Call) -> Value:
    if not call.arguments and not call.named:
        return _new(low, Grouping(low.region("set")))
    return _set_copy(low, low.present(*call.only(low)))


@builtin(PYTHON.frozenset)
def _frozenset(low: Lowering, call: Call) -> Value:
    made = _set_of(low, call)
    region_of(made).note("frozen")
    return made


def _frozen_as(low: Lowering, value: Value, made: Value) -> Value:
    """What is made of a frozenset is one, too."""
    if region_of(value).is_frozen:
        # Its own lists: what made it may have changed it on the way.
        with low.turned("frozen"):
            made = _set_copy(low, made)
        region_of(made).note("frozen")
    return made


method(SET, "copy")(lambda low, value: _frozen_as(low, value, _set_copy(low, value)))


def _set_copy(low: Lowering, items: Value) -> Value:
    if is_cells(items):
        region = low.region("set", Form.CELLS)
        region.hold(CELL)
        if region.form < Form.LIST:
            return Value(Grouping(region), (mask_of(low, items),))
    if isinstance(items.type, Container) and region_of(items).element is NEVER:
        return _new(low, Grouping(low.region("set")))
    is_set = isinstance(items.type, Grouping)
    return _filled(low, lambda put, ordered: each(low, items, put, ordered=ordered and not is_set))


@expression(ast.Set)
def _set_display(low: Lowering, node: ast.Set) -> Value:
    """A set, written out."""

    def begun(values: list[Value]) -> Value:
        region, values = low.region("set"), [plain_item(low, value) for value in values]
        for value in values:
            low.hold(region, value.type)
        return _written_out(low, Grouping(region), values, values, partial(_put, low))

    found = spread_or_begun(low, node, begun, "add", "update")
    return found if isinstance(found, Value) else begun(found)


@expression(ast.SetComp)
def _set_comprehension(low: Lowering, node: ast.SetComp) -> Value:
    """A set comprehension."""
    first = low.value(node.generators[0].iter)
    low.at = node

    def walk(put: Body, ordered: bool) -> list[Edge]:
        return comprehended(low, node, first, lambda: put(low.value(node.elt)), ordered=ordered)

    return _filled(low, walk)


@method(SET, "__len__")
@method(DICT, "__len__")
def _length(low: Lowering, value: Value) -> Value:
    return length(low, _as_list(low, value))


@method(SET, "__contains__", takes=("item",))
def _set_contains(low: Lowering, value: Value, item: Value) -> Value:
    item = low.bound(item)
    inner = _without_none(item.type)
    if inner is not NONE and not is_plain(inner):
        low.refuse("in", f"{inner.label} is looked for in a set: look for integers or pairs of them")
    return _looked_up(low, lambda: contained(low, item, _as_list(low, value)))


def _joined(
    name: str, mask: str, low: Lowering, value: Value, other: Value, *, of_sets: bool = False
) -> Value:
    """A new set of two; an operator takes sets alone, a method all that can be walked over."""
    other = low.present(other)
    if other.kind in NUMBERS or other.type is NONE or (of_sets and not isinstance(other.type, Grouping)):
        raise low.bail()
    if is_stream(other):
        low.refuse("set", "a set is joined with what is walked once: make a list of it first")
    if is_cells(value) and isinstance(other.type, Grouping) and is_cells(other):
        region = low.region("joined", Form.CELLS)
        region.hold(CELL)
        if region.form < Form.LIST:
            cells = low.pure(mask, mask_of(low, value), mask_of(low, other), kind="m")
            return _frozen_as(low, value, Value(Grouping(region), (cells,)))
    return _frozen_as(low, value, low.prelude(name, value, other))


def _replaced(
    name: str, mask: str, low: Lowering, value: Value, other: Value, *, of_sets: bool = False
) -> Value:
    """Make of a set what it gives with another."""
    if name == "set_or" and (isinstance(other.type, Grouping) or not of_sets):
        low.prelude("add_all", value, low.present(other))
    else:
        low.prelude("set_to", value, _joined(name, mask, low, value, other, of_sets=of_sets))
    return value if of_sets else NOTHING


for _name, _mask, _operator, _new_one, _in_place in JOINED:
    _join = partial(_joined, _name, _mask)
    _replace = partial(_replaced, _name, _mask)
    method(SET, _new_one, takes=("other",))(_join)
    method(SET, _in_place, takes=("other",))(_replace)
    method(SET, f"__{_operator}__", takes=("other",))(partial(_join, of_sets=True))
    method(SET, f"__i{_operator}__", takes=("other",))(partial(_replace, of_sets=True))


@method(SET, "isdisjoint", takes=("other",))
def _is_disjoint(low: Lowering, value: Value, other: Value) -> Value:
    true, false = truth(low, _joined("set_and", "MaskAnd", low, value, other))
    return truth_value(low, (false, true))


@method(SET, "add", takes=("item",))
def _add(low: Lowering, value: Value, item: Value) -> Value:
    low.write_into(value)
    _put(low, value, item)
    return NOTHING


@method(SET, "discard", takes=("item",))
def _discard(low: Lowering, value: Value, item: Value) -> Value:
    found = _found(low, value, item)
    none = low.jump("JumpLtI", found, low.number(0))
    low.emit("ListRemove", handle_of(low, value), found)
    low.enter([low.leave(), none])
    return NOTHING


@method(SET, "remove", takes=("item",))
def _remove(low: Lowering, value: Value, item: Value) -> Value:
    found = _found(low, value, item)
    low.bail_if("JumpLtI", found, low.number(0))
    low.emit("ListRemove", handle_of(low, value), found)
    return NOTHING


def _found(low: Lowering, value: Value, item: Value) -> Register:
    """The place of an item that is taken out, -1 if it is not there."""
    if low.write_into(value).element is NEVER:
        return low.number(-1)
    item = low.present(item)
    found = _looked_up(low, lambda: place_of(low, _as_list(low, value), item))
    if found is None:
        low.refuse(
            "set", "what is taken out of a set is of another type than what is in it: keep to one type"
        )
    return found


# ---- dicts


def hold_pair(low: Lowering, region: Region, key: Value, value: Value) -> None:
    """Note what is put into dicts."""
    if key.kind is GAME or not is_plain(key.type):
        low.refuse("dict", f"{key.type.label} is the key of a dict: use integers, texts, or tuples of them")
    pair = Tuple((key.type, value.type))
    if join(region.element, plain(pair)) is MIXED:
        low.refuse("dict", "a dict holds different types: keep to one type of keys and one of values")
    low.hold(region, pair)


def _dict_of(low: Lowering, pairs: list[tuple[Value, Value]]) -> Value:
    """A dict of these pairs."""
    region = low.region("dict")
    for key, value in pairs:
        hold_pair(low, region, key, value)

    def put(made: Value, pair: Value) -> None:
        _set(low, made, *(pair.parts or ()))

    return _written_out(low, Mapping(region), list(map(tuple_of, pairs)), (key for key, _ in pairs), put)


@expression(ast.Dict)
def _dict_display(low: Lowering, node: ast.Dict) -> Value:
    """A dict, written out."""
    pairs = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            low.refuse("dict", "`**` takes another dict in: write its items one by one", node)
        pairs.append((low.present(low.value(key)), low.bound(low.value(value))))
    low.at = node
    return _dict_of(low, pairs)


@expression(ast.DictComp)
def _dict_comprehension(low: Lowering, node: ast.DictComp) -> Value:
    """A dict comprehension."""
    first = low.value(node.generators[0].iter)
    low.at = node
    made = _new(low, Mapping(low.region("dict")))

    def write() -> None:
        _set(low, made, low.present(low.value(node.key)), low.bound(low.value(node.value)))

    low.enter(comprehended(low, node, first, write, ordered=True))
    return made


@builtin(PYTHON.dict)
def _dict_builtin(low: Lowering, call: Call) -> Value:
    if not call.arguments:
        return _dict_of(low, [(constant(name), low.bound(value)) for name, value in call.named.items()])
    items = low.present(call.arguments[0])
    if len(call.arguments) > 1 or call.named or not isinstance(items.type, Mapping):
        low.refuse("dict", "dict(...) of what is no dict: write a dict comprehension")
    return _dict_copy(low, items)


@method(DICT, "copy")
def _dict_copy(low: Lowering, value: Value) -> Value:
    made = low.region("copy")
    made.hold(region_of(value).element)
    if made.element != region_of(value).element:
        return kept_as(low, Mapping(made), low.number(0))
    return Value(Mapping(made), (low.made("ListCopy", value.one),))


def _place(low: Lowering, value: Value, key: Value) -> Register | None:
    """The index of a key, -1 if it is not there; None where no dict has anything in it."""
    element, inner = region_of(value).element, _without_none(key.type)
    wanted = element.parts[0] if isinstance(element, Tuple) else NEVER
    if inner is NONE or (wanted is NEVER and (inner in NUMBERS or is_plain(inner))):
        return None
    key = low.present(key)
    listed = _as_list(low, value)
    place = None if key.kind is GAME else _looked_up(low, lambda: place_of(low, listed, key, wanted))
    if place is None:
        low.refuse("dict", f"{key.type.label} is looked up among keys of another type: use one type of keys")
    return place


def _at(low: Lowering, value: Value, index: Register) -> tuple[Type, Register]:
    """The type of a value, and its address."""
    pair = region_of(value).element
    assert isinstance(pair, Tuple)
    key, kind = pair.parts
    return kind, low.made("AddN", low.made("ListAt", value.one, index), len(key.layout))


def _set(low: Lowering, value: Value, key: Value, item: Value) -> None:
    """Put a value under a key: a key that is there stays as it is."""
    region = region_of(value)
    hold_pair(low, region, key, item)
    place = _place(low, value, key)
    if place is None:
        return
    none = low.jump("JumpLtI", place, low.number(0))
    stored(low, *_at(low, value, place), item)
    there = low.leave()
    low.enter([none])
    pushed(low, region, value.one, tuple_of((key, item)))
    low.enter([there, low.leave()])


@method(DICT, "__contains__", takes=("key",))
def _dict_contains(low: Lowering, value: Value, key: Value) -> Value:
    place = _place(low, value, key)
    return FALSE if place is None else Value(BOOL, (low.pure("LeI", low.number(0), place),))


@method(DICT, "__getitem__", takes=("key",))
def _dict_item(low: Lowering, value: Value, key: Value) -> Value:
    place = _place(low, value, low.present(key))
    if place is None:
        raise low.bail()
    low.bail_if("JumpLtI", place, low.number(0))
    return loaded(low, *_at(low, value, place))


@method(DICT, "get", takes=("key", "default"), required=1)
def _get(low: Lowering, value: Value, key: Value, default: Value | None) -> Value:
    other = NOTHING if default is None else low.bound(default)
    place = _place(low, value, key)
    if place is None:
        return other
    none = low.jump("JumpLtI", place, low.number(0))
    found = low.either(
        [([low.leave()], lambda: loaded(low, *_at(low, value, place))), ([none], lambda: other)]
    )
    message = "`get` gives sometimes one type, sometimes another: let the default be of one type"
    return low.unmixed(found, message, "dict")


@method(DICT, "setdefault", takes=("key", "default"))
def _set_default(low: Lowering, value: Value, key: Value, default: Value) -> Value:
    return low.prelude("set_default", value, low.present(key), low.bound(default))


@method(DICT, "__setitem__", takes=("key", "item"))
def _dict_set_item(low: Lowering, value: Value, key: Value, item: Value) -> Value:
    low.write_into(value)
    _set(low, value, low.present(key), low.bound(item))
    return NOTHING


@method(DICT, "items")
def _items(low: Lowering, value: Value) -> Value:
    return low.prelude("dict_items", _as_list(low, value))


method(DICT, "__iter__", "keys")(lambda low, value: low.prelude("parts_of", _items(low, value), constant(0)))
method(DICT, "values")(lambda low, value: low.prelude("parts_of", _items(low, value), constant(1)))

"""Lists: made, indexed, searched and changed."""

from __future__ import annotations

import ast
from typing import Any, Final

from isolation_fast.compiled.boards import cell_of
from isolation_fast.compiled.conditions import Ways, equal, truth, truth_value
from isolation_fast.compiled.elements import in_data, loaded, new_list, pushed, region_of, stored
from isolation_fast.compiled.expressions import spread
from isolation_fast.compiled.flow import Edge
from isolation_fast.compiled.iteration import SHUFFLED, comprehended, each, written
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.tables import builtin, expression, method
from isolation_fast.compiled.types import (
    BOOL,
    CELL,
    GAME,
    INT,
    MIXED,
    NEVER,
    NONE,
    NUM,
    PLACE,
    PLAYER,
    WHOLE,
    Listing,
    Optional,
    Region,
    Tuple,
    Type,
    join,
)
from isolation_fast.compiled.values import FALSE, NOTHING, Value, parts_of, tuple_of

LIST: Final = "list"
LAST: Final = 2**63 - 1
"""The end of a slice that has none."""


# ---- made of others


def list_of(low: Lowering, node: ast.AST, values: list[Value]) -> Value:
    """A new list of these values."""
    region = low.region(node, "list")
    for value in values:
        low.hold(region, value.type)
    if not region.changed:
        made = in_data(low, id(node), region, values)
        if made is not None:
            return made
    made = new_list(low, region)
    for value in values:
        pushed(low, region, low.one(made), value)
    return made


@expression(ast.List)
def lower_list(low: Lowering, node: ast.List) -> Value:
    """A list, written out."""
    values = spread(low, node.elts)
    low.at = node
    return list_of(low, node, values)


@expression(ast.ListComp)
def lower_comprehension(low: Lowering, node: ast.ListComp) -> Value:
    """A list comprehension; some of the board's moves stay a set of cells."""
    first = low.settled(low.value(node.generators[0].iter))
    key = low.place(node)
    generator = node.generators[0]
    same = (
        len(node.generators) == 1
        and isinstance(node.elt, ast.Name)
        and isinstance(generator.target, ast.Name)
        and node.elt.id == generator.target.id
    )
    if same and isinstance(first.type, Listing) and first.type.region.cells:
        region = low.region(node, "moves", cells=True)
        region.hold(CELL)
        if generator.ifs or first.type.region.filtered:
            region.filter()
        if first.type.region.shuffled:
            region.shuffle()
        if region.cells:
            return _some_cells(low, node, first, region)
    region = low.region(node, "list")
    made = new_list(low, region)
    handle = low.one(made)

    def write() -> None:
        pushed(low, region.root(), handle, low.value(node.elt))

    def loop(ordered: bool) -> bool:
        low.enter(comprehended(low, node, first, write, key, (), ordered))
        return True

    written(low, key, first, region, loop)
    return made


def _some_cells(low: Lowering, node: ast.ListComp, first: Value, region: Region) -> Value:
    """Those of a set of cells that pass the tests."""
    mask, origin = low.row(first)
    if not node.generators[0].ifs:
        return Value(Listing(region=region), (mask, origin))
    kept = low.fresh("m")
    low.rewritten.add(kept)
    key = low.place(node)

    def write() -> None:
        low.emit("MaskAdd", kept, cell_of(low, low.value(node.elt)))

    def loop(ordered: bool) -> bool:
        low.emit("MaskEmpty", kept)
        low.enter(comprehended(low, node, first, write, key, (), ordered))
        return True

    low.in_any_order(key, loop)
    return Value(Listing(region=region), (low.copy(kept), origin))


@builtin(list)
def lower_list_of(low: Lowering, call: Any) -> Value:
    """`list(items)`: a new list."""
    if not call.arguments and not call.named:
        return list_of(low, call.node, [])
    (items,) = call.only(low)
    items = low.present(items)
    if isinstance(items.type, Listing) and items.type.region.cells:
        region = low.region(call.node, "moves", cells=True)
        region.hold(CELL)
        if items.type.region.filtered:
            region.filter()
        if items.type.region.shuffled:
            region.shuffle()
        if region.cells:
            return Value(Listing(region=region), low.row(low.settled(items)))
    region = low.region(call.node, "list")
    made = new_list(low, region)
    handle = low.one(made)

    def loop(ordered: bool) -> bool:
        place = low.place(call.node)
        low.enter(
            each(low, items, place, lambda item: pushed(low, region.root(), handle, item), ordered=ordered)
        )
        return True

    written(low, low.place(call.node), items, region, loop)
    return made


@builtin(tuple)
def lower_tuple_of(low: Lowering, call: Any) -> Value:
    """`tuple(items)` of what is a tuple already."""
    if not call.arguments and not call.named:
        return Value(Tuple(()), None, parts=())
    (items,) = call.only(low)
    items = low.present(items)
    parts = parts_of(items)
    if parts is not None or items.type is CELL:
        return items if parts is None else tuple_of(parts)
    return low.refuse("tuple", "tuple(...) of what has no fixed length: use a list")


# ---- read


def _in_order(low: Lowering, value: Value) -> Region:
    """The lists that a list may be, where it matters how they are ordered."""
    region = region_of(value)
    if region.shuffled:
        low.refuse("set", SHUFFLED)
    return region


@method(LIST, "__len__")
def lower_length(low: Lowering, value: Value) -> Value:
    """How many there are."""
    if not region_of(value).cells:
        return Value(INT, (low.made("ListLen", low.one(value)),))
    if value.asked is not None and value.asked[0] != "Blank":
        name = "Mobility" if value.asked[0] == "Moves" else "MobilityFrom"
        return Value(INT, (low.pure(name, *value.asked[1:]),))
    return Value(INT, (low.pure("MaskCount", low.row(value)[0]),))


@method(LIST, "__getitem__", takes=("index",))
def lower_item(low: Lowering, value: Value, index: Value) -> Value:
    """`list[index]`."""
    region = _in_order(low, low.spelt_out(value))
    index = low.present(index)
    if index.type not in WHOLE:
        if index.type is NUM:
            low.refuse("index", "a list is indexed by what may be a float: use int(...) first")
        raise low.bail()
    if region.element is NEVER:
        raise low.bail()
    return loaded(low, region.element, low.made("ListAt", low.one(value), low.one(index)))


@method(LIST, "__slice__", takes=("lower", "upper", "step"))
def lower_slice(low: Lowering, value: Value, lower: Value, upper: Value, step: Value) -> Value:
    """`list[from:to]`, and `list[::-1]`."""
    _in_order(low, low.spelt_out(value))
    bounds = [low.bound(bound) for bound in (lower, upper)]
    if any(bound.type is not NONE and bound.type not in WHOLE for bound in bounds):
        low.refuse("slice", "a slice by what is no integer: use int(...) first")
    backwards = step.is_constant and step.constant == -1 and lower.type is upper.type is NONE
    if not backwards and not (step.is_constant and step.constant in (None, 1)):
        low.refuse("slice", "a slice with a step: use a loop over range")
    ends = [
        low.constant_register("ConstI", default, "i") if bound.type is NONE else low.one(bound)
        for bound, default in zip(bounds, (0, LAST), strict=True)
    ]
    handle = low.made("ListSlice", low.one(value), *ends)
    if backwards:
        low.emit("ListReverse", handle)
    return Value(value.type, (handle,))


@method(LIST, "__contains__", takes=("item",))
def lower_contains(low: Lowering, value: Value, item: Value) -> Value:
    """`item in list`."""
    item = low.bound(item)
    region = region_of(value)
    if item.type is MIXED:
        low.refuse("in", "what is sometimes one type, sometimes another is looked for: use two variables")
    if region.cells:
        if item.type in (CELL, PLACE):
            return Value(BOOL, (low.pure("MaskHas", low.row(value)[0], low.one(item)),))
        if item.parts is not None and len(item.parts) != 2:
            return FALSE
        if item.parts is not None and all(part.type in WHOLE for part in item.parts):
            return Value(BOOL, (low.pure("MaskHas", low.row(value)[0], cell_of(low, item)),))
        if not isinstance(item.type, (Tuple, Optional)):
            return FALSE
        region.spell_out()
    if isinstance(item.type, Optional):
        return _contains_optional(low, value, item)
    if region.element is NEVER:
        return FALSE
    found = place_of(low, value, item)
    if found is not None:
        none = low.constant_register("ConstI", 0, "i")
        return Value(BOOL, (low.pure("LeI", none, found),))
    ways = _searched(low, value, item)
    return truth_value(low, ways, ("in", low.place(low.call_node)))


def _contains_optional(low: Lowering, value: Value, item: Value) -> Value:
    ways = truth(low, _present_mark(low, item))
    assert isinstance(item.type, Optional)
    row = low.row(item)
    inner = Value(CELL, row) if item.type.of is CELL else low.held(item.type.of, row[1:])
    holds_none = region_of(value).element is NONE or isinstance(region_of(value).element, Optional)
    if holds_none:
        low.refuse("in", "what may be None is looked for among what may be None: test it for None first")
    return low.either(
        ("optional in", id(low.at)),
        [(ways[0], lambda: lower_contains(low, value, inner)), (ways[1], lambda: FALSE)],
    )


def _present_mark(low: Lowering, item: Value) -> Value:
    assert isinstance(item.type, Optional)
    if item.type.of is CELL:
        zero = low.constant_register("ConstI", 0, "i")
        return Value(BOOL, (low.pure("LeI", zero, low.one(item)),))
    return Value(BOOL, (low.row(item)[0],))


def is_plain(kind: Type) -> bool:
    """Whether equal words mean equal values."""
    if isinstance(kind, Tuple):
        return all(map(is_plain, kind.parts))
    return kind in WHOLE or kind in (CELL, PLAYER, GAME)


def place_of(low: Lowering, value: Value, item: Value) -> int | None:
    """The index of an item that is found by its words, -1 if it is not there; None for other items."""
    element = region_of(value).element
    if element is CELL and item.parts is not None and is_plain(item.type) and len(item.parts) == 2:
        item = Value(CELL, (cell_of(low, item),))
    if not is_plain(element) or join(element, item.type) != element or not element.layout:
        return None
    row = low.row(low.converted(item, element))
    key = low.scratch(len(row))
    for offset, register in enumerate(row):
        low.emit("StoreI", key, offset, register)
    return low.made("Find", low.one(value), key, len(row))


def _searched(low: Lowering, value: Value, item: Value) -> Ways:
    """Where control goes by whether a list has an item, comparing one by one."""
    found: list[Edge] = []

    def compare(element: Value) -> None:
        true, false = truth(low, equal(low, element, item, inside=True))
        found.extend(true)
        low.enter(false)

    ended = each(low, value, ("search", low.place(low.call_node)), compare)
    return found, ended


# ---- changed


@method(LIST, "append", takes=("item",))
def lower_append(low: Lowering, value: Value, item: Value) -> Value:
    """`list.append(item)`."""
    region = low.write_into(region_of(value))
    pushed(low, region, low.one(value), low.bound(item))
    return NOTHING


@method(LIST, "extend", takes=("items",))
def lower_extend(low: Lowering, value: Value, items: Value) -> Value:
    """`list.extend(items)`."""
    lower_add_in_place(low, value, items)
    return NOTHING


@method(LIST, "__iadd__", takes=("items",))
def lower_add_in_place(low: Lowering, value: Value, items: Value) -> Value:
    """`list += items`."""
    region = low.write_into(region_of(value))
    handle = low.one(value)
    place = low.place(low.call_node)
    if isinstance(items.type, Listing) and region_of(items) is region:
        low.emit("ListExtend", handle, low.one(items))
    else:
        low.enter(each(low, items, ("extend", place), lambda item: pushed(low, region, handle, item)))
    return value


@method(LIST, "pop", takes=("index",), required=0)
def lower_pop(low: Lowering, value: Value, index: Value | None) -> Value:
    """`list.pop()`, `list.pop(index)`."""
    region = low.write_into(region_of(value))
    _in_order(low, value)
    if region.element is NEVER:
        raise low.bail()
    if index is None:
        return loaded(low, region.element, low.made("ListPop", low.one(value)))
    index = low.present(index)
    if index.type not in WHOLE:
        raise low.bail()
    taken = loaded(low, region.element, low.made("ListAt", low.one(value), low.one(index)))
    low.emit("ListRemove", low.one(value), low.one(index))
    return taken


@method(LIST, "remove", takes=("item",))
def lower_remove(low: Lowering, value: Value, item: Value) -> Value:
    """`list.remove(item)`."""
    low.write_into(region_of(value))
    found = place_of(low, value, low.present(item))
    if found is None:
        low.refuse("remove", "remove of what is no integer or pair of them: use a comprehension")
    low.bail_if("JumpLtI", found, low.constant_register("ConstI", 0, "i"))
    low.emit("ListRemove", low.one(value), found)
    return NOTHING


@method(LIST, "index", takes=("item",))
def lower_index(low: Lowering, value: Value, item: Value) -> Value:
    """`list.index(item)`."""
    _in_order(low, low.spelt_out(value))
    found = place_of(low, value, low.present(item))
    if found is None:
        low.refuse("index", "index of what is no integer or pair of them: use a loop")
    low.bail_if("JumpLtI", found, low.constant_register("ConstI", 0, "i"))
    return Value(INT, (found,))


@method(LIST, "insert", takes=("index", "item"))
def lower_insert(low: Lowering, value: Value, index: Value, item: Value) -> Value:
    """`list.insert(index, item)`."""
    region = low.write_into(region_of(value))
    index = low.present(index)
    if index.type not in WHOLE:
        raise low.bail()
    low.hold(region, item.type)
    stored(low, region.element, low.made("ListInsert", low.one(value), low.one(index)), item)
    return NOTHING


@method(LIST, "clear")
@method("set", "clear")
def lower_clear(low: Lowering, value: Value) -> Value:
    """`list.clear()`, `set.clear()`."""
    low.write_into(region_of(value))
    low.emit("ListClear", low.one(value))
    return NOTHING


@method(LIST, "reverse")
def lower_reverse(low: Lowering, value: Value) -> Value:
    """`list.reverse()`."""
    low.write_into(region_of(value))
    low.emit("ListReverse", low.one(value))
    return NOTHING


@method(LIST, "copy")
def lower_copy_of_list(low: Lowering, value: Value) -> Value:
    """`list.copy()`."""
    if region_of(value).cells:
        return value
    return Value(value.type, (low.made("ListCopy", low.one(value)),))


@method(LIST, "__setitem__", takes=("index", "item"))
def lower_set_item(low: Lowering, value: Value, index: Value, item: Value) -> Value:
    """`list[index] = item`."""
    region = low.write_into(region_of(value))
    _in_order(low, value)
    index = low.present(index)
    if index.type not in WHOLE:
        raise low.bail()
    low.hold(region, item.type)
    stored(low, region.element, low.made("ListAt", low.one(value), low.one(index)), item)
    return NOTHING


@method(LIST, "__add__", takes=("other",))
def lower_concatenation(low: Lowering, value: Value, other: Value) -> Value:
    """`list + list`: a new list."""
    other = low.present(other)
    if not isinstance(other.type, Listing):
        raise low.bail()
    low.spelt_out(value)
    low.spelt_out(other)
    kind = join(value.type, other.type)
    if kind is MIXED:
        low.refuse("list", "two lists with different items are joined: keep them apart")
    handle = low.made("ListCopy", low.one(value))
    low.emit("ListExtend", handle, low.one(other))
    return Value(kind, (handle,))


@method(LIST, "__mult__", "__rmult__", takes=("times",))
def lower_repetition(low: Lowering, value: Value, times: Value) -> Value:
    """`list * number`: a new list."""
    times = low.present(times)
    if times.type not in WHOLE:
        raise low.bail()
    region = region_of(low.spelt_out(value))
    made = new_list(low, region)
    left = low.copy(low.one(times))
    low.rewritten.add(left)

    def turn(exits: list[Edge]) -> None:
        exits.append(low.jump("JumpLeI", left, low.constant_register("ConstI", 0, "i")))
        low.emit("ListExtend", low.one(made), low.one(value))
        low.emit("AddN", left, left, -1)

    low.enter(low.loop(("repeated", low.place(low.call_node)), turn))
    return made


@method(LIST, "count", takes=("item",))
def lower_count(low: Lowering, value: Value, item: Value) -> Value:
    """`list.count(item)`."""
    item = low.settled(low.bound(item))
    count = low.copy(low.constant_register("ConstI", 0, "i"))
    low.rewritten.add(count)

    def compare(element: Value) -> None:
        true, false = truth(low, equal(low, element, item, inside=True))
        low.enter(true)
        if low.env is not None:
            low.emit("AddN", count, count, 1)
            false = [*false, low.leave()]
        low.enter(false)

    low.enter(each(low, value, ("count", low.place(low.call_node)), compare, ordered=False))
    return Value(INT, (low.copy(count),))

"""Lists: made, read and changed."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from isolation_fast.compiled.boards import cell_of
from isolation_fast.compiled.code import Register
from isolation_fast.compiled.comparing import refuse_long_tuple
from isolation_fast.compiled.expressions import (
    items_of,
    listed,
    loaded,
    method_called,
    new_list,
    pushed,
    stored,
)
from isolation_fast.compiled.flow import Edge
from isolation_fast.compiled.iteration import SHUFFLED, comprehended, each, is_shuffled, unless_seen
from isolation_fast.compiled.lowering import Call, Lowering, builtin, expression, method
from isolation_fast.compiled.source import PYTHON
from isolation_fast.compiled.types import (
    BOOL,
    CELL,
    FALSE,
    INT,
    MIXED,
    NEVER,
    NONE,
    NOTHING,
    NUM,
    NUMBERS,
    PLACE,
    WHOLE,
    Container,
    Fixed,
    Form,
    Listing,
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

LIST: Final = "list"
LAST: Final = 2**63 - 1
"""The end of a slice that has none."""
MIXED_ITEM: Final = "what is sometimes one type, sometimes another is looked for: use two variables"


def region_of(value: Value) -> Region:
    """The lists that a list may be, the sets of a set, the dicts of a dict."""
    assert isinstance(value.type, Container)
    return value.type.region


def kept_as(low: Lowering, kind: Type, handle: Register) -> Value:
    """A list of a handle; in a round that did not know that it has to be one, there is none yet."""
    return Value(kind, (handle,) if kind.layout == "i" else low.zeros(kind.layout))


def handle_of(low: Lowering, value: Value) -> Register:
    """The handle of a list, set or dict."""
    return value.one if region_of(value).need(Form.LIST) else low.number(0)


def in_order(low: Lowering, value: Value) -> Register:
    """The handle of a list whose order is asked for."""
    if region_of(value).is_shuffled:
        low.refuse("set", SHUFFLED)
    return handle_of(low, value)


def mask_of(low: Lowering, value: Value) -> Register:
    """The set of cells that a list of the board's is."""
    region_of(value).need(Form.CELLS)
    return value.row[0] if value.type.layout.startswith("m") else low.pure("MaskEmpty", kind="m")


def is_cells(value: Value) -> bool:
    """Whether it is kept as a set of cells, or as how many they are."""
    return isinstance(value.type, Container) and value.type.region.form < Form.LIST


# ---- made


def new_list_of(low: Lowering, region: Region, items: Value) -> Value:
    """A new list of the items of something."""
    handle = new_list(low, region)
    _put_all(low, region, handle, items)
    return Value(Listing(region), (handle,))


def _put_all(low: Lowering, region: Region, handle: Register, items: Value) -> None:
    """Put the items of something at the end of a list."""

    def put(item: Value) -> None:
        pushed(low, region, handle, item)

    _fill(low, region, items, lambda ordered: each(low, items, put, ordered=ordered))


def _fill(low: Lowering, region: Region, items: Value, loop: Callable[[bool], list[Edge]]) -> None:
    """Fill a list in order; from a set in any, which is noted of the list."""
    if not is_shuffled(items.type):
        low.enter(loop(True))
        return
    region.note("shuffled")
    effects = low.unit.effects
    low.enter(loop(False))
    if effects != low.unit.effects:
        low.refuse("set", SHUFFLED)


def fixed_if_mixed(values: list[Value]) -> Value | None:
    """Values of different types, which are a list that nobody changes."""
    kind: Type = NEVER
    for value in values:
        kind = join(kind, plain(value.type))
    if kind is not MIXED and (kind.layout or not values):
        return None
    return Value(Fixed(tuple(value.type for value in values)), tuple_of(tuple(values)).row)


def spread_or_begun(
    low: Lowering, node: ast.List | ast.Set, begin: Callable[[list[Value]], Value], one: str, many: str
) -> list[Value] | Value:
    """The values of a display; from a star before what has no fixed length on, the list or set itself."""
    values: list[Value] = []
    made = None
    for part in node.elts:
        is_star = isinstance(part, ast.Starred)
        value = low.present(low.value(part.value)) if isinstance(part, ast.Starred) else low.value(part)
        items = items_of(low, value) if is_star else (value,)
        low.at = node
        if items is None:
            made = made or begin(values)
            method_called(low, made, many, [value])
        elif made is None:
            values += items
        else:
            for item in items:
                method_called(low, made, one, [item])
    return made or values


@expression(ast.List)
def _display(low: Lowering, node: ast.List) -> Value:
    """A list, written out; one that nobody changes may hold different things."""
    begun = spread_or_begun(low, node, lambda values: listed(low, values, "list"), "append", "extend")
    if isinstance(begun, Value):
        return begun
    for value in begun:
        low.refuse_iterator(value)
    # Who changes it later finds it to be no list.
    fixed = None if low.region("list").is_changed else fixed_if_mixed(begun)
    return fixed or listed(low, begun, "list")


@expression(ast.ListComp)
def _comprehension(low: Lowering, node: ast.ListComp) -> Value:
    """A list comprehension; some of the board's moves may stay a set of cells."""
    generator, *others = node.generators
    first = low.value(generator.iter)
    low.at = node
    region = low.region("list")
    if (
        not others
        and _is_name(node.elt, generator.target)
        and isinstance(first.type, Listing)
        and is_cells(first)
    ):
        region = _region_of_some(low, first, filtered=bool(generator.ifs))
        if region.form < Form.LIST:
            return _some_cells(low, node, first, region)
    handle = new_list(low, region)

    def write() -> None:
        pushed(low, region, handle, low.value(node.elt))

    _fill(low, region, first, lambda ordered: comprehended(low, node, first, write, ordered=ordered))
    return Value(Listing(region), (handle,))


def _is_name(one: ast.expr, other: ast.expr) -> bool:
    return isinstance(one, ast.Name) and isinstance(other, ast.Name) and one.id == other.id


def _region_of_some(low: Lowering, items: Value, *, filtered: bool = False) -> Region:
    """The lists of some or all of the board's."""
    region = low.region("moves", Form.TRUTH)
    region.hold(CELL)
    if filtered or region_of(items).is_filtered:
        region.note("filtered")
    if is_shuffled(items.type):
        region.note("shuffled")
    return region


def _some_cells(low: Lowering, node: ast.ListComp, first: Value, region: Region) -> Value:
    """Those of a set of cells that pass the tests."""
    mask = mask_of(low, first)
    if not node.generators[0].ifs:
        return _as_cells(low, region, first, mask)
    kept = low.copied(low.pure("MaskEmpty", kind="m"))

    def write() -> None:
        low.emit("MaskAdd", kept, cell_of(low, low.value(node.elt)))

    unless_seen(low, lambda ordered: comprehended(low, node, first, write, ordered=ordered))
    return _as_cells(low, region, first, low.copied(kept))


def _as_cells(low: Lowering, region: Region, items: Value, mask: Register) -> Value:
    """Some of a set of cells as a list, kept as it is wanted."""
    if region.form < Form.CELLS:
        return Value(Listing(region), (low.made("MaskCount", mask),))
    return Value(Listing(region), (mask, items.row[1] if len(items.row) > 1 else low.number(-1)))


@builtin(PYTHON.list)
def _list_of(low: Lowering, call: Call) -> Value:
    if not call.arguments and not call.named:
        return listed(low, [], "list")
    return _copy(low, low.present(*call.only(low)))


@method(LIST, "copy")
def _copy_method(low: Lowering, items: Value) -> Value:
    refuse_long_tuple(low, items)
    return _copy(low, items)


def _copy(low: Lowering, items: Value) -> Value:
    if not is_cells(items):
        return new_list_of(low, low.region("list"), items)
    region = _region_of_some(low, items)
    if region.form < Form.LIST:
        return _as_cells(low, region, items, mask_of(low, items))
    return new_list_of(low, region, items)


@builtin(PYTHON.tuple)
def _tuple_of(low: Lowering, call: Call) -> Value:
    if not call.arguments and not call.named:
        return tuple_of(())
    items = low.present(*call.only(low))
    if items.type is CELL:
        return items
    parts = items_of(low, items)
    return new_tuple_of(low, items) if parts is None else tuple_of(parts)


def new_tuple_of(low: Lowering, items: Value) -> Value:
    """A tuple of no fixed length: a list that nobody changes or compares."""
    made = new_list_of(low, low.region("tuple"), items)
    region_of(made).note("frozen")
    return made


# ---- read


@method(LIST, "__len__")
def _length(low: Lowering, value: Value) -> Value:
    region = region_of(value)
    if region.form == Form.LIST:
        return Value(INT, (low.made("ListLen", value.one),))
    if not region.need(Form.COUNT) or region.form == Form.COUNT:
        return Value(INT, value.row[:1])
    return Value(INT, (low.pure("MaskCount", value.row[0]),))


method(LIST, "__bool__")(
    lambda low, value: Value(BOOL, value.row) if region_of(value).form == Form.TRUTH else _length(low, value)
)


def _index_of(low: Lowering, index: Value) -> Register:
    """The register of an index."""
    index = low.present(index)
    if index.kind is NUM:
        low.refuse("index", "a list is indexed by what may be a float: use int(...) first")
    if index.kind not in WHOLE:
        raise low.bail()
    return low.one(index)


@method(LIST, "__getitem__", takes=("index",))
def _item(low: Lowering, value: Value, index: Value) -> Value:
    handle, place = in_order(low, value), _index_of(low, index)
    if region_of(value).element is NEVER:
        raise low.bail()
    return loaded(low, region_of(value).element, low.made("ListAt", handle, place))


@method(LIST, "__slice__", takes=("lower", "upper", "step"))
def _slice(low: Lowering, value: Value, lower: Value, upper: Value, step: Value) -> Value:
    handle = in_order(low, value)
    if any(bound.type is not NONE and bound.kind not in WHOLE for bound in (lower, upper, step)):
        low.refuse("slice", "a slice by what is no integer: use int(...) first")
    if not step.is_constant:
        low.refuse("slice", "a slice with a step that is not constant: use a loop over range")
    by = 1 if step.type is NONE else int(step.constant)
    if by == 0:
        raise low.bail()
    is_whole = lower.type is upper.type is NONE
    if by != 1 and not (by == -1 and is_whole):
        return low.prelude("stepped", kept_as(low, value.type, handle), lower, upper, constant(by))
    start = low.number(0) if lower.type is NONE else low.one(lower)
    made = low.made("ListSlice", handle, start, low.number(LAST) if upper.type is NONE else low.one(upper))
    if by == -1:
        low.emit("ListReverse", made)
    return kept_as(low, value.type, made)


@method(LIST, "__contains__", takes=("item",))
def _contains(low: Lowering, value: Value, item: Value) -> Value:
    item = low.unmixed(low.bound(item), MIXED_ITEM)
    if is_cells(value):
        return _among_cells(low, value, item)
    element = region_of(value).element
    if isinstance(item.type, Optional):
        if element is NONE or isinstance(element, Optional):
            low.refuse("in", "what may be None is looked for among what may be None: test it for None first")
        return low.prelude("is_some_in", item, value)
    if element is NEVER:
        return FALSE
    place = place_of(low, value, item)
    if place is None:
        return low.prelude("is_in", item, value)
    return Value(BOOL, (low.pure("LeI", low.number(0), place),))


def _among_cells(low: Lowering, value: Value, item: Value) -> Value:
    if item.type in (CELL, PLACE):
        return Value(BOOL, (low.pure("MaskHas", mask_of(low, value), item.one),))
    parts = item.parts if type(item.type) is Tuple else None
    if parts is not None and len(parts) == 2 and all(part.kind in WHOLE for part in parts):
        return Value(BOOL, (low.pure("MaskHas", mask_of(low, value), cell_of(low, item)),))
    if item.kind not in NUMBERS and item.type is not NONE and (parts is None or len(parts) == 2):
        region_of(value).need(Form.LIST)
    return FALSE


def place_of(low: Lowering, value: Value, item: Value, element: Type | None = None) -> Register | None:
    """The index of an item that is found by its words, -1 if it is not there; None for other items.

    `element` is the type of the first words of the elements, where those are longer.
    """
    element = element or region_of(value).element
    parts = item.parts if element is CELL and type(item.type) is Tuple else None
    if parts is not None and len(parts) == 2 and all(part.kind in WHOLE for part in parts):
        item = Value(CELL, (cell_of(low, item),))
    if not is_plain(element) or not element.layout or join(element, plain(item.type)) != element:
        return None
    row = low.row(low.converted(item, element))
    return low.made("Lookup" if low.is_hashed else "Find", handle_of(low, value), low.scratch(row), len(row))


def _place_in(low: Lowering, value: Value, item: Value) -> Register:
    """The index of an item that must be there."""
    if region_of(value).element is NEVER:
        raise low.bail()
    place = place_of(low, value, low.present(item))
    if place is None:
        return low.one(low.prelude("index_in", value, item))
    low.bail_if("JumpLtI", place, low.number(0))
    return place


@method(LIST, "index", takes=("item",))
def _index(low: Lowering, value: Value, item: Value) -> Value:
    in_order(low, value)
    return Value(INT, (_place_in(low, value, item),))


method(LIST, "count", takes=("item",))(
    lambda low, value, item: low.prelude("count_in", value, low.bound(item))
)


# ---- changed


@method(LIST, "append", takes=("item",))
def _append(low: Lowering, value: Value, item: Value) -> Value:
    pushed(low, low.write_into(value), handle_of(low, value), item)
    return NOTHING


@method(LIST, "__iadd__", takes=("items",))
def _add_in_place(low: Lowering, value: Value, items: Value) -> Value:
    region, items = low.write_into(value), low.present(items)
    handle = handle_of(low, value)
    if isinstance(items.type, Listing) and region_of(items) is region:
        low.emit("ListExtend", handle, handle_of(low, items))
    else:
        _put_all(low, region, handle, items)
    return value


@method(LIST, "extend", takes=("items",))
def _extend(low: Lowering, value: Value, items: Value) -> Value:
    _add_in_place(low, value, items)
    return NOTHING


@method(LIST, "pop", takes=("index",), required=0)
def _pop(low: Lowering, value: Value, index: Value | None) -> Value:
    element = low.write_into(value).element
    handle = in_order(low, value)
    if element is NEVER:
        raise low.bail()
    if index is None:
        return loaded(low, element, low.made("ListPop", handle))
    place = _index_of(low, index)
    taken = loaded(low, element, low.made("ListAt", handle, place))
    low.emit("ListRemove", handle, place)
    return taken


@method(LIST, "remove", takes=("item",))
def _remove(low: Lowering, value: Value, item: Value) -> Value:
    low.write_into(value)
    low.emit("ListRemove", handle_of(low, value), _place_in(low, value, item))
    return NOTHING


def _store(name: str, low: Lowering, value: Value, index: Value, item: Value) -> Value:
    """Put an item where an instruction makes room for it."""
    region, item = low.write_into(value), low.bound(item)
    handle, place = in_order(low, value), _index_of(low, index)
    kind = low.hold(region, item.type)
    stored(low, item.type if kind is NEVER else kind, low.made(name, handle, place), item)
    return NOTHING


method(LIST, "insert", takes=("index", "item"))(partial(_store, "ListInsert"))
method(LIST, "__setitem__", takes=("index", "item"))(partial(_store, "ListAt"))


@method(LIST, "clear")
@method("set", "clear")
def _clear(low: Lowering, value: Value) -> Value:
    low.write_into(value)
    low.emit("ListClear", handle_of(low, value))
    return NOTHING


@method(LIST, "reverse")
def _reverse(low: Lowering, value: Value) -> Value:
    low.write_into(value)
    low.emit("ListReverse", in_order(low, value))
    return NOTHING


@method(LIST, "__add__", takes=("other",))
def _concatenation(low: Lowering, value: Value, other: Value) -> Value:
    if not isinstance(other.type, Listing):
        raise low.bail()
    refuse_long_tuple(low, value, other)
    made = new_list_of(low, low.region("sum"), value)
    _put_all(low, region_of(made), made.one, other)
    return made


@method(LIST, "__mult__", "__rmult__", takes=("times",))
def _repetition(low: Lowering, value: Value, times: Value) -> Value:
    times = low.present(times)
    if times.kind not in WHOLE:
        raise low.bail()
    handle = in_order(low, value)
    made = low.made("ListSlice", handle, low.number(0), low.number(0))
    left = low.copied(low.one(times))

    def turn(exits: list[Any]) -> None:
        exits.append(low.jump("JumpLeI", left, low.number(0)))
        low.emit("ListExtend", made, handle)
        low.emit("AddN", left, left, -1)

    low.enter(low.loop(low.site("repeated"), turn))
    return kept_as(low, value.type, made)

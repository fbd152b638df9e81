"""Lists: made, read, changed and sorted."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from isolation_fast.compiled.boards import cell_of
from isolation_fast.compiled.calls import applied
from isolation_fast.compiled.code import Register
from isolation_fast.compiled.elements import listed, loaded, new_list, pushed, stored
from isolation_fast.compiled.expressions import spread
from isolation_fast.compiled.iteration import SHUFFLED, comprehended, each, is_shuffled
from isolation_fast.compiled.lowering import (
    Body,
    Call,
    Lowering,
    builtin,
    expression,
    is_stream,
    method,
)
from isolation_fast.compiled.operators import truth
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
    Grouping,
    Known,
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
SET: Final = "set"
DICT: Final = "dict"
LAST: Final = 2**63 - 1
"""The end of a slice that has none."""
MASKS: Final = {"and": "MaskAnd", "or": "MaskOr", "without": "MaskWithout", "xor": "MaskXor"}


def region_of(value: Value) -> Region:
    """The lists that a list may be, the sets of a set, the dicts of a dict."""
    assert isinstance(value.type, Container)
    return value.type.region


def kept_as(low: Lowering, kind: Type, handle: Register) -> Value:
    """A list of a handle; in a round that did not know that it has to be one, there is none yet."""
    return Value(kind, (handle,) if kind.layout == "i" else low.zeros(kind.layout))


def handle_of(low: Lowering, value: Value) -> Register:
    """The handle of a list, set or dict."""
    if region_of(value).need(Form.LIST):
        return value.one
    return low.number(0)


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


# ---- lists, made


@expression(ast.List)
def lower_list(low: Lowering, node: ast.List) -> Value:
    """A list, written out; one that nobody changes may hold different things."""
    values = spread(low, node.elts)
    low.at = node
    kind: Type = NEVER
    for value in values:
        low.refuse_iterator(value)
        kind = join(kind, plain(value.type))
    region = low.region("list")
    if (kind is MIXED or (values and not kind.layout)) and not region.is_changed:
        # Who changes it later finds it to be no list.
        return Value(Fixed(tuple(value.type for value in values)), tuple_of(tuple(values)).row)
    return listed(low, values, "list")


@expression(ast.ListComp)
def lower_list_comprehension(low: Lowering, node: ast.ListComp) -> Value:
    """A list comprehension; some of the board's moves may stay a set of cells."""
    first = low.value(node.generators[0].iter)
    low.at = node
    generator = node.generators[0]
    is_same = (
        len(node.generators) == 1
        and isinstance(node.elt, ast.Name)
        and isinstance(generator.target, ast.Name)
        and node.elt.id == generator.target.id
    )
    if is_same and isinstance(first.type, Listing) and is_cells(first):
        region = _some_of(low, first, filtered=bool(generator.ifs))
        if region.form < Form.LIST:
            region_of(first).need(Form.CELLS)
            return _some_cells(low, node, first, region)
    else:
        region = low.region("list")
    handle = new_list(low, region)

    def write() -> None:
        pushed(low, region, handle, low.value(node.elt))

    _filled_from(low, first, region, lambda ordered: comprehended(low, node, first, write, ordered=ordered))
    return Value(Listing(region), (handle,))


def _some_of(low: Lowering, first: Value, *, filtered: bool) -> Region:
    """The lists of some or all of the board's."""
    region = low.region("moves", Form.TRUTH)
    region.hold(CELL)
    if filtered or region_of(first).is_filtered:
        region.note("filtered")
    if region_of(first).is_shuffled:
        region.note("shuffled")
    return region


def _filled_from(low: Lowering, items: Value, region: Region, loop: Callable[[bool], Any]) -> None:
    """Fill a list in order; from a set in any, which is noted of the list."""
    if not is_shuffled(items.type):
        low.enter(loop(True))
        return
    region.note("shuffled")
    effects = low.unit.effects
    low.enter(loop(False))
    if effects != low.unit.effects:
        low.refuse("set", SHUFFLED)


def _some_cells(low: Lowering, node: ast.ListComp, first: Value, region: Region) -> Value:
    """Those of a set of cells that pass the tests."""
    mask, origin = mask_of(low, first), first.row[1] if len(first.row) > 1 else low.number(-1)
    if node.generators[0].ifs:
        kept = low.copied(low.pure("MaskEmpty", kind="m"))
        effects = low.unit.effects

        def write() -> None:
            low.emit("MaskAdd", kept, cell_of(low, low.value(node.elt)))

        key = low.site("in order", node)
        ordered = low.facts.get(key, False)
        low.enter(comprehended(low, node, first, write, ordered=ordered))
        if effects != low.unit.effects:
            low.facts.learn(key, True)
        mask = low.copied(kept)
    return as_form(low, region, mask, origin)


def as_form(low: Lowering, region: Region, mask: Register, origin: Register) -> Value:
    """A list that is a set of cells, kept as it is wanted."""
    if region.form < Form.CELLS:
        return Value(Listing(region), (low.made("MaskCount", mask),))
    return Value(Listing(region), (mask, origin))


@builtin(PYTHON.list)
def lower_list_of(low: Lowering, call: Call) -> Value:
    """`list(items)`: a new list."""
    if not call.arguments and not call.named:
        return listed(low, [], "list")
    (items,) = (low.present(value) for value in call.only(low))
    if isinstance(items.type, (Listing, Grouping)) and is_cells(items):
        region = _some_of(low, items, filtered=False)
        if isinstance(items.type, Grouping):
            region.note("shuffled")
        if region.form < Form.LIST:
            region_of(items).need(Form.CELLS)
            origin = items.row[1] if len(items.row) > 1 else low.number(-1)
            return as_form(low, region, mask_of(low, items), origin)
    else:
        region = low.region("list")
    return _collected(low, items, region)


def _collected(low: Lowering, items: Value, region: Region) -> Value:
    handle = new_list(low, region)

    def write(item: Value) -> None:
        pushed(low, region, handle, item)

    _filled_from(low, items, region, lambda ordered: each(low, items, write, ordered=ordered))
    return Value(Listing(region), (handle,))


@builtin(PYTHON.tuple)
def lower_tuple_of(low: Lowering, call: Call) -> Value:
    """`tuple(items)` of what has a fixed length."""
    if not call.arguments and not call.named:
        return tuple_of(())
    (items,) = (low.present(value) for value in call.only(low))
    if isinstance(items.type, Fixed):
        return tuple_of(items.parts or ())
    parts = items.type.value.items if is_stream(items) and isinstance(items.type, Known) else items.parts
    if parts is not None or items.type is CELL:
        return items if parts is None else tuple_of(parts)
    return low.refuse("tuple", "tuple(...) of what has no fixed length: use a list")


# ---- lists, read


@method(LIST, "__len__")
def list_length(low: Lowering, value: Value) -> Value:
    """How many there are."""
    region = region_of(value)
    if region.form == Form.LIST:
        return Value(INT, (low.made("ListLen", value.one),))
    if not region.need(Form.COUNT) or region.form == Form.COUNT:
        return Value(INT, value.row[:1])
    return Value(INT, (low.pure("MaskCount", value.row[0]),))


@method(LIST, "__bool__")
def list_truth(low: Lowering, value: Value) -> Value:
    """Whether there are any."""
    if region_of(value).form == Form.TRUTH:
        return Value(BOOL, value.row)
    return list_length(low, value)


def index_of(low: Lowering, index: Value) -> Register:
    """The register of an index."""
    index = low.present(index)
    if index.kind not in WHOLE:
        if index.kind is NUM:
            low.refuse("index", "a list is indexed by what may be a float: use int(...) first")
        raise low.bail()
    return low.one(index)


@method(LIST, "__getitem__", takes=("index",))
def list_item(low: Lowering, value: Value, index: Value) -> Value:
    """`list[index]`."""
    handle, place = in_order(low, value), index_of(low, index)
    if region_of(value).element is NEVER:
        raise low.bail()
    return loaded(low, region_of(value).element, low.made("ListAt", handle, place))


@method(LIST, "__slice__", takes=("lower", "upper", "step"))
def list_slice(low: Lowering, value: Value, lower: Value, upper: Value, step: Value) -> Value:
    """`list[from:to]`, and with a step that is known."""
    handle = in_order(low, value)
    if any(bound.type is not NONE and bound.kind not in WHOLE for bound in (lower, upper, step)):
        low.refuse("slice", "a slice by what is no integer: use int(...) first")
    if not step.is_constant:
        low.refuse("slice", "a slice with a step that is not constant: use a loop over range")
    by = 1 if step.type is NONE else int(step.constant)
    if by == 0:
        raise low.bail()
    if by == 1 or (by == -1 and lower.type is upper.type is NONE):
        ends = [
            low.number(default) if bound.type is NONE else low.one(bound)
            for bound, default in ((lower, 0), (upper, LAST))
        ]
        made = low.made("ListSlice", handle, *ends)
        if by == -1:
            low.emit("ListReverse", made)
        return kept_as(low, value.type, made)
    return low.prelude("stepped", kept_as(low, value.type, handle), lower, upper, constant(by))


@method(LIST, "__contains__", takes=("item",))
def list_contains(low: Lowering, value: Value, item: Value) -> Value:
    """`item in list`."""
    item = low.unmixed(low.bound(item), "what is sometimes one type, sometimes another is looked for: use two variables")
    if is_cells(value):
        found = _among_cells(low, value, item)
        if found is not None:
            return found
        region_of(value).need(Form.LIST)
        return FALSE
    if isinstance(item.type, Optional):
        return _contains_optional(low, value, item)
    if region_of(value).element is NEVER:
        return FALSE
    place = place_of(low, value, item)
    if place is not None:
        return Value(BOOL, (low.pure("LeI", low.number(0), place),))
    return low.prelude("is_in", item, value)


def _among_cells(low: Lowering, value: Value, item: Value) -> Value | None:
    if item.type in (CELL, PLACE):
        return Value(BOOL, (low.pure("MaskHas", mask_of(low, value), item.one),))
    if type(item.type) is Tuple:
        parts = item.parts or ()
        if len(parts) == 2 and all(part.kind in WHOLE for part in parts):
            return Value(BOOL, (low.pure("MaskHas", mask_of(low, value), cell_of(low, item)),))
        return FALSE if len(parts) != 2 else None
    return FALSE if item.kind in NUMBERS or item.type is NONE else None


def _contains_optional(low: Lowering, value: Value, item: Value) -> Value:
    element = region_of(value).element
    if element is NONE or isinstance(element, Optional):
        low.refuse("in", "what may be None is looked for among what may be None: test it for None first")
    true, false = truth(low, low.prelude("is_some", item))
    return low.either([(true, lambda: list_contains(low, value, low.inside(item))), (false, lambda: FALSE)])


def place_of(low: Lowering, value: Value, item: Value, element: Type | None = None) -> Register | None:
    """The index of an item that is found by its words, -1 if it is not there; None for other items.

    `element` is the type of the first words of the elements, where those are longer.
    """
    element = element or region_of(value).element
    if element is CELL and type(item.type) is Tuple and len(item.type.parts) == 2 and is_plain(item.type):
        if all(part.kind in WHOLE for part in item.parts or ()):
            item = Value(CELL, (cell_of(low, item),))
    if not is_plain(element) or not element.layout or join(element, plain(item.type)) != element:
        return None
    row = low.row(low.converted(item, element))
    return low.made("Find", handle_of(low, value), low.scratch(row), len(row))


@method(LIST, "index", takes=("item",))
def list_index(low: Lowering, value: Value, item: Value) -> Value:
    """`list.index(item)`."""
    in_order(low, value)
    if region_of(value).element is NEVER:
        raise low.bail()
    place = place_of(low, value, low.present(item))
    if place is None:
        return low.prelude("index_in", value, item)
    low.bail_if("JumpLtI", place, low.number(0))
    return Value(INT, (place,))


@method(LIST, "count", takes=("item",))
def list_count(low: Lowering, value: Value, item: Value) -> Value:
    """`list.count(item)`."""
    return low.prelude("count_in", value, low.bound(item))


@method(LIST, "copy")
def list_copy(low: Lowering, value: Value) -> Value:
    """`list.copy()`."""
    return lower_list_of(low, Call([value]))


# ---- lists, changed


@method(LIST, "append", takes=("item",))
def list_append(low: Lowering, value: Value, item: Value) -> Value:
    """`list.append(item)`."""
    region = low.write_into(value)
    pushed(low, region, handle_of(low, value), item)
    return NOTHING


@method(LIST, "extend", takes=("items",))
def list_extend(low: Lowering, value: Value, items: Value) -> Value:
    """`list.extend(items)`."""
    _extend(low, value, items)
    return NOTHING


@method(LIST, "__iadd__", takes=("items",))
def list_add_in_place(low: Lowering, value: Value, items: Value) -> Value:
    """`list += items`."""
    _extend(low, value, items)
    return value


def _extend(low: Lowering, value: Value, items: Value) -> None:
    region, items = low.write_into(value), low.present(items)
    handle = handle_of(low, value)
    if isinstance(items.type, Listing) and region_of(items) is region:
        low.emit("ListExtend", handle, handle_of(low, items))
    else:
        _filled_from(
            low, items, region, lambda ordered: each(low, items, lambda item: pushed(low, region, handle, item), ordered=ordered)
        )


@method(LIST, "pop", takes=("index",), required=0)
def list_pop(low: Lowering, value: Value, index: Value | None) -> Value:
    """`list.pop()`, `list.pop(index)`."""
    element = low.write_into(value).element
    handle = in_order(low, value)
    if element is NEVER:
        raise low.bail()
    if index is None:
        return loaded(low, element, low.made("ListPop", handle))
    place = index_of(low, index)
    taken = loaded(low, element, low.made("ListAt", handle, place))
    low.emit("ListRemove", handle, place)
    return taken


@method(LIST, "remove", takes=("item",))
def list_remove(low: Lowering, value: Value, item: Value) -> Value:
    """`list.remove(item)`."""
    low.write_into(value)
    handle = handle_of(low, value)
    if region_of(value).element is NEVER:
        raise low.bail()
    place = place_of(low, value, low.present(item))
    if place is None:
        place = low.one(low.prelude("index_in", value, item))
    low.bail_if("JumpLtI", place, low.number(0))
    low.emit("ListRemove", handle, place)
    return NOTHING


@method(LIST, "insert", takes=("index", "item"))
def list_insert(low: Lowering, value: Value, index: Value, item: Value) -> Value:
    """`list.insert(index, item)`."""
    region, item = low.write_into(value), low.bound(item)
    handle, place = handle_of(low, value), index_of(low, index)
    kind = low.hold(region, item.type)
    address = low.made("ListInsert", handle, place)
    stored(low, kind if kind is not NEVER else item.type, address, item)
    return NOTHING


@method(LIST, "clear")
@method(SET, "clear")
def list_clear(low: Lowering, value: Value) -> Value:
    """`list.clear()`, `set.clear()`."""
    low.write_into(value)
    low.emit("ListClear", handle_of(low, value))
    return NOTHING


@method(LIST, "reverse")
def list_reverse(low: Lowering, value: Value) -> Value:
    """`list.reverse()`."""
    low.write_into(value)
    low.emit("ListReverse", in_order(low, value))
    return NOTHING


@method(LIST, "__setitem__", takes=("index", "item"))
def list_set_item(low: Lowering, value: Value, index: Value, item: Value) -> Value:
    """`list[index] = item`."""
    region, item = low.write_into(value), low.bound(item)
    handle, place = in_order(low, value), index_of(low, index)
    kind = low.hold(region, item.type)
    address = low.made("ListAt", handle, place)
    stored(low, kind if kind is not NEVER else item.type, address, item)
    return NOTHING


@method(LIST, "__add__", takes=("other",))
def list_concatenation(low: Lowering, value: Value, other: Value) -> Value:
    """`list + list`: a new list."""
    if not isinstance(other.type, Listing):
        raise low.bail()
    made = _collected(low, value, low.region("sum"))
    _filled_from(
        low,
        other,
        region_of(made),
        lambda ordered: each(low, other, lambda item: pushed(low, region_of(made), made.one, item), ordered=ordered),
    )
    return made


@method(LIST, "__mult__", "__rmult__", takes=("times",))
def list_repetition(low: Lowering, value: Value, times: Value) -> Value:
    """`list * number`: a new list."""
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


# ---- sorting


@builtin(PYTHON.sorted)
def lower_sorted(low: Lowering, call: Call) -> Value:
    """`sorted(items, key=..., reverse=...)`: a new list."""
    named = dict(call.named)
    key, reverse = named.pop("key", NOTHING), named.pop("reverse", constant(False))
    if named or len(call.arguments) != 1:
        raise low.bail()
    items = low.present(call.arguments[0])
    shuffled = is_shuffled(items.type)
    if shuffled and key.type is not NONE:
        low.refuse("set", SHUFFLED)

    def walk(put: Body) -> list[Any]:
        def checked(item: Value) -> None:
            # Of two items that are equal it cannot be told which came first.
            if shuffled and not is_plain(item.type):
                low.refuse("set", SHUFFLED)
            put(item)

        return each(low, items, checked, ordered=not shuffled)

    region = low.region("sorted")
    handle = new_list(low, region)
    _sorted_into(low, Listing(region), handle, walk, key, reverse)
    return Value(Listing(region), (handle,))


@method(LIST, "sort", takes=("key", "reverse"), required=0, named=True)
def list_sort(low: Lowering, value: Value, key: Value | None, reverse: Value | None) -> Value:
    """`list.sort(key=..., reverse=...)`: while Python sorts a list, it is empty."""
    low.write_into(value)
    handle = in_order(low, value)
    if region_of(value).element is NEVER:
        return NOTHING
    copy = kept_as(low, value.type, low.made("ListCopy", handle))
    low.emit("ListClear", handle)

    def walk(put: Body) -> list[Any]:
        low.enter(each(low, copy, put))
        low.bail_if("JumpNeI", low.made("ListLen", handle), low.number(0))
        return [low.leave()]

    _sorted_into(low, value.type, handle, walk, key or NOTHING, reverse or constant(False))
    return NOTHING


def _sorted_into(
    low: Lowering, made: Type, handle: Register, walk: Callable[[Body], list[Any]], key: Value, reverse: Value
) -> None:
    """Put into a list what a loop gives, sorted: items stand in a list behind their keys, which is sorted by each
    number of the key, the last one first; each pass is stable.
    """
    if not reverse.is_constant or reverse.kind not in WHOLE:
        low.refuse("sort", "`reverse` is not constant: write True or False")
    region = low.region("what is sorted")
    pairs = new_list(low, region)

    def put(item: Value) -> None:
        by = item if key.type is NONE else applied(low, key, [item])
        pushed(low, region, pairs, tuple_of((_as_key(low, by), low.bound(item))))

    effects = low.unit.effects
    low.enter(walk(put))
    if effects != low.unit.effects:
        # Python has all items before it asks for the first key.
        low.refuse("sort", "what is sorted, or its key, changes something on the way: make a list of it first")
    if not isinstance(region.element, Tuple):
        return
    _sort(low, pairs, region.element, int(bool(reverse.constant)))

    def take(pair: Value) -> None:
        assert isinstance(made, Listing)
        pushed(low, made.region, handle, (pair.parts or ())[1])

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
    """Sort a list of pairs by each number of their first parts."""
    at = 0
    numbers: list[tuple[Type, int]] = []
    for kind in _flat(element.parts[0]):
        numbers.append((kind, at + len(kind.layout) - 1))
        at += len(kind.layout)
    for place, (kind, offset) in reversed(list(enumerate(numbers))):
        keys = low.made("ListNew", 1)
        letter = "I" if kind in WHOLE else "F"
        index = low.copied(low.number(0))

        def turn(exits: list[Any], offset: int = offset, keys: Register = keys, index: Register = index, letter: str = letter) -> None:
            exits.append(low.jump("JumpLeI", low.made("ListLen", pairs), index))
            word = low.made(f"Load{letter}", low.made("ListAt", pairs, index), offset, kind=letter.lower())
            low.emit(f"Store{letter}", low.made("ListPush", keys), 0, word)
            low.emit("AddN", index, index, 1)

        low.enter(low.loop(low.site(f"keys {place}"), turn))
        low.emit(f"Sort{letter}", pairs, keys, backwards)


def _flat(kind: Type) -> list[Type]:
    if isinstance(kind, Tuple):
        return [each for part in kind.parts for each in _flat(part)]
    return [kind]

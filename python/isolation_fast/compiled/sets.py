"""Sets and dicts: a set is a list that has each item once, or a set of cells that nobody changes; a dict is a list of pairs.

The order in which Python walks over a set is not imitated: a set is walked only where that does not matter, a list made of
one is noted as shuffled, and who asks for the order of that is refused too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from isolation_fast.compiled.code import Register
from isolation_fast.compiled.comparing import contained
from isolation_fast.compiled.elements import in_data, loaded, new_list, pushed, stored
from isolation_fast.compiled.expressions import CONSTANTS, spread, value_of
from isolation_fast.compiled.iteration import comprehended, each
from isolation_fast.compiled.lists import handle_of, is_cells, kept_as, mask_of, place_of, region_of
from isolation_fast.compiled.lowering import (
    LASTING,
    Body,
    Call,
    Lowering,
    builtin,
    expression,
    is_stream,
    method,
    stream,
)
from isolation_fast.compiled.operators import length, truth
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
    Fixed,
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

SET: Final = "set"
DICT: Final = "dict"
MASKS: Final = {"and": "MaskAnd", "or": "MaskOr", "without": "MaskWithout", "xor": "MaskXor"}


# ---- sets


def _plain_item(low: Lowering, item: Value) -> Value:
    """An item of a set: refused where equal words do not tell, as of floats. None is left to Python."""
    item = low.present(item)
    if item.kind is GAME or not is_plain(item.type):
        low.refuse("set", f"a set holds {item.type.label}: keep integers or pairs of them in it")
    return item


def _put(low: Lowering, value: Value, item: Value) -> None:
    """Put an item into a set kept as a list, if it is not there."""
    item = _plain_item(low, item)
    region = region_of(value)
    low.hold(region, item.type)
    true, false = truth(low, contained(low, item, as_list(low, value)))
    low.enter(false)
    if low.env is not None:
        pushed(low, region, handle_of(low, value), item)
        true = [*true, low.leave()]
    low.enter(true)


def as_list(low: Lowering, value: Value) -> Value:
    """A set as a list that has what is in it, each once."""
    kind = Listing(region_of(value))
    return Value(kind, (mask_of(low, value), low.number(-1))[: len(kind.layout)] if is_cells(value) else value.row)


def new_set(low: Lowering, region: Region) -> Value:
    """An empty set that can be changed."""
    region.need(Form.LIST)
    return kept_as(low, Grouping(region), new_list(low, region))


def _filled_set(low: Lowering, walk: Callable[[Body, bool], list[Any]]) -> Value:
    """A new set of what a loop gives, in whatever order if nothing is written on the way."""
    made = new_set(low, low.region("set"))
    key = low.site("in order")
    effects = low.unit.effects
    low.enter(walk(lambda item: _put(low, made, item), low.facts.get(key, False)))
    if effects != low.unit.effects:
        low.facts.learn(key, True)
    return made


@builtin(PYTHON.set, PYTHON.frozenset)
def lower_set_of(low: Lowering, call: Call) -> Value:
    """`set(items)`, `set()`."""
    if not call.arguments and not call.named:
        return new_set(low, low.region("set"))
    (items,) = call.only(low)
    return set_of(low, low.present(items))


def set_of(low: Lowering, items: Value) -> Value:
    """A new set of the items of something."""
    if isinstance(items.type, (Listing, Grouping)) and is_cells(items):
        region = low.region("set", Form.CELLS)
        region.hold(CELL)
        if region.form < Form.LIST:
            return Value(Grouping(region), (mask_of(low, items),))
    if isinstance(items.type, Container) and region_of(items).element is NEVER:
        return new_set(low, low.region("set"))
    is_set = isinstance(items.type, Grouping)
    return _filled_set(low, lambda put, ordered: each(low, items, put, ordered=ordered and not is_set))


@expression(ast.Set)
def lower_set(low: Lowering, node: ast.Set) -> Value:
    """A set, written out."""
    values = [_plain_item(low, value) for value in spread(low, node.elts)]
    low.at = node
    return _set_of_values(low, low.region("set"), values)


def _set_of_values(low: Lowering, region: Region, values: Sequence[Value]) -> Value:
    for value in values:
        low.hold(region, value.type)
    if not region.is_changed and _all_different(values):
        kept = in_data(low, region, values)
        if kept is not None:
            return Value(Grouping(region), (kept,))
    made = new_set(low, region)
    for value in values:
        _put(low, made, value)
    return made


def _all_different(values: Sequence[Value]) -> bool:
    """Whether they are constants of which no two are equal."""
    try:
        found = [_content(value) for value in values]
    except TypeError:
        return False
    return len(set(found)) == len(found)


def _content(value: Value) -> Any:
    if value.parts is not None:
        return tuple(map(_content, value.parts))
    if not value.is_constant:
        raise TypeError
    return value.constant


@expression(ast.SetComp)
def lower_set_comprehension(low: Lowering, node: ast.SetComp) -> Value:
    """A set comprehension."""
    first = low.value(node.generators[0].iter)
    low.at = node
    return _filled_set(
        low, lambda put, ordered: comprehended(low, node, first, lambda: put(low.value(node.elt)), ordered=ordered)
    )


@method(SET, "__len__")
def set_length(low: Lowering, value: Value) -> Value:
    """How many there are."""
    return length(low, as_list(low, value))


@method(SET, "__contains__", takes=("item",))
def set_contains(low: Lowering, value: Value, item: Value) -> Value:
    """`item in set`."""
    item = low.bound(item)
    inner = item.type.of if isinstance(item.type, Optional) else item.type
    if inner is not NONE and not is_plain(inner):
        low.refuse("in", f"{inner.label} is looked for in a set: look for integers or pairs of them")
    return contained(low, item, as_list(low, value))


def _joined(low: Lowering, value: Value, other: Value, how: str) -> Value:
    """A new set of two."""
    if is_stream(other):
        low.refuse("set", "a set is joined with what is walked once: make a list of it first")
    if is_cells(value) and isinstance(other.type, Grouping) and is_cells(other):
        region = low.region("joined", Form.CELLS)
        region.hold(CELL)
        if region.form < Form.LIST:
            mask = low.pure(MASKS[how], mask_of(low, value), mask_of(low, other), kind="m")
            return Value(Grouping(region), (mask,))
    return low.prelude(f"set_{how}", value, other)


def _note_operators() -> None:
    """Enter the operators, which take sets alone, and the methods that do the same with all that can be walked over."""
    for how, operator, name, in_place in (
        ("and", "bitand", "intersection", "intersection_update"),
        ("or", "bitor", "union", "update"),
        ("without", "sub", "difference", "difference_update"),
        ("xor", "bitxor", "symmetric_difference", "symmetric_difference_update"),
    ):

        def join_with(low: Lowering, value: Value, other: Value, how: str = how, *, of_sets: bool = False) -> Value:
            other = low.present(other)
            if other.kind in NUMBERS or other.type is NONE or (of_sets and not isinstance(other.type, Grouping)):
                raise low.bail()
            return _joined(low, value, other, how)

        def replace(low: Lowering, value: Value, other: Value, how: str = how, *, of_sets: bool = False) -> Value:
            if how == "or" and (isinstance(other.type, Grouping) or not of_sets):
                low.prelude("add_all", value, low.present(other))
            else:
                low.prelude("set_to", value, join_with(low, value, other, how, of_sets=of_sets))
            return value if of_sets else NOTHING

        method(SET, f"__{operator}__", takes=("other",))(partial(join_with, of_sets=True))
        method(SET, f"__i{operator}__", takes=("other",))(partial(replace, of_sets=True))
        method(SET, name, takes=("other",))(join_with)
        method(SET, in_place, takes=("other",))(replace)


_note_operators()


@method(SET, "isdisjoint", takes=("other",))
def set_is_disjoint(low: Lowering, value: Value, other: Value) -> Value:
    """Whether two have nothing in common."""
    true, false = truth(low, _joined(low, value, low.present(other), "and"))
    return low.either([(false, lambda: constant(True)), (true, lambda: constant(False))])


@method(SET, "copy")
def set_copy(low: Lowering, value: Value) -> Value:
    """`set.copy()`."""
    return set_of(low, value)


@method(SET, "add", takes=("item",))
def set_add(low: Lowering, value: Value, item: Value) -> Value:
    """`set.add(item)`."""
    low.write_into(value)
    _put(low, value, item)
    return NOTHING


@method(SET, "discard", takes=("item",))
def set_discard(low: Lowering, value: Value, item: Value) -> Value:
    """`set.discard(item)`."""
    found = _found(low, value, item)
    none = low.jump("JumpLtI", found, low.number(0))
    low.emit("ListRemove", handle_of(low, value), found)
    low.enter([low.leave(), none])
    return NOTHING


@method(SET, "remove", takes=("item",))
def set_remove(low: Lowering, value: Value, item: Value) -> Value:
    """`set.remove(item)`."""
    found = _found(low, value, item)
    low.bail_if("JumpLtI", found, low.number(0))
    low.emit("ListRemove", handle_of(low, value), found)
    return NOTHING


def _found(low: Lowering, value: Value, item: Value) -> Register:
    low.write_into(value)
    if region_of(value).element is NEVER:
        return low.number(-1)
    found = place_of(low, as_list(low, value), low.present(item))
    if found is None:
        low.refuse("set", "what is taken out of a set is of another type than what is in it: keep to one type")
    return found


# ---- dicts


def _kinds(region: Region) -> tuple[Type, Type]:
    """The types of its keys and of its values."""
    if not isinstance(region.element, Tuple):
        return NEVER, NEVER
    return region.element.parts[0], region.element.parts[1]


def _hold(low: Lowering, region: Region, key: Value, value: Value) -> None:
    """Note what is put into dicts."""
    if key.kind is GAME or not is_plain(key.type):
        low.refuse("dict", f"{key.type.label} is the key of a dict: use integers, texts, or tuples of them")
    if join(region.element, plain(Tuple((key.type, value.type)))) is MIXED:
        low.refuse("dict", "a dict holds different types: keep to one type of keys and one of values")
    low.hold(region, Tuple((key.type, value.type)))


def _new_dict(low: Lowering, region: Region) -> Value:
    return Value(Mapping(region), (new_list(low, region),))


@expression(ast.Dict)
def lower_dict_display(low: Lowering, node: ast.Dict) -> Value:
    """A dict, written out."""
    pairs = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            low.refuse("dict", "`**` takes another dict in: write its items one by one", node)
        first = low.present(low.value(key))
        pairs.append((first, low.bound(low.value(value))))
    low.at = node
    return _dict_of(low, low.region("dict"), pairs)


def _dict_of(low: Lowering, region: Region, pairs: list[tuple[Value, Value]]) -> Value:
    """A dict of these pairs: in the program's data, if they are constants and nobody changes it."""
    for first, value in pairs:
        _hold(low, region, first, value)
    if pairs and not region.is_changed and _all_different([first for first, _ in pairs]):
        kept = in_data(low, region, [tuple_of(pair) for pair in pairs])
        if kept is not None:
            return Value(Mapping(region), (kept,))
    made = _new_dict(low, region)
    for first, value in pairs:
        _set(low, made, first, value)
    return made


@expression(ast.DictComp)
def lower_dict_comprehension(low: Lowering, node: ast.DictComp) -> Value:
    """A dict comprehension."""
    first = low.value(node.generators[0].iter)
    low.at = node
    made = _new_dict(low, low.region("dict"))

    def write() -> None:
        key = low.present(low.value(node.key))
        _set(low, made, key, low.bound(low.value(node.value)))

    low.enter(comprehended(low, node, first, write, ordered=True))
    return made


@builtin(PYTHON.dict)
def lower_dict(low: Lowering, call: Call) -> Value:
    """`dict()`, `dict(a=1)`, and `dict(other)` of a dict."""
    if not call.arguments:
        pairs = [(constant(name), low.bound(value)) for name, value in call.named.items()]
        return _dict_of(low, low.region("dict"), pairs)
    items = low.present(call.arguments[0]) if len(call.arguments) == 1 and not call.named else NOTHING
    if not isinstance(items.type, Mapping):
        low.refuse("dict", "dict(...) of what is no dict: write a dict comprehension")
    return dict_copy(low, items)


# ---- dicts, read


def _place(low: Lowering, value: Value, key: Value) -> Register | None:
    """The index of a key, -1 if it is not there; None where no dict has anything in it."""
    inner = key.type.of if isinstance(key.type, Optional) else key.type
    wanted, _ = _kinds(region_of(value))
    if inner is NONE or (wanted is NEVER and (inner in NUMBERS or is_plain(inner))):
        return None
    key = low.present(key)
    place = None if key.kind is GAME else place_of(low, Value(Listing(region_of(value)), value.row), key, wanted)
    if place is None:
        low.refuse("dict", f"{key.type.label} is looked up among keys of another type: use one type of keys")
    return place


def _at(low: Lowering, value: Value, index: Register) -> tuple[Type, Register]:
    """The type of a value, and its address."""
    key, kind = _kinds(region_of(value))
    return kind, low.made("AddN", low.made("ListAt", value.one, index), len(key.layout))


@method(DICT, "__len__")
def dict_length(low: Lowering, value: Value) -> Value:
    """How many keys there are."""
    return length(low, Value(Listing(region_of(value)), value.row))


@method(DICT, "__contains__", takes=("key",))
def dict_contains(low: Lowering, value: Value, key: Value) -> Value:
    """`key in dict`."""
    place = _place(low, value, key)
    return FALSE if place is None else Value(BOOL, (low.pure("LeI", low.number(0), place),))


@method(DICT, "__getitem__", takes=("key",))
def dict_item(low: Lowering, value: Value, key: Value) -> Value:
    """`dict[key]`."""
    place = _place(low, value, low.present(key))
    if place is None:
        raise low.bail()
    low.bail_if("JumpLtI", place, low.number(0))
    return loaded(low, *_at(low, value, place))


@method(DICT, "get", takes=("key", "default"), required=1)
def dict_get(low: Lowering, value: Value, key: Value, default: Value | None) -> Value:
    """`dict.get(key, default)`."""
    other = NOTHING if default is None else low.bound(default)
    place = _place(low, value, key)
    if place is None:
        return other
    none = low.jump("JumpLtI", place, low.number(0))
    found = low.either([([low.leave()], lambda: loaded(low, *_at(low, value, place))), ([none], lambda: other)])
    return low.unmixed(found, "`get` gives sometimes one type, sometimes another: let the default be of one type", "dict")


def _walk(low: Lowering, value: Value, part: int | None) -> Value:
    """What walks over keys, over values, or over both."""
    site = low.site("dict")

    def walk(body: Body, _ordered: bool) -> list[Any]:
        element = region_of(value).element
        if element is NEVER:
            return [low.leave()]
        before, index = low.made("ListLen", value.one), low.copied(low.number(0))

        def turn(exits: list[Any]) -> None:
            # Where a key was added meanwhile, Python raises.
            low.bail_if("JumpNeI", low.made("ListLen", value.one), before)
            exits.append(low.jump("JumpLeI", before, index))
            pair = loaded(low, element, low.made("ListAt", value.one, index))
            low.emit("AddN", index, index, 1)
            body(pair if part is None else (pair.parts or ())[part])

        return low.loop(site, turn)

    return stream(walk)


@method(DICT, "__iter__", "keys")
def dict_keys(low: Lowering, value: Value) -> Value:
    """The keys, walked at once."""
    return _walk(low, value, 0)


@method(DICT, "values")
def dict_values(low: Lowering, value: Value) -> Value:
    """The values, walked at once."""
    return _walk(low, value, 1)


@method(DICT, "items")
def dict_items(low: Lowering, value: Value) -> Value:
    """Keys and values, walked at once."""
    return _walk(low, value, None)


@method(DICT, "copy")
def dict_copy(low: Lowering, value: Value) -> Value:
    """`dict.copy()`."""
    made = low.region("copy")
    made.hold(region_of(value).element)
    if made.element != region_of(value).element:
        return kept_as(low, Mapping(made), low.number(0))
    return Value(Mapping(made), (low.made("ListCopy", value.one),))


# ---- dicts, changed


def _set(low: Lowering, value: Value, key: Value, item: Value) -> None:
    """Put a value under a key: a key that is there stays as it is."""
    region = region_of(value)
    _hold(low, region, key, item)
    place = _place(low, value, key)
    if place is None:
        return
    none = low.jump("JumpLtI", place, low.number(0))
    stored(low, *_at(low, value, place), item)
    there = low.leave()
    low.enter([none])
    pushed(low, region, value.one, tuple_of((key, item)))
    low.enter([there, low.leave()])


@method(DICT, "__setitem__", takes=("key", "item"))
def dict_set_item(low: Lowering, value: Value, key: Value, item: Value) -> Value:
    """`dict[key] = item`."""
    low.write_into(value)
    _set(low, value, low.present(key), low.bound(item))
    return NOTHING


@method(DICT, "setdefault", takes=("key", "default"))
def dict_set_default(low: Lowering, value: Value, key: Value, default: Value) -> Value:
    """`dict.setdefault(key, default)`."""
    low.write_into(value)
    key, default = low.present(key), low.bound(default)
    _hold(low, region_of(value), key, default)
    there = low.jump("JumpIf", low.one(dict_contains(low, value, key)))
    _set(low, value, key, default)
    low.enter([there, low.leave()])
    place = _place(low, value, key)
    return default if place is None else loaded(low, *_at(low, value, place))


# ---- of a module


def _region_of_module(low: Lowering, found: Any, word: str) -> Region:
    """That of a list, set or dict of a module, which the guard watches and nobody changes."""
    low.scope.source.constant(found)
    region = low.unit.region(("module", id(found), word))
    if region.is_changed:
        low.refuse("global", LASTING)
    region.note("lasting")
    return region


def constant_list(low: Lowering, found: list[Any]) -> Value:
    """A list of a module."""
    region = _region_of_module(low, found, "list")
    values = [value_of(low, item, "an item of a list") for item in found]
    kind: Type = NEVER
    for value in values:
        kind = join(kind, plain(value.type))
    if kind is MIXED or (values and not kind.layout):
        return Value(Fixed(tuple(value.type for value in values)), tuple_of(tuple(values)).row)
    for value in values:
        low.hold(region, value.type)
    return _in_data(low, Listing(region), values)


def constant_set(low: Lowering, found: Any) -> Value:
    """A set of a module."""
    region = _region_of_module(low, found, "set")
    values = [_plain_item(low, value_of(low, item, "an item of a set")) for item in found]
    for value in values:
        low.hold(region, value.type)
    return _in_data(low, Grouping(region), values)


def constant_dict(low: Lowering, found: dict[Any, Any]) -> Value:
    """A dict of a module."""
    region = _region_of_module(low, found, "dict")
    pairs = []
    for key, value in found.items():
        first, second = value_of(low, key, "a key of a dict"), value_of(low, value, "a value of a dict")
        _hold(low, region, first, second)
        pairs.append(tuple_of((first, second)))
    return _in_data(low, Mapping(region), pairs)


def _in_data(low: Lowering, kind: Container, values: list[Value]) -> Value:
    kept = in_data(low, kind.region, values)
    if kept is None:
        if not low.facts.have_changed:
            low.refuse("constant", f"{kind.label} of the module holds more than numbers, texts, tuples and lists")
        kept = low.number(0)
    return kept_as(low, kind, kept)


CONSTANTS.update({list: constant_list, set: constant_set, frozenset: constant_set, dict: constant_dict})

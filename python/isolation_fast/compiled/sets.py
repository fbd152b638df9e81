"""Sets: a set of cells that nobody changes is a mask, any other a list that has each item once.

The order in which Python walks over a set is not imitated. So a set is walked only where the order does
not matter; a list made of one is noted as `shuffled`, and asking for the order of that is refused too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from isolation_fast.compiled.conditions import contained, length, truth
from isolation_fast.compiled.elements import in_data, new_list, pushed, region_of, region_of_module
from isolation_fast.compiled.expressions import spread, value_of
from isolation_fast.compiled.iteration import as_list, comprehended, each
from isolation_fast.compiled.lists import is_plain, place_of
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.tables import Call, builtin, constant, expression, method
from isolation_fast.compiled.types import (
    CELL,
    GAME,
    NEVER,
    NONE,
    NUMBERS,
    Grouping,
    Known,
    Listing,
    Optional,
    Region,
    Type,
)
from isolation_fast.compiled.values import NOTHING, Value, number

SET: Final = "set"
MASKS: Final = {"and": "MaskAnd", "or": "MaskOr", "without": "MaskWithout", "xor": "MaskXor"}


def _plain(low: Lowering, kind: Type) -> None:
    """Refuse what equal words do not tell: floats, and what is no number."""
    if kind is GAME or not is_plain(kind):
        low.refuse("set", f"a set holds {kind.label}: keep integers or pairs of them in it")


def _new(low: Lowering, region: Region) -> Value:
    return Value(Grouping(region=region), (low.one(new_list(low, region)),))


def _put(low: Lowering, region: Region, value: Value, item: Value) -> None:
    """Put an item into a set kept as a list, if it is not there."""
    # None in a set is left to Python: a player is placed nearly everywhere.
    item = low.settled(low.present(item))
    _plain(low, item.type)
    low.hold(region, item.type)
    true, false = truth(low, lower_contains_item(low, value, item))
    low.enter(false)
    if low.env is not None:
        pushed(low, region, low.one(value), item)
        true = [*true, low.leave()]
    low.enter(true)


# ---- made


def _filled(
    low: Lowering, node: ast.AST, walk: Callable[[Callable[[Value], None], bool], None], name: str
) -> Value:
    """A new set of what a loop gives, in whatever order."""
    region = low.region(node, "set")
    region.spell_out()
    made = _new(low, region)

    def loop(ordered: bool) -> bool:
        walk(lambda item: _put(low, region.root(), made, item), ordered)
        return True

    low.in_any_order((name, low.place(node)), loop)
    return made


def set_of(low: Lowering, node: ast.AST, items: Value) -> Value:
    """A new set of the items of something."""
    items = low.settled(low.present(items))
    kind = items.type
    if isinstance(kind, (Listing, Grouping)) and kind.region.cells:
        region = low.region(node, "set", cells=True)
        low.hold(region, CELL)
        if region.cells:
            return Value(Grouping(region=region), low.row(items)[:1])
    if isinstance(kind, Listing) and kind.region.element is NEVER:
        region = low.region(node, "set")
        region.spell_out()
        return _new(low, region)

    def walk(put: Callable[[Value], None], ordered: bool) -> None:
        key = ("set", low.place(node))
        low.enter(each(low, items, key, put, ordered=ordered and not isinstance(kind, Grouping)))

    return _filled(low, node, walk, "set of")


@builtin(set)
def lower_set_of(low: Lowering, call: Call) -> Value:
    """`set(items)`, `set()`."""
    if not call.arguments and not call.named:
        region = low.region(call.node, "set")
        region.spell_out()
        return _new(low, region)
    (items,) = call.only(low)
    return set_of(low, call.node, items)


@expression(ast.Set)
def lower_display(low: Lowering, node: ast.Set) -> Value:
    """A set, written out."""
    values = [low.settled(low.present(value)) for value in spread(low, node.elts)]
    low.at = node
    region = low.region(node, "set")
    for value in values:
        _plain(low, value.type)
        low.hold(region, value.type)
    if not region.changed and all(value.is_constant or value.parts is not None for value in values):
        kept = in_data(low, id(node), region, values) if _all_different(values) else None
        if kept is not None:
            return Value(Grouping(region=region), kept.row)
    made = _new(low, region)
    for value in values:
        _put(low, region, made, value)
    return made


def _all_different(values: list[Value]) -> bool:
    found = [_content(value) for value in values]
    return len(set(found)) == len(found)


def _content(value: Value) -> Any:
    return value.constant if value.parts is None else tuple(map(_content, value.parts))


@expression(ast.SetComp)
def lower_comprehension(low: Lowering, node: ast.SetComp) -> Value:
    """A set comprehension."""
    first = low.settled(low.value(node.generators[0].iter))
    key = low.place(node)

    def walk(put: Callable[[Value], None], ordered: bool) -> None:
        low.enter(comprehended(low, node, first, lambda: put(low.value(node.elt)), key, (), ordered))

    return _filled(low, node, walk, "set comprehension")


@constant(set, frozenset)
def constant_set(low: Lowering, found: Any) -> Value:
    """A set of a module."""
    region = region_of_module(low, found, "set")
    values = [value_of(low, item, "an item of a set") for item in found]
    for value in values:
        _plain(low, value.type)
        low.hold(region, value.type)
    made = in_data(low, id(found), region, values)
    if made is None:
        low.refuse("constant", "a set of the module holds more than integers and tuples of them")
    return Value(Grouping(region=region), made.row)


# ---- read


@method(SET, "__len__")
def lower_set_length(low: Lowering, value: Value) -> Value:
    """How many there are."""
    return length(low, as_list(low, value))


def lower_contains_item(low: Lowering, value: Value, item: Value) -> Value:
    """Whether a set has an item."""
    inner = item.type.of if isinstance(item.type, Optional) else item.type
    if inner is not NONE and not is_plain(inner):
        low.refuse("in", f"{inner.label} is looked for in a set: look for integers or pairs of them")
    return contained(low, item, as_list(low, value))


@method(SET, "__contains__", takes=("item",))
def lower_set_contains(low: Lowering, value: Value, item: Value) -> Value:
    """`item in set`."""
    return lower_contains_item(low, value, item)


# ---- joined


def _joined(low: Lowering, value: Value, other: Value, how: str) -> Value:
    """A new set of two."""
    node = low.call_node
    value, other = low.settled(value), low.settled(other)
    one, two = region_of(value), region_of(other)
    region = low.region(node, "set", cells=True)
    if one.cells and two.cells:
        low.hold(region, CELL)
        if region.cells:
            return Value(
                Grouping(region=region),
                (low.pure(MASKS[how], low.one(value), low.one(other), kind="m"),),
            )
    region.spell_out()
    made = _new(low, region)
    if how == "or":
        _copied(low, value, made, ("or", 1))
    elif how != "and":
        _copied(low, value, made, (how, 1), without=other)
    else:
        _copied(low, value, made, (how, 1), within=other)
    if how in ("or", "xor"):
        _copied(low, other, made, (how, 2), without=value)
    return made


def _copied(
    low: Lowering,
    source: Value,
    made: Value,
    key: Any,
    *,
    within: Value | None = None,
    without: Value | None = None,
) -> None:
    """Put into a set what is in another, and in a third or not in it."""
    region = region_of(made)

    def put(item: Value) -> None:
        item = low.settled(item)
        third = within if without is None else without
        if third is None:
            pushed(low, region.root(), low.one(made), item)
            return
        true, false = truth(low, lower_contains_item(low, third, item))
        on, off = (true, false) if without is None else (false, true)
        low.enter(on)
        if low.env is not None:
            pushed(low, region.root(), low.one(made), item)
            off = [*off, low.leave()]
        low.enter(off)

    low.enter(each(low, source, (key, low.place(low.call_node)), put, ordered=False))


def _operand(low: Lowering, other: Value) -> Value:
    """The right side of an operator between sets: what is no set raises."""
    other = low.present(other)
    if not isinstance(other.type, Grouping):
        raise low.bail()
    return other


def _operators() -> None:
    """Enter the operators, and the methods that do the same with whatever can be walked over."""
    for how, operator, name in (
        ("and", "bitand", "intersection"),
        ("or", "bitor", "union"),
        ("without", "sub", "difference"),
        ("xor", "bitxor", "symmetric_difference"),
    ):

        def operate(low: Lowering, value: Value, other: Value, how: str = how) -> Value:
            return _joined(low, value, _operand(low, other), how)

        def join(low: Lowering, value: Value, other: Value, how: str = how) -> Value:
            return _joined(low, value, _as_set(low, other), how)

        method(SET, f"__{operator}__", takes=("other",))(operate)
        method(SET, name, takes=("other",))(join)


def _as_set(low: Lowering, other: Value) -> Value:
    other = low.present(other)
    if other.type in NUMBERS or other.type is NONE:
        raise low.bail()
    if isinstance(other.type, Grouping):
        return other
    effects = low.unit.effects
    made = set_of(low, _inner(low), other)
    if isinstance(other.type, Known) and effects != low.unit.effects:
        low.refuse("set", "what is made for a set changes something on the way: make a list of it first")
    return made


def _made_before(low: Lowering, items: Value) -> None:
    """Refuse a generator: it would see the set change while it is walked."""
    if isinstance(items.type, Known):
        low.refuse("set", "a set is changed by a generator, which may look at it: make a list of it first")


def _inner(low: Lowering) -> ast.AST:
    """A node of its own for the set made of an argument."""
    node: Any = low.call_node
    return node.args[0] if isinstance(node, ast.Call) and node.args else node


_operators()


@method(SET, "isdisjoint", takes=("other",))
def lower_disjoint(low: Lowering, value: Value, other: Value) -> Value:
    """Whether two have nothing in common."""
    both = _joined(low, value, _as_set(low, other), "and")
    true, false = truth(low, both)
    return low.either(
        ("disjoint", low.place(low.call_node)), [(false, lambda: number(True)), (true, lambda: number(False))]
    )


@method(SET, "copy")
def lower_copy_of_set(low: Lowering, value: Value) -> Value:
    """`set.copy()`."""
    return value if region_of(value).cells else Value(value.type, (low.made("ListCopy", low.one(value)),))


# ---- changed


@method(SET, "add", takes=("item",))
def lower_add(low: Lowering, value: Value, item: Value) -> Value:
    """`set.add(item)`."""
    _put(low, low.write_into(region_of(value)), value, item)
    return NOTHING


@method(SET, "discard", takes=("item",))
def lower_discard(low: Lowering, value: Value, item: Value) -> Value:
    """`set.discard(item)`."""
    found = _found(low, value, item)
    none = low.jump("JumpLtI", found, low.constant_register("ConstI", 0, "i"))
    low.emit("ListRemove", low.one(value), found)
    low.enter([low.leave(), none])
    return NOTHING


@method(SET, "remove", takes=("item",))
def lower_remove(low: Lowering, value: Value, item: Value) -> Value:
    """`set.remove(item)`."""
    found = _found(low, value, item)
    low.bail_if("JumpLtI", found, low.constant_register("ConstI", 0, "i"))
    low.emit("ListRemove", low.one(value), found)
    return NOTHING


def _found(low: Lowering, value: Value, item: Value) -> int:
    low.write_into(region_of(value))
    listed = as_list(low, value)
    found = place_of(low, listed, low.present(item))
    if found is None:
        low.refuse(
            "set", "what is taken out of a set is of another type than what is in it: keep to one type"
        )
    return found


@method(SET, "update", takes=("items",))
def lower_update(low: Lowering, value: Value, items: Value) -> Value:
    """`set.update(items)`."""
    _made_before(low, items)
    _add_all(low, value, _as_set(low, items))
    return NOTHING


@method(SET, "__ibitor__", takes=("items",))
def lower_or_in_place(low: Lowering, value: Value, items: Value) -> Value:
    """`set |= items`."""
    return _add_all(low, value, _operand(low, items))


def _add_all(low: Lowering, value: Value, items: Value) -> Value:
    region = low.write_into(region_of(value))
    value, items = low.settled(value), low.settled(items)
    key = ("update", low.place(low.call_node))
    low.enter(each(low, items, key, lambda item: _put(low, region.root(), value, item), ordered=False))
    return value


def _replaced(low: Lowering, value: Value, other: Value, how: str) -> Value:
    """Keep in a set what is in another too, or what is not."""
    region = low.write_into(region_of(value))
    value, other = low.settled(value), low.settled(other)
    made = _new(low, region)
    third = {"within": other} if how == "and" else {"without": other}
    _copied(low, value, made, ("kept", how), **third)
    low.emit("ListClear", low.one(value))
    low.emit("ListExtend", low.one(value), low.one(made))
    return value


@method(SET, "__ibitand__", takes=("other",))
def lower_and_in_place(low: Lowering, value: Value, other: Value) -> Value:
    """`set &= other`."""
    return _replaced(low, value, _operand(low, other), "and")


@method(SET, "__isub__", takes=("other",))
def lower_sub_in_place(low: Lowering, value: Value, other: Value) -> Value:
    """`set -= other`."""
    return _replaced(low, value, _operand(low, other), "without")


@method(SET, "intersection_update", takes=("other",))
def lower_intersect(low: Lowering, value: Value, other: Value) -> Value:
    """`set.intersection_update(other)`."""
    _replaced(low, value, _as_set(low, other), "and")
    return NOTHING


@method(SET, "difference_update", takes=("other",))
def lower_subtract(low: Lowering, value: Value, other: Value) -> Value:
    """`set.difference_update(other)`."""
    _made_before(low, other)
    _replaced(low, value, _as_set(low, other), "without")
    return NOTHING

"""The elements of lists: put into words and taken out of them; lists of constants.

A list is the address of a header in the arena; its elements lie one after the other, a word for each register
of their type. A list of constants that nobody writes into stands in the program's data.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from isolation_fast.compiled.assembly import bits
from isolation_fast.compiled.expressions import value_of
from isolation_fast.compiled.lowering import LASTING, Lowering
from isolation_fast.compiled.tables import constant
from isolation_fast.compiled.types import (
    FLOAT,
    NONE,
    NUM,
    PLACE,
    WHOLE,
    Container,
    Listing,
    Optional,
    Region,
    Tuple,
    Type,
)
from isolation_fast.compiled.values import Value


def region_of(value: Value) -> Region:
    """The lists that a list may be, the sets of a set, the dicts of a dict."""
    assert isinstance(value.type, Container)
    return value.type.region.root()


def region_of_module(low: Lowering, found: Any, what: str) -> Region:
    """That of a list, set or dict of a module, which the guard watches and nobody changes."""
    low.scope.source.constant(found)
    region = low.unit.region(id(found), f"a {what} of the module")
    if region.changed:
        low.refuse("global", LASTING)
    region.lasting = True
    return region


# ---- elements


def loaded(low: Lowering, kind: Type, address: int) -> Value:
    """The element at an address."""
    row = []
    for offset, letter in enumerate(kind.layout):
        row.append(low.made("LoadF" if letter == "f" else "LoadI", address, offset, kind=letter))
    return low.held(kind, row)


def stored(low: Lowering, kind: Type, address: int, value: Value) -> None:
    """Put an element at an address."""
    row = low.row(low.converted(value, kind))
    for offset, register in enumerate(row):
        low.emit("StoreF" if low.classes[register] == "f" else "StoreI", address, offset, register)


def new_list(low: Lowering, region: Region) -> Value:
    """An empty list."""
    # What it was copied from may have been a set of cells in an earlier round.
    region.root().spell_out()
    return Value(Listing(region=region), (low.made("ListNew", max(1, len(region.element.layout))),))


def pushed(low: Lowering, region: Region, handle: int, value: Value) -> None:
    """Put an element at the end of a list."""
    low.hold(region, value.type)
    value = low.converted(value, region.element)
    stored(low, region.element, low.made("ListPush", handle), value)


# ---- constants


def words(low: Lowering, kind: Type, value: Value) -> list[int] | None:
    """A constant as the words of an element; None for what is not constant."""
    if isinstance(kind, Optional):
        if value.type is NONE:
            return [0] * len(kind.layout) if kind != PLACE else [-1]
        inner = words(low, kind.of, value)
        return None if inner is None else inner if kind == PLACE else [1, *inner]
    if value.asked is not None and value.asked[0] == "data":
        return [value.asked[1]]
    if isinstance(kind, Tuple) and value.parts is not None:
        parts = [
            words(low, part, part_value) for part, part_value in zip(kind.parts, value.parts, strict=True)
        ]
        return None if None in parts else [word for part in parts for word in part or ()]
    if not value.is_constant:
        return None
    if kind is FLOAT:
        return [bits(float(value.constant))]
    if kind is NUM:
        if isinstance(value.constant, int) and abs(value.constant) > 2**53:
            low.refuse("list", "a list holds floats and an integer beyond 2 ** 53: use floats")
        return [int(isinstance(value.constant, float)), bits(float(value.constant))]
    return [int(value.constant)] if kind in WHOLE else []


def in_data(low: Lowering, key: Hashable, region: Region, values: list[Value]) -> Value | None:
    """A list of constants in the program's data; None if it has to be made at run time."""
    unit = low.unit
    rows = [words(low, region.element, value) for value in values]
    if None in rows:
        return None
    key = (key, repr(rows))
    if key not in unit.addresses:
        size = max(1, len(region.element.layout))
        at = len(unit.data)
        unit.data += [len(values), len(values), at + 4, size]
        for row in rows:
            unit.data += [*(row or []), *[0] * (size - len(row or []))]
        unit.addresses[key] = at
    address = unit.addresses[key]
    register = low.constant_register("ConstI", address, "i")
    return Value(Listing(region=region), (register,), asked=("data", address))


@constant(list)
def constant_list(low: Lowering, found: list[Any]) -> Value:
    """A list of a module."""
    region = region_of_module(low, found, "list")
    values = [value_of(low, item, "an item of a list") for item in found]
    for value in values:
        low.hold(region, value.type)
    made = in_data(low, id(found), region, values)
    if made is None:
        low.refuse("constant", "a list of the module holds more than numbers, texts, tuples and lists")
    return made

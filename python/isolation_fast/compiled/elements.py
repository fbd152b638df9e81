"""The elements of lists: put into words and taken out of them; lists of constants.

A list is the address of a header in the arena; its elements lie one after the other, a word for each register of their
type. A list of constants that nobody writes into stands in the program's data.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from isolation_fast.compiled.code import Register, bits
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.types import (
    FLOAT,
    MIXED,
    NEVER,
    NONE,
    NOTHING,
    NUM,
    PLACE,
    TEXT,
    WHOLE,
    Constant,
    Container,
    Listing,
    Optional,
    Region,
    Tuple,
    Type,
    Value,
    join,
    plain,
)


def loaded(low: Lowering, kind: Type, address: Register) -> Value:
    """The element at an address."""
    row = tuple(
        low.made("LoadF" if letter == "f" else "LoadI", address, offset, kind=letter)
        for offset, letter in enumerate(kind.layout)
    )
    return NOTHING if kind is NONE else Value(kind, row)


def stored(low: Lowering, kind: Type, address: Register, value: Value) -> None:
    """Put an element at an address."""
    for offset, register in enumerate(low.row(low.converted(value, kind))):
        low.emit("StoreF" if register.kind == "f" else "StoreI", address, offset, register)


def new_list(low: Lowering, region: Region) -> Register:
    """The handle of an empty list."""
    return low.made("ListNew", max(1, len(region.element.layout)))


def pushed(low: Lowering, region: Region, handle: Register, value: Value) -> None:
    """Put an element at the end of a list."""
    value = low.bound(value)
    low.hold(region, value.type)
    value = low.converted(value, region.element) if region.element is not NEVER else value
    stored(low, value.type, low.made("ListPush", handle), value)


def listed(low: Lowering, values: Sequence[Value], word: str, node: ast.AST | None = None) -> Value:
    """A new list of these values."""
    region = low.region(word, node=node)
    for value in values:
        low.hold(region, value.type)
    if not region.is_changed:
        kept = in_data(low, region, values)
        if kept is not None:
            return Value(Listing(region), (kept,))
    handle = new_list(low, region)
    for value in values:
        pushed(low, region, handle, value)
    return Value(Listing(region), (handle,))


def listed_if_alike(low: Lowering, parts: Sequence[Value]) -> Value | None:
    """The same for the parts of a tuple, if they are of one type."""
    kind: Type = NEVER
    for part in parts:
        kind = join(kind, plain(part.type))
    if kind is MIXED or not kind.layout:
        return None
    return listed(low, parts, "parts")


# ---- constants


def in_data(low: Lowering, region: Region, values: Sequence[Value]) -> Register | None:
    """The handle of a list of constants in the program's data; None if it has to be made at run time."""
    rows = [words(low, region.element, value) for value in values]
    if None in rows:
        return None
    unit = low.unit
    # Lists that may be told apart by `is` are no lists that compile: equal constants can share their place.
    key = (region, repr(rows))
    if key not in unit.addresses:
        size = max(1, len(region.element.layout))
        at = len(unit.data)
        unit.data += [len(values), len(values), at + 4, size]
        for row in rows:
            unit.data += [*(row or []), *[0] * (size - len(row or []))]
        unit.addresses[key] = at
    register = low.number(unit.addresses[key])
    unit.placed[register] = unit.addresses[key]
    return register


def words(low: Lowering, kind: Type, value: Value) -> list[int] | None:
    """A constant as the words of an element; None for what is not constant."""
    if isinstance(kind, Optional):
        if value.type is NONE:
            return [-1] if kind == PLACE else [0] * len(kind.layout)
        inner = words(low, kind.of, value)
        return None if inner is None else inner if kind == PLACE else [1, *inner]
    if isinstance(kind, Tuple):
        if value.parts is None:
            return None
        parts = [words(low, part, each) for part, each in zip(kind.parts, value.parts, strict=True)]
        return None if None in parts else [word for part in parts for word in part or ()]
    if isinstance(kind, Container):
        return [low.unit.placed[value.row[0]]] if value.row and value.row[0] in low.unit.placed else None
    if not kind.layout:
        return [] if value.type == kind else None
    if not isinstance(value.type, Constant):
        return None
    if kind is TEXT:
        return [low.text_number(value.constant)]
    if kind is FLOAT:
        return [bits(float(value.constant))]
    if kind is NUM:
        if isinstance(value.constant, int) and abs(value.constant) > 2**53:
            low.refuse("list", "a list holds floats and an integer beyond 2 ** 53: use floats")
        return [int(isinstance(value.constant, float)), bits(float(value.constant))]
    return [int(value.constant)] if kind in WHOLE else None

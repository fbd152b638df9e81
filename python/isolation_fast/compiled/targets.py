"""What is assigned to: names, items, and targets that take a value apart."""

from __future__ import annotations

import ast

from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.tables import METHODS, Call, family
from isolation_fast.compiled.types import CELL, INT, NUMBERS, Known, Listing
from isolation_fast.compiled.values import Value, parts_of


def method_called(low: Lowering, receiver: Value, name: str, arguments: list[Value]) -> Value:
    """The result of a method that a statement calls."""
    handler = METHODS.get((family(receiver.type), name))
    if handler is None:
        low.refuse("index", f"{receiver.type.label} is indexed or changed: use a list")
    return handler(low, receiver, Call(low.at, arguments, {}))  # type: ignore[arg-type]


def assign(low: Lowering, target: ast.expr, value: Value) -> None:
    """Bind a target, taking the value apart where it is a list of targets."""
    if isinstance(target, ast.Name):
        if isinstance(value.type, Known) and value.type.label == "an iterator":
            low.refuse("iterator", f"{target.id} is bound to an iterator: make a list of it", target)
        low.assign(target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(low, target, value)
    elif isinstance(target, ast.Subscript):
        container = low.present(low.value(target.value))
        method_called(low, container, "__setitem__", [low.value(target.slice), value])
    else:
        low.refuse("assignment", "an attribute is assigned: use a variable", target)


def _unpack(low: Lowering, target: ast.Tuple | ast.List, value: Value) -> None:
    count = len(target.elts)
    starred = [place for place, one in enumerate(target.elts) if isinstance(one, ast.Starred)]
    value = low.present(value)
    if value.type is CELL:
        value = low.pair(value)
    if value.parts is None and isinstance(value.type, Listing) and not starred:
        long = method_called(low, value, "__len__", [])
        low.bail_if("JumpNeI", low.one(long), low.constant_register("ConstI", count, "i"))
        indices = [Value(INT, None, constant=place) for place in range(count)]
        parts = tuple(method_called(low, value, "__getitem__", [index]) for index in indices)
    elif parts_of(value) is not None:
        parts = parts_of(value) or ()
    elif value.type in NUMBERS:
        raise low.bail()
    else:
        low.refuse("assignment", f"{value.type.label} is taken apart: take a tuple or a list apart", target)
    if starred:
        low.refuse("assignment", "a star takes the rest: name each part", target)
    if len(parts) != count:
        raise low.bail()
    parts = tuple(map(low.settled, parts))
    for one, part in zip(target.elts, parts, strict=True):
        assign(low, one, part)

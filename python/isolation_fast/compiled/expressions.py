"""Expressions: constants, names, tuples, attributes and indices."""

from __future__ import annotations

import ast
import random
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final

from isolation_fast.compiled.code import WORD
from isolation_fast.compiled.comparing import contained
from isolation_fast.compiled.elements import listed
from isolation_fast.compiled.lowering import (
    ATTRIBUTES,
    BUILTINS,
    METHODS,
    Call,
    Lowering,
    Stream,
    expression,
    family,
    is_stream,
    method,
)
from isolation_fast.compiled.types import (
    CELL,
    GAME,
    INT,
    NONE,
    NOTHING,
    NUMBERS,
    PLAYER,
    SOME_TEXT,
    UNKNOWN,
    WHOLE,
    Form,
    Known,
    Listing,
    Method,
    Unset,
    Value,
    constant,
    known,
    tuple_of,
)

LONGEST: Final = 64
"""A longer tuple of a module is read as a list would be."""
WRITTEN_OUT: Final = 16
"""A tuple of more parts, all of one type, is indexed as a list."""


# ---- objects of the module


def value_of(low: Lowering, found: Any, name: str) -> Value:
    """An object that was found in a module or a closure, as a value."""
    kind = type(found)
    if found is None:
        return NOTHING
    if kind in (bool, int, float, str):
        if kind is int and not -WORD <= found < WORD:
            low.refuse("constant", f"{name} has more than 64 bits: use a smaller number")
        return constant(found)
    if kind is tuple and len(found) <= LONGEST:
        low.scope.source.constant(found)
        return tuple_of(tuple(value_of(low, part, name) for part in found))
    handler = CONSTANTS.get(kind)
    if handler is not None:
        return handler(low, found)
    if id(found) in BUILTINS:
        return known(found, "a builtin")
    if kind in (FunctionType, ModuleType):
        return known(found, "a function" if kind is FunctionType else "a module")
    return low.refuse("object", _instead_of(found, name))


CONSTANTS: Final[dict[type, Any]] = {}
"""How a list, set or dict of a module becomes a value."""


def _instead_of(found: Any, name: str) -> str:
    """What to write instead of something that only Python knows."""
    owner = getattr(found, "__module__", None) or type(found).__module__
    if found is print:
        return "print is left to Python: leave it out"
    if str(owner).partition(".")[0] == "numpy":
        return f"{name} is numpy's: use plain numbers and the module math"
    of_random = isinstance(getattr(found, "__self__", None), random.Random)
    if owner == "random" or isinstance(found, random.Random) or of_random:
        return f"{name} is a matter of chance: let the value depend on the board alone"
    if isinstance(found, type) and owner != "builtins":
        return f"{name} is a class: write functions instead"
    if isinstance(found, (type, BuiltinFunctionType)):
        return f"{name} is left to Python: do without it"
    return f"{name} is an object of class {type(found).__name__}: use numbers, lists and tuples"


@expression(ast.Constant)
def lower_constant(low: Lowering, node: ast.Constant) -> Value:
    """A number, a text, None."""
    if node.value is Ellipsis or isinstance(node.value, (bytes, complex)):
        low.refuse("constant", f"the constant {node.value!r} is left to Python: use numbers")
    return value_of(low, node.value, "a constant")


@expression(ast.JoinedStr)
def lower_text(low: Lowering, node: ast.JoinedStr) -> Value:
    """A text that is put together of numbers and texts is of no use to a program."""
    for each in node.values:
        if isinstance(each, ast.FormattedValue):
            plain = each.format_spec is None and low.value(each.value).kind in (*NUMBERS, SOME_TEXT.type)
            if not plain:
                low.refuse("text", "a text is put together: leave it out")
    return SOME_TEXT


@expression(ast.Name)
def lower_name(low: Lowering, node: ast.Name) -> Value:
    """A variable, or something of the module."""
    return read(low, node.id)


def read(low: Lowering, name: str) -> Value:
    """The value of a name."""
    scope = low.scope.binding(name)
    if scope is None:
        if low.scope.is_declared_global(name) and low.scope.source.is_of_closure(name):
            low.refuse("global", f"{name} is a global and a variable around: name one otherwise")
        try:
            found = low.scope.source.lookup(name)
        except KeyError:
            raise low.bail() from None
        return value_of(low, found, name)
    if scope.holds(name):
        value = scope.held[name]
        if isinstance(value.type, Unset):
            value = low.bound(value)
        return value
    key = scope.variable(name)
    env = low.reached()
    if key not in env:
        raise low.bail()
    value = env[key]
    low.unmixed(value, f"{name} is sometimes one type, sometimes another: use two variables", "variable")
    if isinstance(value.type, Unset):
        value = low.bound(value)
        low.bind_all({key: value})
    return value


@expression(ast.Tuple)
def lower_tuple(low: Lowering, node: ast.Tuple) -> Value:
    """A tuple, with stars in it too."""
    parts = tuple(spread(low, node.elts))
    for part in parts:
        low.refuse_iterator(part)
    return tuple_of(parts)


def spread(low: Lowering, nodes: list[ast.expr]) -> list[Value]:
    """The values of expressions; a starred tuple counts as its parts."""
    values: list[Value] = []
    for node in nodes:
        if not isinstance(node, ast.Starred):
            values.append(low.value(node))
            continue
        value = low.present(low.value(node.value))
        items = items_of(low, value)
        if items is None:
            low.refuse("star", f"a star before {value.type.label}: write its items one by one", node)
        values += items
    return values


def items_of(low: Lowering, value: Value) -> tuple[Value, ...] | None:
    """The items of a tuple, or of what gives items that are known."""
    if value.type is CELL:
        value = low.pair(value)
    if isinstance(value.type, Known) and isinstance(value.type.value, Stream):
        return value.type.value.items
    return value.parts


@expression(ast.NamedExpr)
def lower_named(low: Lowering, node: ast.NamedExpr) -> Value:
    """`name := value`."""
    value = low.value(node.value)
    scope = low.scope
    # In a comprehension the name is the function's.
    while not isinstance(scope.node, (ast.FunctionDef, ast.Lambda)) and scope.outer is not None:
        scope = scope.outer
    if scope is not low.scope:
        low.unit.effects += 1
    with low.within(scope, low.path):
        low.assign(node.target.id, value)
    return value


# ---- attributes


@expression(ast.Attribute)
def lower_attribute(low: Lowering, node: ast.Attribute) -> Value:
    """An attribute of a module, a board; or a method, to be called."""
    value = low.present(low.value(node.value))
    low.at = node
    if isinstance(value.type, Known) and not is_stream(value):
        return _attribute_of(low, value.type.value, node)
    word = family(value.kind)
    handler = ATTRIBUTES.get((word, node.attr))
    if handler is not None:
        return handler(low, value)
    if (word, node.attr) in METHODS:
        return Value(Method(value.type, node.attr), value.row)
    if value.type is PLAYER:
        low.refuse("player", f"the player's attribute {node.attr} is read: compute it from the board")
    if value.type is NONE:
        raise low.bail()
    article = value.type.label if value.type is not GAME else "the board"
    return low.refuse("attribute", f"{node.attr} of {article} is left to Python: use the board's methods")


def _attribute_of(low: Lowering, owner: Any, node: ast.Attribute) -> Value:
    if isinstance(owner, ModuleType):
        try:
            found = low.scope.source.attribute(owner, node.attr)
        except KeyError:
            raise low.bail() from None
        return value_of(low, found, f"{owner.__name__}.{node.attr}")
    return low.refuse("attribute", f"{ast.unparse(node)[:40]} is left to Python: use a function or a number")


# ---- indices


@expression(ast.Subscript)
def lower_subscript(low: Lowering, node: ast.Subscript) -> Value:
    """`container[index]`."""
    container = low.present(low.value(node.value))
    if isinstance(node.slice, ast.Slice):
        bounds = [
            NOTHING if bound is None else low.bound(low.value(bound))
            for bound in (node.slice.lower, node.slice.upper, node.slice.step)
        ]
        low.at = node
        return _slice(low, container, bounds)
    index = low.value(node.slice)
    low.at = node
    return item_of(low, container, index)


def item_of(low: Lowering, container: Value, index: Value) -> Value:
    """`container[index]` of values."""
    if container.type is CELL or container.parts is not None:
        return _part(low, container, low.present(index))
    handler = METHODS.get((family(container.kind), "__getitem__"))
    if handler is None:
        if container.kind in NUMBERS or container.type is NONE:
            raise low.bail()
        low.refuse("index", f"{container.type.label} is indexed: use a list or a tuple")
    return handler(low, container, Call([index]))


def _slice(low: Lowering, container: Value, bounds: list[Value]) -> Value:
    if container.type is CELL:
        container = low.pair(container)
    if container.parts is not None:
        if not all(bound.is_constant for bound in bounds):
            low.refuse("slice", "a tuple is sliced by what is not constant: use a list")
        try:
            return tuple_of(container.parts[slice(*(bound.constant for bound in bounds))])
        except (TypeError, ValueError):
            raise low.bail() from None
    handler = METHODS.get((family(container.kind), "__slice__"))
    if handler is None:
        if container.kind in NUMBERS or container.type is NONE:
            raise low.bail()
        low.refuse("slice", f"{container.type.label} is sliced: use a list")
    return handler(low, container, Call(bounds))


def _part(low: Lowering, container: Value, index: Value) -> Value:
    """A part of a tuple."""
    if index.kind not in WHOLE:
        raise low.bail()
    if container.type is CELL:
        if index.is_constant and -2 <= index.constant < 2:
            name = "RowOf" if index.constant in (0, -2) else "ColOf"
            return Value(INT, (low.pure(name, container.one),))
        container = low.pair(container)
    parts = container.parts
    assert parts is not None
    if index.is_constant:
        try:
            part: Value = parts[index.constant]
        except IndexError:
            raise low.bail() from None
        return part
    return _part_at(low, parts, index)


def _part_at(low: Lowering, parts: tuple[Value, ...], index: Value) -> Value:
    if not parts:
        raise low.bail()
    if len(parts) > WRITTEN_OUT:
        return low.prelude("item_at", tuple_of(parts), index)
    ways = []
    for place, part in enumerate(parts):
        for wanted in (place, place - len(parts)):
            edge = low.jump("JumpEqI", index.one, low.number(wanted))
            ways.append(([edge], lambda part=part: part))
    low.bail()
    message = "a tuple of different types is indexed by what is not constant: use two variables"
    return low.unmixed(low.either(ways), message, "index")


# ---- targets


def assign(low: Lowering, target: ast.expr, value: Value) -> None:
    """Bind a target, taking the value apart where it is a list of targets."""
    if isinstance(target, ast.Name):
        low.assign(target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(low, target, value)
    elif isinstance(target, ast.Subscript):
        container = low.present(low.value(target.value))
        if isinstance(target.slice, ast.Slice):
            low.refuse("slice", "a slice is assigned: make a new list", target)
        index = low.value(target.slice)
        low.at = target
        method_called(low, container, "__setitem__", [index, value])
    else:
        low.refuse("assignment", "an attribute is assigned: use a variable", target)


def method_called(low: Lowering, receiver: Value, name: str, arguments: list[Value]) -> Value:
    """The result of a method that a statement calls."""
    handler = METHODS.get((family(receiver.kind), name))
    if handler is None:
        if receiver.kind in NUMBERS or receiver.type is NONE or family(receiver.kind) == "tuple":
            raise low.bail()
        low.refuse("index", f"{receiver.type.label} is indexed or changed: use a list")
    return handler(low, receiver, Call(arguments))


def _unpack(low: Lowering, target: ast.Tuple | ast.List, value: Value) -> None:
    count = len(target.elts)
    value = low.present(value)
    items = items_of(low, value)
    if any(isinstance(one, ast.Starred) for one in target.elts):
        items = _with_rest(low, target, items)
    elif items is None and isinstance(value.type, Listing):
        long = method_called(low, value, "__len__", [])
        low.bail_if("JumpNeI", low.one(long), low.number(count))
        items = tuple(item_of(low, value, constant(place)) for place in range(count))
    if items is None:
        if value.kind in NUMBERS:
            raise low.bail()
        low.refuse("assignment", f"{value.type.label} is taken apart: take a tuple or a list apart", target)
    if len(items) != count:
        raise low.bail()
    for one, part in zip(target.elts, items, strict=True):
        assign(low, one.value if isinstance(one, ast.Starred) else one, part)


def _with_rest(low: Lowering, target: ast.Tuple | ast.List, items: tuple[Value, ...] | None) -> tuple[Value, ...]:
    """The items for each target, those for the star as a list."""
    if items is None:
        low.refuse("assignment", "a star takes the rest of a list: name each part", target)
    place = next(place for place, one in enumerate(target.elts) if isinstance(one, ast.Starred))
    after = len(target.elts) - place - 1
    if len(items) < place + after:
        raise low.bail()
    rest = listed(low, items[place : len(items) - after], "rest", target)
    return (*items[:place], rest, *items[len(items) - after :])


# ---- tuples as methods


def tuple_parts(low: Lowering, value: Value) -> tuple[Value, ...]:
    """The parts of a tuple, or of a cell."""
    parts = (low.pair(value) if value.type is CELL else value).parts
    assert parts is not None
    return parts


@method("tuple", "__len__")
def tuple_length(low: Lowering, value: Value) -> Value:
    """How many parts there are."""
    return constant(len(tuple_parts(low, value)))


@method("tuple", "__contains__", takes=("item",))
def tuple_contains(low: Lowering, value: Value, item: Value) -> Value:
    """`item in tuple`."""
    return contained(low, item, tuple_of(tuple_parts(low, value)))


@method("tuple", "index", "count", takes=("item",))
def tuple_search(low: Lowering, value: Value, item: Value) -> Value:
    """Searched as a list."""
    del value, item
    return low.refuse("index", "a tuple is searched: make a list of it")


@method("tuple", "__mult__", "__rmult__", takes=("times",))
def tuple_times(low: Lowering, value: Value, times: Value) -> Value:
    """A tuple, so many times."""
    if times.kind not in WHOLE:
        raise low.bail()
    if times.constant is UNKNOWN or int(times.constant) * len(tuple_parts(low, value)) > LONGEST:
        low.refuse("tuple", "a tuple is repeated: make it a list")
    return tuple_of(tuple_parts(low, value) * int(times.constant))


def is_cells(value: Value) -> bool:
    """Whether it is a list of the board's, which may be kept as a set of cells."""
    return isinstance(value.type, Listing) and value.type.region.form < Form.LIST

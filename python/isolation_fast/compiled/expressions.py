"""Expressions: constants, names, tuples, attributes and indices; and the elements of lists."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterable, Sequence
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from isolation_fast.compiled.code import WORD, Register, bits
from isolation_fast.compiled.comparing import contained
from isolation_fast.compiled.flow import LARGEST
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
from isolation_fast.compiled.source import Unread
from isolation_fast.compiled.types import (
    CELL,
    FLOAT,
    GAME,
    INT,
    MIXED,
    NEVER,
    NONE,
    NOTHING,
    NUM,
    NUMBERS,
    PLACE,
    PLAYER,
    SOME_TEXT,
    STRING,
    TEXT,
    UNKNOWN,
    WHOLE,
    Constant,
    Container,
    Known,
    Listing,
    Method,
    Optional,
    Region,
    Tuple,
    Type,
    Unset,
    Value,
    constant,
    join,
    plain,
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
    if type(kind) is not type:
        # A class of classes may have an `==` of its own, by which a class of theirs equals a builtin one.
        low.refuse("object", _instead_of(found, name))
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
        return Value(Known("a builtin", found))
    if kind in (FunctionType, ModuleType):
        return Value(Known("a function" if kind is FunctionType else "a module", found))
    return low.refuse("object", found.why if kind is Unread else _instead_of(found, name))


CONSTANTS: Final[dict[type, Callable[[Lowering, Any], Value]]] = {}
"""How a list, set or dict of a module becomes a value."""


def _instead_of(found: Any, name: str) -> str:
    """What to write instead of something that only Python knows."""
    # An object of somebody's class may run code when an attribute of it is read.
    plain = any(type(found) is each for each in (type, FunctionType, BuiltinFunctionType, MethodType))
    owner = (getattr(found, "__module__", None) if plain else None) or type(found).__module__
    if found is print:
        return "print is left to Python: leave it out"
    if str(owner).partition(".")[0] == "numpy":
        return f"{name} is numpy's: use plain numbers and the module math"
    of_random = plain and isinstance(getattr(found, "__self__", None), random.Random)
    if owner == "random" or issubclass(type(found), random.Random) or of_random:
        return f"{name} is a matter of chance: let the value depend on the board alone"
    if issubclass(type(found), type) and owner != "builtins":
        return f"{name} is a class: write functions instead"
    if type(found) in (type, BuiltinFunctionType):
        return f"{name} is left to Python: do without it"
    return f"{name} is an object of class {type(found).__name__}: use numbers, lists and tuples"


@expression(ast.Constant)
def _constant(low: Lowering, node: ast.Constant) -> Value:
    """A number, a text, None."""
    if node.value is Ellipsis or isinstance(node.value, (bytes, complex)):
        low.refuse("constant", f"the constant {node.value!r} is left to Python: use numbers")
    return value_of(low, node.value, "a constant")


@expression(ast.JoinedStr)
def _text(low: Lowering, node: ast.JoinedStr) -> Value:
    """A text that is put together of numbers and texts is of no use to a program."""
    for each in node.values:
        if not isinstance(each, ast.FormattedValue):
            continue
        if each.format_spec is not None or low.value(each.value).kind not in (*NUMBERS, STRING):
            low.refuse("text", "a text is put together: leave it out")
    return SOME_TEXT


@expression(ast.Name)
def _name(low: Lowering, node: ast.Name) -> Value:
    """A variable, or something of the module."""
    name = node.id
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
        return low.bound(scope.held[name])
    key = scope.variable(name)
    value = low.reached().get(key)
    if value is None:
        raise low.bail()
    if is_stream(value) and low.kept.get(key, low.unit.effects) != low.unit.effects:
        low.refuse("iterator", "something is changed before an iterator is walked over: make a list of it")
    low.unmixed(value, f"{name} is sometimes one type, sometimes another: use two variables", "variable")
    if isinstance(value.type, Unset):
        value = low.bound(value)
        low.bind_all({key: value})
    return value


@expression(ast.Tuple)
def _tuple(low: Lowering, node: ast.Tuple) -> Value:
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
    if isinstance(value.type, Known) and isinstance(value.type.value, Stream):
        return value.type.value.items
    return tuple_parts(low, value)


def tuple_parts(low: Lowering, value: Value) -> tuple[Value, ...] | None:
    """The parts of a tuple, or of a cell."""
    return (low.pair(value) if value.type is CELL else value).parts


@expression(ast.NamedExpr)
def _named(low: Lowering, node: ast.NamedExpr) -> Value:
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
def _attribute(low: Lowering, node: ast.Attribute) -> Value:
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
def _subscript(low: Lowering, node: ast.Subscript) -> Value:
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
    return method_called(low, container, "__getitem__", [index], "indexed: use a list or a tuple")


def _slice(low: Lowering, container: Value, bounds: list[Value]) -> Value:
    parts = tuple_parts(low, container)
    if parts is None:
        return method_called(low, container, "__slice__", bounds, "sliced: use a list", "slice")
    if not all(bound.is_constant for bound in bounds):
        low.refuse("slice", "a tuple is sliced by what is not constant: use a list")
    try:
        return tuple_of(parts[slice(*(bound.constant for bound in bounds))])
    except (TypeError, ValueError):
        raise low.bail() from None


def _part(low: Lowering, container: Value, index: Value) -> Value:
    """A part of a tuple."""
    if index.kind not in WHOLE:
        raise low.bail()
    if container.type is CELL and index.is_constant and -2 <= index.constant < 2:
        name = "RowOf" if index.constant in (0, -2) else "ColOf"
        return Value(INT, (low.pure(name, container.one),))
    parts = tuple_parts(low, container) or ()
    if not index.is_constant:
        return _part_at(low, parts, index)
    if not -len(parts) <= index.constant < len(parts):
        raise low.bail()
    return parts[int(index.constant)]


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


def method_called(
    low: Lowering,
    receiver: Value,
    name: str,
    arguments: list[Value],
    what: str = "indexed or changed: use a list",
    construct: str = "index",
) -> Value:
    """The result of a method that Python calls."""
    handler = METHODS.get((family(receiver.kind), name))
    if handler is not None:
        return handler(low, receiver, Call(arguments))
    if receiver.kind in NUMBERS or receiver.type is NONE or family(receiver.kind) == "tuple":
        raise low.bail()
    return low.refuse(construct, f"{receiver.type.label} is {what}")


# ---- tuples as methods


@method("tuple", "__mult__", "__rmult__", takes=("times",))
def _repeated(low: Lowering, value: Value, times: Value) -> Value:
    if times.kind not in WHOLE:
        raise low.bail()
    parts = tuple_parts(low, value) or ()
    if times.constant is UNKNOWN or int(times.constant) * len(parts) > LONGEST:
        low.refuse("tuple", "a tuple is repeated: make it a list")
    return tuple_of(parts * int(times.constant))


@method("tuple", "index", "count", takes=("item",))
def _searched(low: Lowering, _value: Value, _item: Value) -> Value:
    return low.refuse("index", "a tuple is searched: make a list of it")


method("text", "__len__")(
    lambda low, value: (
        constant(len(value.constant))
        if value.is_constant
        else low.refuse("len", "len of a text that is not constant: do without")
    )
)
method("tuple", "__len__")(lambda low, value: constant(len(tuple_parts(low, value) or ())))
method("tuple", "__contains__", takes=("item",))(lambda low, value, item: contained(low, item, value))


# ---- the elements of lists
#
# A list is the address of a header in the arena; its elements lie one after the other, a word for each
# register of their type. A list of constants that nobody writes into stands in the program's data.


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
    """A new list of these values: in the program's data, if they are constants and nobody changes it."""
    region = low.region(word, node=node)
    for value in values:
        low.hold(region, value.type)
    handle = None if region.is_changed else in_data(low, region, values)
    if handle is not None:
        return Value(Listing(region), (handle,))
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
        return inner if inner is None or kind == PLACE else [1, *inner]
    if isinstance(kind, Tuple):
        if value.parts is None:
            return None
        parts = [words(low, part, each) for part, each in zip(kind.parts, value.parts, strict=True)]
        return None if None in parts else [word for part in parts for word in part or ()]
    if isinstance(kind, Container):
        return [low.unit.placed[value.row[0]]] if value.row and value.row[0] in low.unit.placed else None
    if not kind.layout:
        return [] if value.type == kind else None
    return _words_of_one(low, kind, value.constant) if isinstance(value.type, Constant) else None


def _words_of_one(low: Lowering, kind: Type, found: Any) -> list[int] | None:
    """A number or a text as words."""
    if kind is TEXT:
        return [low.text_number(found)]
    if kind is FLOAT:
        return [bits(float(found))]
    if kind is NUM:
        if isinstance(found, int) and abs(found) > LARGEST:
            low.refuse("list", "a list holds floats and an integer beyond 2 ** 53: use floats")
        return [int(isinstance(found, float)), bits(float(found))]
    return [int(found)] if kind in WHOLE else None


def are_different(values: Iterable[Value]) -> bool:
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

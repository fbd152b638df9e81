"""Expressions: constants, names, tuples, attributes, indices, and values that depend on a condition."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from isolation_fast.compiled.assembly import WORD
from isolation_fast.compiled.conditions import branch, contained, truth
from isolation_fast.compiled.flow import Edge
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.tables import ATTRIBUTES, BUILTINS, CONSTANTS, METHODS, Call, expression, family
from isolation_fast.compiled.types import (
    CELL,
    GAME,
    INT,
    MIXED,
    NONE,
    NUMBERS,
    PLAYER,
    WHOLE,
    Known,
    Method,
    Optional,
    Unset,
)
from isolation_fast.compiled.values import NOTHING, Value, known, number, text, tuple_of

MOST_PARTS: Final = 64
"""A longer tuple of a module is read as a list would be."""


def value_of(low: Lowering, found: Any, name: str) -> Value:
    """An object that was found in a module or a closure, as a value."""
    kind = type(found)
    if type(kind) is not type:
        # A class of classes may have an `==` of its own, by which a class of theirs equals a builtin one.
        low.refuse("object", _instead_of(found, name))
    if found is None:
        return NOTHING
    if kind in (bool, int, float):
        if kind is int and not -WORD <= found < WORD:
            low.refuse("constant", f"{name} has more than 64 bits: use a smaller number")
        return number(found)
    if kind is str:
        return text(found)
    if kind is tuple and len(found) <= MOST_PARTS:
        low.scope.source.constant(found)
        return tuple_of(tuple(value_of(low, part, name) for part in found))
    if kind in CONSTANTS:
        return CONSTANTS[kind](low, found)
    if _is_builtin(found):
        return known(found, "a builtin")
    if kind in (FunctionType, ModuleType):
        return known(found, "a function" if kind is FunctionType else "a module")
    return low.refuse("object", _instead_of(found, name))


def _instead_of(found: Any, name: str) -> str:
    """What to write instead of something that only Python knows."""
    # An object of somebody's class may run code when an attribute of it is read.
    plain = any(type(found) is each for each in (type, FunctionType, BuiltinFunctionType, MethodType))
    owner = (getattr(found, "__module__", None) if plain else None) or type(found).__module__
    if found is print:
        return "print is left to Python: leave it out"
    if owner.partition(".")[0] == "numpy":
        return f"{name} is numpy's: use plain numbers and the module math"
    if (
        owner == "random"
        or issubclass(type(found), random.Random)
        or (plain and isinstance(getattr(found, "__self__", None), random.Random))
    ):
        return f"{name} is a matter of chance: let the value depend on the board alone"
    if issubclass(type(found), type) and owner != "builtins":
        return f"{name} is a class: write functions instead"
    if type(found) in (type, BuiltinFunctionType):
        return f"{name} is left to Python: do without it"
    return f"{name} is an object of class {type(found).__name__}: use numbers, lists and tuples"


def _is_builtin(found: Any) -> bool:
    # Others may have an `==` of their own.
    return type(found) in (type, BuiltinFunctionType) and found in BUILTINS


@expression(ast.Constant)
def lower_constant(low: Lowering, node: ast.Constant) -> Value:
    """A number, a text, None."""
    if node.value is Ellipsis or isinstance(node.value, (bytes, complex)):
        low.refuse("constant", f"the constant {node.value!r} is left to Python: use numbers")
    return value_of(low, node.value, "a constant")


@expression(ast.JoinedStr)
def lower_text(low: Lowering, node: ast.JoinedStr) -> Value:
    """A text that is put together is of no use to a program, if what is in it raises nothing."""
    del node
    low.refuse("text", "a text is put together: leave it out")


@expression(ast.Name)
def lower_name(low: Lowering, node: ast.Name) -> Value:
    """A variable, or something of the module."""
    scope = low.scope.binding(node.id)
    if scope is not None and scope.has_ended:
        low.refuse("closure", f"{node.id} outlives the call that bound it: pass it as an argument", node)
    if scope is None:
        if low.scope.is_declared_global(node.id) and low.scope.source.is_of_closure(node.id):
            low.refuse("global", f"{node.id} is a global and a variable around: name one otherwise", node)
        try:
            found = low.scope.source.lookup(node.id)
        except KeyError:
            raise low.bail() from None
        return value_of(low, found, node.id)
    key = scope.variable(node.id)
    env = low.reached()
    if key not in env:
        raise low.bail()
    value = env[key]
    if value.type is MIXED:
        low.refuse("variable", f"{node.id} is sometimes one type, sometimes another: use two variables", node)
    if isinstance(value.type, Unset):
        value = low.bound(value)
        low.reached()[key] = value
    return value


@expression(ast.Tuple)
def lower_tuple(low: Lowering, node: ast.Tuple) -> Value:
    """A tuple, with stars in it too."""
    parts = tuple(low.kept(part) for part in spread(low, node.elts))
    for part in parts:
        low.refuse_iterator(part)
    return tuple_of(parts)


def spread(low: Lowering, nodes: list[ast.expr]) -> list[Value]:
    """The values of expressions; a starred tuple counts as its parts."""
    values: list[Value] = []
    for node in nodes:
        if not isinstance(node, ast.Starred):
            values.append(low.kept(low.value(node)))
            continue
        value = low.present(low.value(node.value))
        if value.type is CELL:
            value = low.pair(value)
        if value.parts is None:
            low.refuse("star", f"a star before {value.type.label}: write its items one by one", node)
        values += map(low.kept, value.parts)
    return values


@expression(ast.NamedExpr)
def lower_named(low: Lowering, node: ast.NamedExpr) -> Value:
    """`name := value`."""
    value = low.settled(low.value(node.value))
    scope = low.scope
    # In a comprehension the name is the function's.
    while not isinstance(scope.node, (ast.FunctionDef, ast.Lambda)) and scope.outer is not None:
        scope = scope.outer
    if scope is not low.scope:
        low.unit.effects += 1
    with low.within(scope):
        low.assign(node.target.id, value)
    return value


@expression(ast.IfExp)
def lower_choice(low: Lowering, node: ast.IfExp) -> Value:
    """`a if test else b`."""
    true, false = branch(low, node.test)
    arms: list[tuple[list[Edge], Callable[[], Value]]] = [
        (true, lambda: low.value(node.body)),
        (false, lambda: low.value(node.orelse)),
    ]
    return _unmixed(low, low.either(id(node), [arm for arm in arms if arm[0]]), node)


@expression(ast.BoolOp)
def lower_chain(low: Lowering, node: ast.BoolOp) -> Value:
    """`a and b`, `a or b`: the value of the one that decides."""
    every = isinstance(node.op, ast.And)
    arms: list[tuple[list[Edge], Callable[[], Value]]] = []
    for place, operand in enumerate(node.values):
        if place == len(node.values) - 1:
            arms.append(([low.leave()], partial(low.value, operand)))
            break
        value = low.settled(low.value(operand))
        true, false = truth(low, value)
        on, off = (true, false) if every else (false, true)
        if off:
            arms.append((off, partial(_itself, _decided(low, value, every))))
        low.enter(on)
        if low.env is None:
            break
    return _unmixed(low, low.either(id(node), arms), node)


def _itself(value: Value) -> Value:
    return value


def _decided(low: Lowering, value: Value, every: bool) -> Value:
    """What a value is known to be where it decided."""
    if isinstance(value.type, Optional) and not every:
        row = low.row(value)
        return Value(CELL, row) if value.type.of is CELL else low.held(value.type.of, row[1:])
    return value


def _unmixed(low: Lowering, value: Value, node: ast.expr) -> Value:
    if value.type is MIXED:
        low.refuse("type", "the values to choose from are of different types: use one type", node)
    return value


# ---- attributes and indices


@expression(ast.Attribute)
def lower_attribute(low: Lowering, node: ast.Attribute) -> Value:
    """An attribute of a module, a board; or a method, to be called."""
    value = low.present(low.value(node.value))
    low.at = node
    if isinstance(value.type, Known):
        return _attribute_of(low, value.type.value, node)
    word = family(value.type)
    handler = ATTRIBUTES.get((word, node.attr))
    if handler is not None:
        return handler(low, value)
    if (word, node.attr) in METHODS:
        return Value(Method(of=value.type, name=node.attr), low.row(low.settled(value)))
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


@expression(ast.Subscript)
def lower_subscript(low: Lowering, node: ast.Subscript) -> Value:
    """`container[index]`."""
    container = low.kept(low.present(low.value(node.value)))
    if isinstance(node.slice, ast.Slice):
        return _slice(low, container, node.slice)
    index = low.value(node.slice)
    low.at = node
    if container.type is CELL or container.parts is not None:
        return _part(low, container, low.present(index))
    handler = METHODS.get((family(container.type), "__getitem__"))
    if handler is None:
        if container.type in NUMBERS or container.type is NONE:
            raise low.bail()
        low.refuse("index", f"{container.type.label} is indexed: use a list or a tuple")
    return handler(low, container, Call(node, [index], {}))  # type: ignore[arg-type]


def _slice(low: Lowering, container: Value, node: ast.Slice) -> Value:
    bounds = [
        NOTHING if bound is None else low.kept(low.value(bound))
        for bound in (node.lower, node.upper, node.step)
    ]
    if any(bound.is_constant and bound.type is not NONE and bound.type not in WHOLE for bound in bounds):
        raise low.bail()
    if container.type is CELL:
        container = low.pair(container)
    if container.parts is not None:
        if not all(bound.is_constant for bound in bounds):
            low.refuse("slice", "a tuple is sliced by what is not constant: use a list", node)
        if bounds[2].constant == 0:
            raise low.bail()
        return tuple_of(container.parts[slice(*(bound.constant for bound in bounds))])
    handler = METHODS.get((family(container.type), "__slice__"))
    if handler is None:
        low.refuse("slice", f"{container.type.label} is sliced: use a list", node)
    return handler(low, container, Call(low.at, bounds, {}))  # type: ignore[arg-type]


def _part(low: Lowering, container: Value, index: Value) -> Value:
    """A part of a tuple."""
    if index.type not in WHOLE:
        raise low.bail()
    if container.type is CELL:
        if index.is_constant and -2 <= index.constant < 2:
            name = "RowOf" if index.constant in (0, -2) else "ColOf"
            return Value(INT, (low.pure(name, low.one(container)),))
        container = low.pair(container)
    parts = container.parts
    assert parts is not None
    if index.is_constant:
        try:
            part: Value = parts[index.constant]
            return part
        except IndexError:
            raise low.bail() from None
    if len(parts) > MOST_PARTS:
        low.refuse("index", "a long tuple is indexed: use a list")
    register = low.one(index)
    arms: list[tuple[list[Edge], Callable[[], Value]]] = []
    for place, part in enumerate(parts):
        for wanted in (place, place - len(parts)):
            at = low.constant_register("ConstI", wanted, "i")
            arms.append(([low.jump("JumpEqI", register, at)], partial(_itself, part)))
    low.bail()
    value = low.either(("part", id(low.at)), arms)
    if value.type is MIXED:
        low.refuse(
            "index", "a tuple of different types is indexed by what is not constant: use two variables"
        )
    return value


# ---- tuples as methods


def tuple_parts(low: Lowering, value: Value) -> tuple[Value, ...]:
    """The parts of a tuple, or of a cell."""
    if value.type is CELL:
        value = low.pair(value)
    assert value.parts is not None
    return value.parts


def _tuple_length(low: Lowering, value: Value, _call: Call) -> Value:
    return number(len(tuple_parts(low, value)))


def _tuple_contains(low: Lowering, value: Value, call: Call) -> Value:
    return contained(low, call.arguments[0], tuple_of(tuple_parts(low, value)))


METHODS["tuple", "__len__"] = _tuple_length
METHODS["tuple", "__contains__"] = _tuple_contains

"""Comparisons: which of two values comes first, whether they are equal, and what a container has in it."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, Final

from isolation_fast.compiled.flow import Edge
from isolation_fast.compiled.lowering import METHODS, Call, Lowering, expression, family, is_stream
from isolation_fast.compiled.operators import SOMETIMES, if_none, is_none, length, truth, truth_from
from isolation_fast.compiled.scalars import Scalar, of_python
from isolation_fast.compiled.types import (
    BOOL,
    CELL,
    FALSE,
    GAME,
    MIXED,
    NEVER,
    NONE,
    NUMBERS,
    PLACES,
    PLAYER,
    STATE,
    STRING,
    TEXT,
    TRUE,
    WHOLE,
    Closure,
    Fixed,
    Grouping,
    Known,
    Listing,
    Mapping,
    Method,
    Optional,
    Tuple,
    Value,
    constant,
)

ALONE: Final = (FunctionType, ModuleType)
"""What is always one and the same object."""
ORDERS: Final[dict[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


@expression(ast.Compare)
def lower_compare(low: Lowering, node: ast.Compare) -> Value:
    """Comparisons, several in a chain too."""
    left = low.value(node.left)
    false: list[Edge] = []
    for place, (op, comparator) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = low.value(comparator)
        low.at = node
        last = compared(low, op, left, right)
        left = right
        if place == len(node.ops) - 1:
            break
        true, off = truth(low, last)
        false += off
        low.enter(true)
        if low.env is None:
            break
    if not false and low.env is not None:
        return last
    return low.either([(false, lambda: FALSE), (low.left(), lambda: last)])


def compared(low: Lowering, op: ast.cmpop, left: Value, right: Value) -> Value:
    """One comparison."""
    left, right = low.bound(left), low.bound(right)
    for value in (left, right):
        low.unmixed(value, SOMETIMES)
    if isinstance(op, (ast.Is, ast.IsNot)):
        return _negated(low, _identical(low, left, right), isinstance(op, ast.IsNot))
    if isinstance(op, (ast.In, ast.NotIn)):
        return _negated(low, contained(low, left, right), isinstance(op, ast.NotIn))
    if left.is_constant and right.is_constant and NONE not in (left.type, right.type):
        try:
            return constant(bool(ORDERS[type(op)](left.constant, right.constant)))
        except TypeError:
            raise low.bail() from None
    is_scalar = isinstance(left.type, Scalar) or isinstance(right.type, Scalar)
    if isinstance(op, (ast.Eq, ast.NotEq)):
        found = _negated(low, equal(low, left, right), isinstance(op, ast.NotEq))
    else:
        if isinstance(op, (ast.Gt, ast.GtE)):
            left, right = right, left
        found = less(low, left, right, or_equal=isinstance(op, (ast.LtE, ast.GtE)))
    return Value(Scalar(BOOL), low.row(found)) if is_scalar else found


def _negated(low: Lowering, value: Value, negate: bool) -> Value:
    if not negate:
        return value
    if value.is_constant:
        return constant(not value.constant)
    return truth_from(low, "IsZero", value.one)


def _identical(low: Lowering, left: Value, right: Value) -> Value:
    if NONE in (left.type, right.type):
        return is_none(low, right if left.type is NONE else left)
    kinds = {left.kind, right.kind}
    if kinds in ({PLAYER}, {GAME}, {BOOL}):
        return equal(low, left, right)
    for one, other in ((left, right), (right, left)):
        # Each time that a function is defined inside another one it is a new one.
        if not isinstance(one.type, Known) or is_stream(one):
            continue
        if not isinstance(other.type, (Known, Closure)) or isinstance(one.type.value, ALONE):
            return constant(one.type == other.type)
    return low.refuse("is", "`is` compares what is not None: write == instead")


def equal(low: Lowering, left: Value, right: Value, *, inside: bool = False) -> Value:
    """Whether two values are equal; `inside` a list or tuple, where one NaN equals itself."""
    left, right = _unwrapped(low, left, right)
    for one, other in ((left, right), (right, left)):
        if one.type is NONE:
            return is_none(low, other)
        if isinstance(one.type, Optional):
            return _equal_optional(low, one, other, inside)
    if left.kind in NUMBERS and right.kind in NUMBERS:
        return _equal_numbers(low, left, right, inside=inside)
    if left.is_constant and right.is_constant:
        return constant(bool(left.constant == right.constant))
    kinds = (left.type, right.type)
    if kinds in ((CELL, CELL), (PLAYER, PLAYER), (GAME, GAME)):
        return truth_from(low, "EqI", left.one, right.one)
    if left.kind is right.kind is TEXT:
        return truth_from(low, "EqI", low.one(left), low.one(right))
    if PLAYER in kinds or STRING in kinds:
        low.refuse("==", f"{left.type.label} is compared with {right.type.label}: compare numbers or players")
    if TEXT in (left.kind, right.kind):
        return FALSE
    return _equal_composed(low, left, right)


def _unwrapped(low: Lowering, left: Value, right: Value) -> tuple[Value, Value]:
    """Numbers of numpy's as Python's, to be compared with numbers."""
    if isinstance(left.type, Scalar) or isinstance(right.type, Scalar):
        one, other = of_python(left), of_python(right)
        if one.kind not in NUMBERS or other.kind not in NUMBERS:
            low.refuse("numpy", "numpy's is compared with what is no number: compare numbers")
        return one, other
    return left, right


def refuse_long_tuple(low: Lowering, *values: Value) -> None:
    """A tuple that is kept as a list is told from a list by nobody."""
    if any(isinstance(each.type, Listing) and each.type.region.is_frozen for each in values):
        low.refuse("tuple", "a tuple of no fixed length is compared, joined or copied: use a list")


def _equal_composed(low: Lowering, left: Value, right: Value) -> Value:
    """Whether two are equal of which one at least is no number."""
    left, right = (low.pair(each) if each.type is CELL else each for each in (left, right))
    refuse_long_tuple(low, left, right)
    if isinstance(left.type, Fixed) or isinstance(right.type, Fixed):
        low.refuse("==", "lists of different things are compared: compare their items one by one")
    if left.parts is not None and right.parts is not None:
        return _equal_parts(low, left.parts, right.parts)
    if isinstance(left.type, Listing) and isinstance(right.type, Listing):
        if NEVER in (left.type.region.element, right.type.region.element):
            return equal(low, length(low, left), length(low, right))
        return low.prelude("equal_lists", left, right)
    if type(left.type) is type(right.type) and isinstance(left.type, (Grouping, Mapping)):
        low.refuse("==", "two sets or dicts are compared: compare their lengths, or item by item")
    for each in (left, right):
        if isinstance(each.type, (Known, Method, Closure)) or each.type in (STATE, PLACES):
            low.refuse("==", f"{each.type.label} is compared: compare numbers, tuples or players")
    return FALSE


def _equal_numbers(low: Lowering, left: Value, right: Value, *, inside: bool) -> Value:
    if left.kind in WHOLE and right.kind in WHOLE:
        if left.is_constant and right.is_constant:
            return constant(bool(left.constant == right.constant))
        return truth_from(low, "EqI", low.one(left), low.one(right))
    floats = [low.as_float(each, exact=True) for each in (left, right)]
    for each in floats if inside else ():
        low.bail_if("JumpNeF", each, each)
    return truth_from(low, "EqF", *floats)


def _equal_optional(low: Lowering, one: Value, other: Value, inside: bool) -> Value:
    none = if_none(low, one)
    return low.either(
        [
            ([low.leave()], lambda: equal(low, low.inside(one), other, inside=inside)),
            ([none], lambda: is_none(low, other)),
        ]
    )


def _equal_parts(low: Lowering, left: tuple[Value, ...], right: tuple[Value, ...]) -> Value:
    if len(left) != len(right):
        return FALSE
    result = TRUE
    for one, other in zip(left, right, strict=True):
        same = equal(low, one, other, inside=True)
        if same.is_constant and not same.constant:
            return FALSE
        if result.is_constant:
            result = same
        elif not same.is_constant:
            result = truth_from(low, "AndI", result.one, same.one)
    return result


def less(low: Lowering, left: Value, right: Value, *, or_equal: bool = False) -> Value:
    """Whether one value comes before another."""
    left, right = _unwrapped(low, low.present(left), low.present(right))
    if left.kind in NUMBERS and right.kind in NUMBERS:
        if left.is_constant and right.is_constant:
            return constant(
                (left.constant <= right.constant) if or_equal else (left.constant < right.constant)
            )
        if left.kind in WHOLE and right.kind in WHOLE:
            return truth_from(low, "LeI" if or_equal else "LtI", low.one(left), low.one(right))
        floats = [low.as_float(each, exact=True) for each in (left, right)]
        return truth_from(low, "LeF" if or_equal else "LtF", *floats)
    left, right = (low.pair(each) if each.type is CELL else each for each in (left, right))
    if left.parts is not None and right.parts is not None and type(left.type) is type(right.type) is Tuple:
        return _less_parts(low, left.parts, right.parts, or_equal)
    kinds = (left.kind, right.kind)
    if isinstance(left.type, (Listing, Grouping, Fixed)) or any(
        kind in (PLAYER, TEXT, STRING, MIXED) for kind in kinds
    ):
        low.refuse("<", f"{left.type.label} is ordered against {right.type.label}: compare numbers")
    raise low.bail()


def _less_parts(low: Lowering, left: tuple[Value, ...], right: tuple[Value, ...], or_equal: bool) -> Value:
    """The first parts that differ decide."""
    if not left or not right:
        return constant(len(left) <= len(right) if or_equal else len(left) < len(right))
    same = equal(low, left[0], right[0], inside=True)
    if len(left) == len(right) == 1 and left[0].kind in NUMBERS:
        return less(low, left[0], right[0], or_equal=or_equal)
    true, false = truth(low, same)
    return low.either(
        [
            (true, lambda: _less_parts(low, left[1:], right[1:], or_equal)),
            (false, lambda: less(low, left[0], right[0])),
        ]
    )


def contained(low: Lowering, item: Value, container: Value) -> Value:
    """Whether a container has an item."""
    container = low.present(container)
    if container.type is CELL:
        container = low.pair(container)
    if is_stream(container):
        return low.prelude("is_in", item, container)
    if container.parts is None:
        handler = METHODS.get((family(container.type), "__contains__"))
        if handler is None:
            if container.kind in NUMBERS or container.kind in (NONE, GAME):
                raise low.bail()
            low.refuse("in", f"`in` {container.type.label} is left to Python: use a list or a tuple")
        return handler(low, container, Call([item]))
    found = FALSE
    for part in container.parts:
        same = equal(low, part, item, inside=True)
        if same.is_constant:
            if same.constant:
                return TRUE
        elif found.is_constant:
            found = same
        else:
            found = truth_from(low, "OrI", found.one, same.one)
    return found

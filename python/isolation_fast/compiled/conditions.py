"""Truth: what control goes by, what is known of a variable on each way, and comparisons."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Hashable
from types import FunctionType, ModuleType
from typing import Any, Final

from isolation_fast.compiled.arithmetic import as_float, signed
from isolation_fast.compiled.flow import Edge
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.tables import METHODS, Call, expression, family
from isolation_fast.compiled.types import (
    BOOL,
    CELL,
    FLOAT,
    GAME,
    MIXED,
    NEVER,
    NONE,
    NUM,
    NUMBERS,
    PLACES,
    PLAYER,
    STATE,
    TEXT,
    WHOLE,
    Grouping,
    Known,
    Listing,
    Mapping,
    Method,
    Optional,
    Tuple,
    Unset,
)
from isolation_fast.compiled.values import FALSE, NOTHING, TRUE, Value, number

Ways = tuple[list[Edge], list[Edge]]
"""The edges on which something is true, and on which it is false."""

FOLDED: Final[dict[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


# ---- truth


def truth(low: Lowering, value: Value) -> Ways:
    """Where control goes by the truth of a value."""
    value = low.bound(value)
    if value.is_constant:
        return _certain(low, bool(value.constant))
    kind = value.type
    if isinstance(kind, Optional):
        return _truth_of_optional(low, value, kind)
    if kind in WHOLE:
        false_edge = low.jump("JumpIfNot", low.one(value))
        return [low.leave()], [false_edge]
    if kind is FLOAT or kind is NUM:
        zero = low.constant_register("ConstF", 0.0, "f")
        false_edge = low.jump("JumpEqF", low.row(value)[-1], zero)
        return [low.leave()], [false_edge]
    if isinstance(kind, Tuple):
        return _certain(low, bool(kind.parts))
    if kind in (CELL, GAME, NONE) or (isinstance(kind, Known) and kind.label != "an iterator"):
        return _certain(low, kind is not NONE)
    if isinstance(kind, (Listing, Grouping, Mapping)):
        return truth(low, length(low, value, for_truth=True))
    if isinstance(kind, Known):
        low.refuse(
            "truth", "what can only be walked over is used as a truth: ask for that of a dict or a list"
        )
    return low.refuse("truth", f"{kind.label} is used as a truth: compare it with something")


def _truth_of_optional(low: Lowering, value: Value, kind: Optional) -> Ways:
    if kind.of is CELL:
        none = low.jump("JumpLtI", low.one(value), low.constant_register("ConstI", 0, "i"))
        return [low.leave()], [none]
    tag, *row = low.row(value)
    none = low.jump("JumpIfNot", tag)
    true, false = truth(low, low.held(kind.of, row))
    return true, [none, *false]


def length(low: Lowering, value: Value, *, for_truth: bool = False) -> Value:
    """`len` of a value."""
    value = low.present(value)
    if for_truth and value.asked is not None and value.asked[0] == "Moves":
        return Value(BOOL, (low.pure("CanMove", *value.asked[1:]),))
    handler = METHODS.get((family(value.type), "__len__"))
    if handler is None:
        if value.type in NUMBERS or value.type in (NONE, GAME):
            raise low.bail()
        low.refuse("len", f"len of {value.type.label} is left to Python: take that of a list")
    return handler(low, value, Call(low.at, [], {}))  # type: ignore[arg-type]


def _certain(low: Lowering, true: bool) -> Ways:
    edge = low.leave()
    return ([edge], []) if true else ([], [edge])


@expression(ast.UnaryOp)
def lower_unary(low: Lowering, node: ast.UnaryOp) -> Value:
    """`not x`, and signs."""
    if isinstance(node.op, ast.Not):
        true, false = branch(low, node.operand)
        return truth_value(low, (false, true), id(node))
    return signed(low, node.op, low.value(node.operand))


def truth_value(low: Lowering, ways: Ways, key: Hashable) -> Value:
    """True or False, by the way that control takes."""
    return low.either((key, "truth"), [(ways[0], lambda: TRUE), (ways[1], lambda: FALSE)])


def branch(low: Lowering, node: ast.expr) -> Ways:
    """Where control goes by the truth of an expression, and what is known of its variables there."""
    low.at = node
    if isinstance(node, ast.BoolOp):
        return _chain(low, node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        true, false = branch(low, node.operand)
        return false, true
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        ways = _none_test(low, node)
        if ways is not None:
            return ways
    value = low.value(node)
    ways = truth(low, value)
    if isinstance(value.type, Optional):
        _narrow(low, node, value, ways[0], present=True)
    return ways


def _chain(low: Lowering, node: ast.BoolOp) -> Ways:
    """`and` and `or`: the first that decides ends it."""
    every = isinstance(node.op, ast.And)
    decided: list[Edge] = []
    for operand in node.values:
        true, false = branch(low, operand)
        on, off = (true, false) if every else (false, true)
        decided += off
        if not on:
            return ([], decided) if every else (decided, [])
        if operand is node.values[-1]:
            return (on, decided) if every else (decided, on)
        low.enter(on)
        if low.env is None:
            return ([], decided) if every else (decided, [])
    raise AssertionError("no operand")


def _none_test(low: Lowering, node: ast.Compare) -> Ways | None:
    """A comparison with None, which tells what the variable holds on each way."""
    other = node.comparators[0]
    if not (isinstance(other, ast.Constant) and other.value is None):
        return None
    if not isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
        return None
    value = low.value(node.left)
    if isinstance(value.type, Unset):
        value = low.present(value)
    true, false = truth(low, _is_none(low, value))
    _narrow(low, node.left, value, true, present=False)
    _narrow(low, node.left, value, false, present=True)
    return (true, false) if isinstance(node.ops[0], (ast.Is, ast.Eq)) else (false, true)


def _narrow(low: Lowering, node: ast.expr, value: Value, edges: list[Edge], *, present: bool) -> None:
    """On these edges a variable is None, or is not."""
    name = node.target if isinstance(node, ast.NamedExpr) else node
    key = low.key(name.id) if isinstance(name, ast.Name) else None
    if key is None or not isinstance(value.type, Optional):
        return
    row = low.row(value)
    inner = Value(CELL, row) if value.type.of is CELL else low.held(value.type.of, row[1:])
    for edge in edges:
        held = edge.env.get(key)
        if held is not None and held.type == value.type and held.row == value.row:
            edge.env = {**edge.env, key: inner if present else NOTHING}


# ---- comparisons


@expression(ast.Compare)
def lower_compare(low: Lowering, node: ast.Compare) -> Value:
    """Comparisons, several in a chain too."""
    left = low.kept(low.value(node.left))
    if len(node.ops) == 1:
        return compared(low, node.ops[0], left, low.value(node.comparators[0]))
    false: list[Edge] = []
    for place, (op, comparator) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = low.kept(low.value(comparator))
        value = compared(low, op, left, right)
        left = right
        if place == len(node.ops) - 1:
            last = value
            break
        true, off = truth(low, value)
        false += off
        low.enter(true)
        if low.env is None:
            last = FALSE
            break
    arms: list[tuple[list[Edge], Callable[[], Value]]] = [(false, lambda: FALSE)]
    if low.env is not None:
        arms.append(([low.leave()], lambda: last))
    return low.either(id(node), arms)


def compared(low: Lowering, op: ast.cmpop, left: Value, right: Value) -> Value:
    """One comparison."""
    for value in (left, right):
        if value.type is MIXED:
            low.refuse("type", "a variable holds sometimes one type, sometimes another: use two variables")
    if isinstance(op, (ast.Is, ast.IsNot)):
        return _negated(low, _identical(low, left, right), isinstance(op, ast.IsNot))
    left, right = (low.present(each) if isinstance(each.type, Unset) else each for each in (left, right))
    if isinstance(op, (ast.In, ast.NotIn)):
        return _negated(low, contained(low, left, right), isinstance(op, ast.NotIn))
    if left.is_constant and right.is_constant and NONE not in (left.type, right.type):
        try:
            return number(bool(FOLDED[type(op)](left.constant, right.constant)))
        except TypeError:
            raise low.bail() from None
    if isinstance(op, (ast.Eq, ast.NotEq)):
        return _negated(low, equal(low, left, right), isinstance(op, ast.NotEq))
    if isinstance(op, (ast.Gt, ast.GtE)):
        left, right = right, left
    return less(low, left, right, or_equal=isinstance(op, (ast.LtE, ast.GtE)))


def _negated(low: Lowering, value: Value, negate: bool) -> Value:
    if not negate:
        return value
    if value.is_constant:
        return number(not value.constant)
    return Value(BOOL, (low.pure("IsZero", low.one(value)),))


def _is_none(low: Lowering, value: Value) -> Value:
    if not isinstance(value.type, Optional):
        if value.type is MIXED:
            low.refuse("type", "a variable holds sometimes one type, sometimes another: use two variables")
        return number(value.type is NONE)
    if value.type.of is CELL:
        return Value(BOOL, (low.pure("LtI", low.one(value), low.constant_register("ConstI", 0, "i")),))
    return Value(BOOL, (low.pure("IsZero", low.row(value)[0]),))


def _identical(low: Lowering, left: Value, right: Value) -> Value:
    left, right = (low.present(each) if isinstance(each.type, Unset) else each for each in (left, right))
    if NONE in (left.type, right.type):
        return _is_none(low, right if left.type is NONE else left)
    kinds = {left.type, right.type}
    if kinds <= {PLAYER} or kinds <= {GAME} or kinds == {BOOL}:
        return equal(low, left, right)
    for one, other in ((left, right), (right, left)):
        # Each time that a function is defined inside another one it is a new one.
        if isinstance(one.type, Known) and (
            one.type != other.type or isinstance(one.type.value, (FunctionType, ModuleType))
        ):
            return number(one.type == other.type)
    return low.refuse("is", "`is` compares what is not None: write == instead")


def equal(low: Lowering, left: Value, right: Value, *, inside: bool = False) -> Value:
    """Whether two values are equal; `inside` a list or tuple, where one NaN equals itself."""
    for one, other in ((left, right), (right, left)):
        if one.type is NONE:
            return _is_none(low, other)
        if isinstance(one.type, Optional):
            return _equal_optional(low, one, other)
    kinds = (left.type, right.type)
    if left.type in NUMBERS and right.type in NUMBERS:
        return _equal_numbers(low, left, right, inside=inside)
    if left.is_constant and right.is_constant:
        return number(bool(left.constant == right.constant))
    if kinds in ((CELL, CELL), (PLAYER, PLAYER), (GAME, GAME)):
        return Value(BOOL, (low.pure("EqI", low.one(left), low.one(right)),))
    if PLAYER in kinds or TEXT in kinds:
        low.refuse("==", f"{left.type.label} is compared with {right.type.label}: compare numbers or players")
    left, right = (low.pair(each) if each.type is CELL else each for each in (left, right))
    if left.parts is not None and right.parts is not None:
        return _equal_parts(low, left.parts, right.parts)
    return _equal_containers(low, left, right)


def _equal_containers(low: Lowering, left: Value, right: Value) -> Value:
    """Whether two are equal of which one at least is no number."""
    if isinstance(left.type, Listing) and isinstance(right.type, Listing):
        return _equal_lists(low, left, right)
    for kind in (Grouping, Mapping):
        if isinstance(left.type, kind) and isinstance(right.type, kind):
            low.refuse("==", "two sets or dicts are compared: compare their lengths, or item by item")
    for one in (left, right):
        if isinstance(one.type, (Known, Method)) or one.type in (STATE, PLACES):
            low.refuse("==", f"{one.type.label} is compared: compare numbers, tuples or players")
    return FALSE


def _equal_numbers(low: Lowering, left: Value, right: Value, *, inside: bool) -> Value:
    if left.type in WHOLE and right.type in WHOLE:
        return Value(BOOL, (low.pure("EqI", low.one(left), low.one(right)),))
    floats = [as_float(low, each, exact=True) for each in (left, right)]
    for each in floats if inside else ():
        low.bail_if("JumpNeF", each, each)
    return Value(BOOL, (low.pure("EqF", *floats),))


def _equal_optional(low: Lowering, one: Value, other: Value) -> Value:
    assert isinstance(one.type, Optional)
    key = ("equal", id(low.at), *low.row(one))
    none = _is_none(low, one)
    inner = Value(CELL, one.row) if one.type.of is CELL else low.held(one.type.of, low.row(one)[1:])
    true, false = truth(low, none)
    return low.either(
        key,
        [(true, lambda: _is_none(low, other)), (false, lambda: equal(low, inner, other))],
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
            result = Value(BOOL, (low.pure("AndI", low.one(result), low.one(same)),))
    return result


def _equal_lists(low: Lowering, left: Value, right: Value) -> Value:
    for one, other in ((left, right), (right, left)):
        if isinstance(one.type, Listing) and one.type.region.element is NEVER:
            return equal(low, length(low, other), number(0))
    return low.refuse("==", "two lists are compared: compare their lengths, or their items one by one")


def less(low: Lowering, left: Value, right: Value, *, or_equal: bool = False) -> Value:
    """Whether one value comes before another."""
    left, right = low.present(left), low.present(right)
    if left.type in NUMBERS and right.type in NUMBERS:
        if left.type in WHOLE and right.type in WHOLE:
            return Value(BOOL, (low.pure("LeI" if or_equal else "LtI", low.one(left), low.one(right)),))
        floats = [as_float(low, each, exact=True) for each in (left, right)]
        return Value(BOOL, (low.pure("LeF" if or_equal else "LtF", *floats),))
    left, right = (low.pair(each) if each.type is CELL else each for each in (left, right))
    if left.parts is not None and right.parts is not None:
        return _less_parts(low, left.parts, right.parts, or_equal)
    if (
        isinstance(left.type, (Listing, Grouping))
        or PLAYER in (left.type, right.type)
        or TEXT in (left.type, right.type)
    ):
        low.refuse("<", f"{left.type.label} is ordered against {right.type.label}: compare numbers")
    raise low.bail()


def _less_parts(low: Lowering, left: tuple[Value, ...], right: tuple[Value, ...], or_equal: bool) -> Value:
    """The first parts that differ decide."""
    if not left or not right:
        return number(len(left) <= len(right) if or_equal else len(left) < len(right))
    same = equal(low, left[0], right[0], inside=True)
    if len(left) == len(right) == 1 and left[0].type in NUMBERS:
        return less(low, left[0], right[0], or_equal=or_equal)
    true, false = truth(low, same)
    return low.either(
        ("less", id(low.at), len(left)),
        [
            (true, lambda: _less_parts(low, left[1:], right[1:], or_equal)),
            (false, lambda: less(low, left[0], right[0])),
        ],
    )


def contained(low: Lowering, item: Value, container: Value) -> Value:
    """Whether a container has an item."""
    container = low.present(container)
    if container.parts is None:
        handler = METHODS.get((family(container.type), "__contains__"))
        if handler is None:
            low.refuse("in", f"`in` {container.type.label} is left to Python: use a list or a tuple")
        return handler(low, container, Call(low.at, [item], {}))  # type: ignore[arg-type]
    found = FALSE
    for part in container.parts:
        same = equal(low, part, item, inside=True)
        if same.is_constant:
            if same.constant:
                return TRUE
        elif found.is_constant:
            found = same
        else:
            found = Value(BOOL, (low.pure("OrI", low.one(found), low.one(same)),))
    return found

"""Operators: arithmetic of integers, floats, and what is an int or a float only at run time; truth.

A number that is an int or a float (`NUM`) is kept as a float with a mark. Its operators compute in floats;
where both were ints, the result is exact up to 2 ** 53, and beyond that the run ends. A zero of ints has no
sign, so 0.0 is added to it.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from isolation_fast.compiled.code import SMALL, WORD, Register
from isolation_fast.compiled.flow import LARGEST, Edge
from isolation_fast.compiled.lowering import METHODS, Call, Lowering, expression, family, is_stream
from isolation_fast.compiled.scalars import Scalar, of_python
from isolation_fast.compiled.types import (
    BOOL,
    CELL,
    FALSE,
    FLOAT,
    GAME,
    INT,
    NONE,
    NOTHING,
    NUM,
    NUMBERS,
    TEXT,
    TRUE,
    WHOLE,
    Closure,
    Grouping,
    Known,
    Listing,
    Mapping,
    Method,
    Optional,
    Tuple,
    Value,
    constant,
    tuple_of,
)

SAFE: Final = frozenset({"AddI", "SubI", "MulI", "AndI", "OrI", "XorI", "AddF", "SubF", "MulF"})
"""What never raises: it may be left out, or be done once."""
OPERATORS: Final[
    dict[type[ast.operator], tuple[str | None, str | None, Callable[[Any, Any], Any] | None]]
] = {
    ast.Add: ("AddI", "AddF", operator.add),
    ast.Sub: ("SubI", "SubF", operator.sub),
    ast.Mult: ("MulI", "MulF", operator.mul),
    ast.Div: (None, "DivF", operator.truediv),
    ast.FloorDiv: ("FloorDivI", "FloorDivF", operator.floordiv),
    ast.Mod: ("ModI", "ModF", operator.mod),
    ast.Pow: ("PowI", "PowF", operator.pow),
    ast.BitAnd: ("AndI", None, operator.and_),
    ast.BitOr: ("OrI", None, operator.or_),
    ast.BitXor: ("XorI", None, operator.xor),
    ast.LShift: ("ShlI", None, operator.lshift),
    ast.RShift: ("ShrI", None, operator.rshift),
    ast.MatMult: (None, None, operator.matmul),
}
"""Of integers, of floats, and of what is known while compiling."""
SOMETIMES: Final = "a variable holds sometimes one type, sometimes another: use two variables"
DIFFERENT: Final = "the values to choose from are of different types: use one type"
LARGEST_FOLDED: Final = 1_000
Ways = tuple[list[Edge], list[Edge]]
"""The edges on which something is true, and on which it is false."""


# ---- arithmetic


def truth_from(low: Lowering, name: str, *operands: Register) -> Value:
    """The truth that an instruction gives."""
    return Value(BOOL, (low.pure(name, *operands),))


@expression(ast.BinOp)
def lower_binary(low: Lowering, node: ast.BinOp) -> Value:
    """An operator between two values."""
    left, right = low.value(node.left), low.value(node.right)
    low.at = node
    return operated(low, node.op, left, right)


def operand(low: Lowering, value: Value, op: ast.AST) -> Value:
    """A value that takes part in an operation: a number, or what has operators of its own."""
    message = f"`{type(op).__name__}` of what is sometimes one type, sometimes another: use two variables"
    return low.unmixed(low.present(value), message)


def operated(low: Lowering, op: ast.operator, left: Value, right: Value) -> Value:
    """The result of an operator."""
    left, right = operand(low, left, op), operand(low, right, op)
    if left.kind not in NUMBERS or right.kind not in NUMBERS:
        return _of_containers(low, op, left, right)
    if left.is_constant and right.is_constant:
        folded = _folded(op, left.constant, right.constant)
        if folded is not None:
            return constant(folded)
    kinds = {left.kind, right.kind}
    if kinds <= WHOLE and not isinstance(op, ast.Div):
        return _of_integers(low, op, left, right)
    name = OPERATORS[type(op)][1]
    if name is None:
        if NUM in kinds and FLOAT not in kinds:
            return _by_kind(low, op, left, right)
        raise low.bail()
    if isinstance(op, ast.Div) or NUM not in kinds or FLOAT in kinds:
        exact = isinstance(op, ast.Div) and FLOAT not in kinds
        make = low.pure if name in SAFE else low.made
        floats = (low.as_float(each, exact=exact) for each in (left, right))
        return Value(FLOAT, (make(name, *floats, kind="f"),))
    return _of_either(low, name, left, right) if name in SAFE else _by_kind(low, op, left, right)


def _folded(op: ast.operator, left: Any, right: Any) -> Any:
    function = OPERATORS[type(op)][2]
    if function is None or (isinstance(op, (ast.Pow, ast.LShift)) and abs(right) > LARGEST_FOLDED):
        return None
    try:
        result = function(left, right)
    except (ArithmeticError, TypeError, ValueError):
        return None
    if isinstance(result, complex) or (isinstance(result, int) and abs(result) >= WORD):
        return None
    return result


def _of_integers(low: Lowering, op: ast.operator, left: Value, right: Value) -> Value:
    if isinstance(op, ast.Pow) and right.is_constant:
        if right.constant < 0:
            return Value(FLOAT, (low.made("PowF", low.as_float(left), low.as_float(right), kind="f"),))
        if right.constant == 2:
            return Value(INT, (low.pure("MulI", low.one(left), low.one(left)),))
    if isinstance(op, (ast.Add, ast.Sub)):
        for one, other in ((left, right), (right, left)) if isinstance(op, ast.Add) else ((left, right),):
            if other.is_constant and abs(int(other.constant)) < SMALL:
                step = int(other.constant) if isinstance(op, ast.Add) else -int(other.constant)
                return Value(INT, (low.pure("AddN", low.one(one), step),))
    name = OPERATORS[type(op)][0]
    if name is None:
        low.refuse("operator", "this operator is left to Python: use + - * / // % **")
    kind = BOOL if left.kind is right.kind is BOOL and name in ("AndI", "OrI", "XorI") else INT
    make = low.pure if name in SAFE else low.made
    return Value(kind, (make(name, low.one(left), low.one(right)),))


def _of_either(low: Lowering, name: str, left: Value, right: Value) -> Value:
    """Of numbers that may both be ints at run time: computed in floats, checked where both are."""
    tags = [each.row[0] for each in (left, right) if each.kind is NUM]
    tag = tags[0] if len(tags) == 1 else low.pure("OrI", *tags)
    floats = [low.as_float(each, exact=True) for each in (left, right)]
    return _as_whole(low, tag, low.made(name, *floats, kind="f"))


def _as_whole(low: Lowering, tag: Register, result: Register) -> Value:
    """Where both were ints, so is the result: below 2 ** 53, and no zero has a sign.

    What is beyond 2 ** 53 may have been rounded to just that.
    """

    def checked() -> Value:
        low.bail_if("JumpLeF", low.number(LARGEST), low.pure("AbsF", result, kind="f"))
        return Value(FLOAT, (low.made("AddF", result, low.number(0.0), kind="f"),))

    is_float = low.jump("JumpIf", tag)
    found = low.either([([low.leave()], checked), ([is_float], lambda: Value(FLOAT, (result,)))])
    return Value(NUM, (tag, low.one(found)))


def _by_kind(low: Lowering, op: ast.operator, left: Value, right: Value) -> Value:
    """An operator done once for ints and once for floats, of numbers that are either at run time."""

    def done(part: Value) -> Value:
        return operated(low, op, part, right) if left.kind is NUM else operated(low, op, left, part)

    tag, content = left.row if left.kind is NUM else right.row
    is_float = low.jump("JumpIf", tag)
    return low.either(
        [
            ([low.leave()], lambda: done(Value(INT, (low.pure("TruncI", content),)))),
            ([is_float], lambda: done(Value(FLOAT, (content,)))),
        ]
    )


def _of_containers(low: Lowering, op: ast.operator, left: Value, right: Value) -> Value:
    """Operators of lists and sets are methods in the table; tuples are added here."""
    if NONE in (left.type, right.type):
        raise low.bail()
    one, other = (low.pair(each) if each.type is CELL else each for each in (left, right))
    if isinstance(op, ast.Add) and type(one.type) is type(other.type) is Tuple:
        return tuple_of((*(one.parts or ()), *(other.parts or ())))
    if left.kind is TEXT and left.is_constant and right.is_constant:
        folded = _folded(op, left.constant, right.constant) if isinstance(op, ast.Add) else None
        if isinstance(folded, str):
            return constant(folded)
    word = f"__{type(op).__name__.lower()}__"
    for receiver, name, given in ((left, word, right), (right, "__r" + word[2:], left)):
        handler = METHODS.get((family(receiver.kind), name))
        if handler is not None:
            return handler(low, receiver, Call([given]))
    what = f"an operator between {left.type.label} and {right.type.label} is left to Python: use numbers"
    return low.refuse("operator", what)


def signed(low: Lowering, op: ast.unaryop, value: Value) -> Value:
    """`-x`, `+x`, `~x`."""
    value = operand(low, value, op)
    if value.kind not in NUMBERS:
        raise low.bail()
    if value.is_constant and not isinstance(op, ast.Invert):
        return small_constant(low, -value.constant if isinstance(op, ast.USub) else +value.constant)
    if isinstance(op, ast.UAdd):
        return Value(INT, value.row) if value.kind is BOOL else value
    if isinstance(op, ast.Invert):
        if value.kind not in WHOLE:
            low.refuse("operator", "~ of a float raises: use it on integers")
        return Value(INT, (low.pure("NotI", low.one(value)),))
    if value.kind in WHOLE:
        return Value(INT, (low.pure("NegI", low.one(value)),))
    if value.kind is FLOAT:
        return Value(FLOAT, (low.pure("NegF", low.one(value), kind="f"),))
    tag, content = value.row
    return _as_whole(low, tag, low.made("NegF", content, kind="f"))


def small_constant(low: Lowering, value: float) -> Value:
    """A number that was computed while compiling: the run ends where it has more than 64 bits."""
    if isinstance(value, int) and abs(value) >= WORD:
        raise low.bail()
    return constant(value)


def magnitude(low: Lowering, value: Value) -> Value:
    """`abs(x)` of a number."""
    if value.is_constant:
        return small_constant(low, abs(value.constant))
    if value.kind in WHOLE:
        return Value(INT, (low.pure("AbsI", low.one(value)),))
    *tag, content = value.row
    return Value(value.kind, (*tag, low.pure("AbsF", content, kind="f")))


# ---- truth


def truth(low: Lowering, value: Value) -> Ways:
    """Where control goes by the truth of a value."""
    value = low.bound(value)
    if type(value.type) is Scalar:
        value = of_python(value)
    if value.is_constant:
        return _certain(low, bool(value.constant))
    kind = value.type
    if isinstance(kind, Optional):
        none = if_none(low, value)
        true, false = truth(low, low.inside(value))
        return true, [none, *false]
    if kind in WHOLE or kind is TEXT:
        false_edge = low.jump("JumpIfNot", value.one)
        return [low.leave()], [false_edge]
    if kind in (FLOAT, NUM):
        false_edge = low.jump("JumpEqF", value.row[-1], low.number(0.0))
        return [low.leave()], [false_edge]
    if isinstance(kind, Tuple):
        return _certain(low, bool(kind.parts))
    if is_stream(value):
        low.refuse(
            "truth", "what can only be walked over is used as a truth: ask for that of a dict or a list"
        )
    if kind in (CELL, GAME) or isinstance(kind, (Known, Closure, Method)):
        return _certain(low, True)
    if isinstance(kind, (Listing, Grouping, Mapping)):
        return truth(low, length(low, value, for_truth=True))
    low.unmixed(value, SOMETIMES)
    return low.refuse("truth", f"{kind.label} is used as a truth: compare it with something")


def if_none(low: Lowering, value: Value) -> Edge:
    """The edge on which an optional value is None."""
    assert isinstance(value.type, Optional)
    if value.type.of is CELL:
        return low.jump("JumpLtI", value.one, low.number(0))
    return low.jump("JumpIfNot", value.row[0])


def length(low: Lowering, value: Value, *, for_truth: bool = False) -> Value:
    """`len` of a value."""
    value = low.present(value)
    words = ("__bool__", "__len__") if for_truth else ("__len__",)
    handler = next(filter(None, (METHODS.get((family(value.kind), word)) for word in words)), None)
    if handler is None:
        if value.kind in NUMBERS or value.kind in (NONE, GAME):
            raise low.bail()
        low.refuse("len", f"len of {value.type.label} is left to Python: take that of a list")
    return handler(low, value, Call([]))


def _certain(low: Lowering, true: bool) -> Ways:
    edge = low.leave()
    return ([edge], []) if true else ([], [edge])


@expression(ast.UnaryOp)
def lower_unary(low: Lowering, node: ast.UnaryOp) -> Value:
    """`not x`, and signs."""
    if isinstance(node.op, ast.Not):
        value = low.bound(low.value(node.operand))
        if value.kind in WHOLE and not value.is_constant:
            return truth_from(low, "IsZero", value.one)
        true, false = truth(low, value)
        return truth_value(low, (false, true))
    return signed(low, node.op, low.value(node.operand))


def truth_value(low: Lowering, ways: Ways) -> Value:
    """True or False, by the way that control takes."""
    return low.either([(ways[0], lambda: TRUE), (ways[1], lambda: FALSE)])


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
    _narrow(low, node, value, ways[0], present=True)
    return ways


def _chain(low: Lowering, node: ast.BoolOp) -> Ways:
    """`and` and `or`: the first that decides ends it."""
    every = isinstance(node.op, ast.And)
    decided: list[Edge] = []
    on: list[Edge] = []
    for place, each in enumerate(node.values):
        if place:
            low.enter(on)
            if low.env is None:
                break
        true, false = branch(low, each)
        on, off = (true, false) if every else (false, true)
        decided += off
    return (on, decided) if every else (decided, on)


def is_none(low: Lowering, value: Value) -> Value:
    """Whether a value is None."""
    low.unmixed(value, SOMETIMES)
    if not isinstance(value.type, Optional):
        return constant(value.type is NONE)
    if value.type.of is CELL:
        return truth_from(low, "LtI", value.one, low.number(0))
    return truth_from(low, "IsZero", value.row[0])


def _none_test(low: Lowering, node: ast.Compare) -> Ways | None:
    """A comparison with None, which tells what the variable holds on each way."""
    other = node.comparators[0]
    if not (isinstance(other, ast.Constant) and other.value is None):
        return None
    if not isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
        return None
    value = low.bound(low.value(node.left))
    true, false = truth(low, is_none(low, value))
    _narrow(low, node.left, value, true, present=False)
    _narrow(low, node.left, value, false, present=True)
    return (true, false) if isinstance(node.ops[0], (ast.Is, ast.Eq)) else (false, true)


def _narrow(low: Lowering, node: ast.expr, value: Value, edges: list[Edge], *, present: bool) -> None:
    """On these edges a variable is None, or is not."""
    name = node.target if isinstance(node, ast.NamedExpr) else node
    if not isinstance(name, ast.Name) or not isinstance(value.type, Optional):
        return
    scope = low.scope.binding(name.id)
    if scope is None or scope.holds(name.id):
        return
    key = scope.variable(name.id)
    for edge in edges:
        found = edge.env.get(key)
        if found is not None and found.type == value.type and found.row == value.row:
            edge.env = {**edge.env, key: low.inside(value) if present else NOTHING}


@expression(ast.BoolOp)
def lower_chain(low: Lowering, node: ast.BoolOp) -> Value:
    """`a and b`, `a or b`: the value of the one that decides."""
    every = isinstance(node.op, ast.And)
    arms: list[tuple[list[Edge], Callable[[], Value]]] = []
    for each in node.values[:-1]:
        value = low.bound(low.value(each))
        true, false = truth(low, value)
        on, off = (true, false) if every else (false, true)
        decided = low.inside(value) if isinstance(value.type, Optional) and not every else value
        arms.append((off, lambda decided=decided: decided))  # type: ignore[misc]
        low.enter(on)
        if low.env is None:
            break
    else:
        arms.append(([low.leave()], lambda: low.value(node.values[-1])))
    found = low.either([arm for arm in arms if arm[0]])
    return low.unmixed(found, DIFFERENT)


@expression(ast.IfExp)
def lower_choice(low: Lowering, node: ast.IfExp) -> Value:
    """`a if test else b`."""
    true, false = branch(low, node.test)
    found = low.either([(true, lambda: low.value(node.body)), (false, lambda: low.value(node.orelse))])
    low.at = node
    return low.unmixed(found, DIFFERENT)

"""Numbers: the operators, for integers, floats, and what is an int or a float only at run time.

Such a number (`NUM`) is kept as a float with a mark. Its operators compute in floats; where both were ints,
the result is exact up to 2 ** 53, and beyond that the run ends. A zero of ints has no sign, so 0.0 is added
to it.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from isolation_fast.compiled.assembly import SMALL, WORD
from isolation_fast.compiled.lowering import Lowering
from isolation_fast.compiled.tables import METHODS, Call, expression, family
from isolation_fast.compiled.types import BOOL, FLOAT, INT, MIXED, NONE, NUM, NUMBERS, WHOLE
from isolation_fast.compiled.values import Value, number, tuple_of

LARGEST: Final = 2.0**53

INTEGERS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "AddI",
    ast.Sub: "SubI",
    ast.Mult: "MulI",
    ast.FloorDiv: "FloorDivI",
    ast.Mod: "ModI",
    ast.Pow: "PowI",
    ast.BitAnd: "AndI",
    ast.BitOr: "OrI",
    ast.BitXor: "XorI",
    ast.LShift: "ShlI",
    ast.RShift: "ShrI",
}
FLOATS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "AddF",
    ast.Sub: "SubF",
    ast.Mult: "MulF",
    ast.Div: "DivF",
    ast.FloorDiv: "FloorDivF",
    ast.Mod: "ModF",
    ast.Pow: "PowF",
}
# What never raises: it may be left out, or be done once.
SAFE: Final = frozenset("AddI SubI MulI AndI OrI XorI AddF SubF MulF".split())  # noqa: SIM905
FOLDED: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
LARGEST_FOLDED: Final = 1_000


def as_float(low: Lowering, value: Value, *, exact: bool = False) -> int:
    """The register of a number as a float; `exact` where Python compares or divides the integer itself."""
    if value.is_constant:
        constant = value.constant
        if isinstance(constant, float) or abs(constant) <= LARGEST:
            return low.constant_register("ConstF", float(constant), "f")
    if value.type is FLOAT or value.type is NUM:
        return low.row(value)[-1]
    return low.pure("IToFExact" if exact else "IToF", low.one(value), kind="f")


def operand(low: Lowering, value: Value, symbol: str) -> Value:
    """A value that takes part in an operation: a number, or what has operators of its own."""
    value = low.present(value)
    if value.type is MIXED:
        low.refuse("type", f"`{symbol}` of what is sometimes one type, sometimes another: use two variables")
    return value


@expression(ast.BinOp)
def lower_binary(low: Lowering, node: ast.BinOp) -> Value:
    """An operator between two values."""
    left = low.kept(low.value(node.left))
    right = low.value(node.right)
    low.at = node
    return operated(low, node.op, left, right)


def operated(low: Lowering, op: ast.operator, left: Value, right: Value) -> Value:
    """The result of an operator."""
    symbol = type(op).__name__
    left, right = operand(low, left, symbol), operand(low, right, symbol)
    if left.type not in NUMBERS or right.type not in NUMBERS:
        return _of_containers(low, op, left, right)
    if left.is_constant and right.is_constant:
        folded = _folded(op, left.constant, right.constant)
        if folded is not None:
            return number(folded)
    kinds = {left.type, right.type}
    if kinds <= WHOLE and not isinstance(op, ast.Div):
        return _of_integers(low, op, left, right)
    name = FLOATS.get(type(op))
    if name is None:
        if NUM in kinds:
            return by_kind(low, op, left, right)
        raise low.bail()
    if isinstance(op, ast.Div):
        exact = FLOAT not in kinds
        floats = [as_float(low, each, exact=exact) for each in (left, right)]
        return Value(FLOAT, (low.made(name, *floats, kind="f"),))
    if NUM not in kinds or FLOAT in kinds:
        floats = [as_float(low, each) for each in (left, right)]
        make = low.pure if name in SAFE else low.made
        return Value(FLOAT, (make(name, *floats, kind="f"),))
    if name in SAFE:
        return _of_either(low, name, left, right)
    return by_kind(low, op, left, right)


def _folded(op: ast.operator, left: Any, right: Any) -> Any:
    function = FOLDED.get(type(op))
    if function is None or (isinstance(op, ast.Pow) and abs(right) > LARGEST_FOLDED):
        return None
    try:
        result = function(left, right)
    except (ArithmeticError, TypeError):
        return None
    if isinstance(result, complex) or (isinstance(result, int) and abs(result) >= WORD):
        return None
    return result


def in_a_word(low: Lowering, value: float) -> Value:
    """A number that was computed while compiling; beyond 64 bits the run ends."""
    if isinstance(value, int) and not -WORD <= value < WORD:
        raise low.bail()
    return number(value)


def _of_integers(low: Lowering, op: ast.operator, left: Value, right: Value) -> Value:
    if isinstance(op, ast.Pow) and right.is_constant:
        if right.constant < 0:
            floats = [as_float(low, each) for each in (left, right)]
            return Value(FLOAT, (low.made("PowF", *floats, kind="f"),))
        if right.constant == 2:
            register = low.one(left)
            return Value(INT, (low.pure("MulI", register, register),))
    if isinstance(op, (ast.Add, ast.Sub)):
        for one, other in ((left, right), (right, left)) if isinstance(op, ast.Add) else ((left, right),):
            if other.is_constant and abs(int(other.constant)) < SMALL:
                step = int(other.constant) if isinstance(op, ast.Add) else -int(other.constant)
                return Value(INT, (low.pure("AddN", low.one(one), step),))
    name = INTEGERS.get(type(op))
    if name is None:
        low.refuse("operator", "this operator is left to Python: use + - * / // % **")
    kind = BOOL if left.type is right.type is BOOL and name in ("AndI", "OrI", "XorI") else INT
    make = low.pure if name in SAFE else low.made
    return Value(kind, (make(name, low.one(left), low.one(right)),))


def _of_either(low: Lowering, name: str, left: Value, right: Value) -> Value:
    """Of numbers that may both be ints at run time: computed in floats, checked where both are."""
    tags = [low.row(each)[0] for each in (left, right) if each.type is NUM]
    tag = tags[0] if len(tags) == 1 else low.pure("OrI", *tags)
    floats = [as_float(low, each, exact=True) for each in (left, right)]
    result = low.made(name, *floats, kind="f")
    _as_whole(low, tag, result)
    return Value(NUM, (tag, result))


def _as_whole(low: Lowering, tag: int, result: int) -> None:
    """Where both were ints, so is the result: below 2 ** 53, and no zero has a sign.

    What is beyond 2 ** 53 may have been rounded to just that.
    """
    limit = low.constant_register("ConstF", LARGEST, "f")
    zero = low.constant_register("ConstF", 0.0, "f")
    env = dict(low.reached())
    is_float = low.jump("JumpIf", tag)
    low.bail_if("JumpLeF", limit, low.pure("AbsF", result, kind="f"))
    low.emit("AddF", result, result, zero)
    on = low.leave()
    on.env = is_float.env = env
    low.enter([on, is_float])


def by_kind(low: Lowering, op: ast.operator, left: Value, right: Value) -> Value:
    """An operator done once for ints and once for floats, of numbers that are either at run time."""
    if left.type is NUM:
        return _by_kind_of(low, left, "left", lambda part: operated(low, op, part, right))
    return _by_kind_of(low, right, "right", lambda part: operated(low, op, left, part))


def _by_kind_of(low: Lowering, value: Value, side: str, done: Callable[[Value], Value]) -> Value:
    tag, content = low.row(value)
    is_float = low.jump("JumpIf", tag)
    is_int = low.leave()
    return low.either(
        ("kind", id(low.at), side),
        [
            ([is_int], lambda: done(Value(INT, (low.pure("TruncI", content),)))),
            ([is_float], lambda: done(Value(FLOAT, (content,)))),
        ],
    )


def _of_containers(low: Lowering, op: ast.operator, left: Value, right: Value) -> Value:
    """Operators of lists and sets are methods in the table; tuples are added here."""
    if isinstance(op, ast.Add) and left.parts is not None and right.parts is not None:
        return tuple_of((*left.parts, *right.parts))
    if NONE in (left.type, right.type):
        raise low.bail()
    word = f"__{type(op).__name__.lower()}__"
    handler = METHODS.get((family(left.type), word))
    if handler is not None:
        return handler(low, left, Call(low.at, [right], {}))  # type: ignore[arg-type]
    handler = METHODS.get((family(right.type), "__r" + word[2:]))
    if handler is not None:
        return handler(low, right, Call(low.at, [left], {}))  # type: ignore[arg-type]
    return low.refuse(
        "operator",
        f"an operator between {left.type.label} and {right.type.label} is left to Python: use numbers",
    )


def signed(low: Lowering, op: ast.unaryop, value: Value) -> Value:
    """`-x`, `+x`, `~x`."""
    value = operand(low, value, type(op).__name__)
    if value.type not in NUMBERS:
        raise low.bail()
    if value.is_constant and not isinstance(op, ast.Invert):
        constant = value.constant
        return in_a_word(low, -constant if isinstance(op, ast.USub) else +constant)
    if isinstance(op, ast.UAdd):
        return Value(INT, low.row(value)) if value.type is BOOL else value
    if isinstance(op, ast.Invert):
        if value.type not in WHOLE:
            low.refuse("operator", "~ of a float raises: use it on integers")
        return Value(INT, (low.pure("NotI", low.one(value)),))
    return negative(low, value)


def negative(low: Lowering, value: Value) -> Value:
    """`-x` of a number."""
    if value.type in WHOLE:
        return Value(INT, (low.pure("NegI", low.one(value)),))
    if value.type is FLOAT:
        return Value(FLOAT, (low.pure("NegF", low.one(value), kind="f"),))
    tag, content = low.row(value)
    result = low.made("NegF", content, kind="f")
    _as_whole(low, tag, result)
    return Value(NUM, (tag, result))


def magnitude(low: Lowering, value: Value) -> Value:
    """`abs(x)` of a number."""
    if value.type in WHOLE:
        return Value(INT, (low.pure("AbsI", low.one(value)),))
    if value.type is FLOAT:
        return Value(FLOAT, (low.pure("AbsF", low.one(value), kind="f"),))
    tag, content = low.row(value)
    return Value(NUM, (tag, low.pure("AbsF", content, kind="f")))

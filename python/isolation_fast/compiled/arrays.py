"""What numpy offers for numbers and for pairs of them, if somebody has imported it.

Left out is what differs between its versions and processors: powers, logarithms, sums of floats.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from types import FunctionType
from typing import Any, Final

from isolation_fast.compiled.expressions import item_of, tuple_parts
from isolation_fast.compiled.lowering import BUILTINS, Lowering, builtin, method
from isolation_fast.compiled.operators import magnitude, operated
from isolation_fast.compiled.scalars import Array, Scalar, of_python
from isolation_fast.compiled.types import FLOAT, INT, NEVER, WHOLE, Listing, Tuple, Value, tuple_of

OPERATIONS: Final = (ast.Add, ast.Sub, ast.Mult, ast.Div)
OTHERS: Final = "numpy is given what is no number and no short tuple of them: use plain numbers"


def _number(low: Lowering, value: Value) -> Value:
    """A number of whichever kind as one of Python's."""
    value = of_python(low.present(value))
    if value.kind not in (INT, FLOAT):
        low.refuse("numpy", OTHERS)
    return value


def _scalar(low: Lowering, value: Value) -> Value:
    """A result as a number of numpy's: the run ends where numpy would wrap or warn."""
    low.prelude("tame_integer" if value.kind in WHOLE else "tame_float", value)
    return Value(Scalar(value.kind), low.row(value))


def _numbers(low: Lowering, value: Value) -> tuple[Value, ...] | None:
    """Those of an array, or of what numpy makes one of."""
    return tuple_parts(low, of_python(low.present(value)))


def _computed(op: Any, low: Lowering, left: Value, right: Value) -> Value:
    """An operator between numbers, or item by item."""
    one, other = _numbers(low, left), _numbers(low, right)
    if one is None and other is None:
        return _scalar(low, operated(low, op(), _number(low, left), _number(low, right)))
    one, other = one or (left,) * len(other or ()), other or (right,) * len(one or ())
    if len(one) != len(other):
        low.refuse("numpy", OTHERS)
    return _array_of(low, [_computed(op, low, *pair) for pair in zip(one, other, strict=True)])


def _array_of(low: Lowering, parts: list[Value]) -> Value:
    parts = [_number(low, part) for part in parts]
    if any(part.kind is FLOAT for part in parts):
        parts = [Value(FLOAT, (low.as_float(part),)) for part in parts]
    if not parts:
        low.refuse("numpy", OTHERS)
    row = tuple(low.one(part) for part in parts)
    return Value(Array(Tuple(tuple(part.kind for part in parts))), row)


def _items(low: Lowering, value: Value) -> Value:
    """What is added up: integers, so that the order does not matter."""
    value = of_python(low.present(value))
    parts = tuple_parts(low, value)
    kinds = {part.kind for part in parts or ()}
    if isinstance(value.type, Listing):
        kinds = {value.type.region.element}
        if NEVER in kinds:
            raise low.bail()
    if kinds != {INT}:
        low.refuse("numpy", OTHERS)
    return value if parts is None else tuple_of(parts)


def _array(low: Lowering, value: Value) -> Value:
    parts = _numbers(low, value)
    if parts is None:
        low.refuse("numpy", OTHERS)
    return _array_of(low, list(parts))


def _norm(low: Lowering, value: Value) -> Value:
    return _scalar(low, low.prelude("norm", of_python(_array(low, value))))


FUNCTIONS: Final[dict[str, Callable[..., Value]]] = {
    "abs": lambda low, value: _scalar(low, magnitude(low, _number(low, value))),
    "add": partial(_computed, ast.Add),
    "array": _array,
    "linalg.norm": _norm,
    "mean": lambda low, value: _scalar(low, low.prelude("mean", _items(low, value))),
    "multiply": partial(_computed, ast.Mult),
    "sign": lambda low, value: _scalar(low, low.prelude("sign", _number(low, value))),
    "sqrt": lambda low, value: _scalar(low, low.prelude("root", _number(low, value))),
    "square": lambda low, value: _computed(ast.Mult, low, value, value),
    "subtract": partial(_computed, ast.Sub),
    "sum": lambda low, value: _scalar(low, low.prelude("some_total", _items(low, value))),
}
"""By their names; each takes its arguments in order."""


def note_numpy() -> None:
    """Compile calls of numpy's functions from now on, if it is imported."""
    numpy = sys.modules.get("numpy")
    for name, lower in FUNCTIONS.items() if numpy is not None else ():
        try:
            function = attrgetter(name)(numpy)
        except AttributeError:  # it is being imported
            continue
        # Somebody may have put another function there.
        is_own = getattr(function, "__name__", "") in (name.rpartition(".")[2], f"{name}olute")
        if is_own and id(function) not in BUILTINS and type(function) is not FunctionType:
            count = 2 if name in ("add", "multiply", "subtract") else 1
            builtin(function)(lambda low, call, lower=lower, count=count: lower(low, *call.only(low, count)))


for _operation in OPERATIONS:
    for _kind in ("scalar", "array"):
        _word = f"{_operation.__name__.lower()}__"
        method(_kind, f"__{_word}", takes=("other",))(partial(_computed, _operation))
        method(_kind, f"__r{_word}", takes=("other",))(
            lambda low, value, other, op=_operation: _computed(op, low, other, value)
        )
    method("array", f"__i{_word}", takes=("other",))(
        lambda low, _value, _other: low.refuse("numpy", "an array is changed in its place: make a new one")
    )


@method("array", "__getitem__", takes=("index",))
def _item(low: Lowering, value: Value, index: Value) -> Value:
    if low.present(index).kind is not INT:
        raise low.bail()
    item = item_of(low, of_python(value), index)
    return Value(Scalar(item.kind), low.row(item))

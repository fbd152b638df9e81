"""A value while compiling: its type, and the registers that hold it or what is known of it."""

from __future__ import annotations

from collections.abc import Callable
from math import copysign
from typing import TYPE_CHECKING, Any, Final

from isolation_fast.compiled.types import BOOL, FLOAT, INT, NONE, TEXT, Known, Tuple, Type

if TYPE_CHECKING:
    from isolation_fast.compiled.flow import Edge

UNKNOWN: Final = object()
"""The constant of a value that is not known while compiling."""


class Value:
    """A value of a type.

    `row` are its registers, None for a constant that is in none yet. `parts` are those of a tuple.
    `asked` is the call that made it: `len` of it may be an instruction of its own.
    """

    __slots__ = ("asked", "constant", "parts", "row", "type")

    def __init__(
        self,
        type: Type,  # noqa: A002 - what it is called everywhere else
        row: tuple[int, ...] | None = (),
        *,
        constant: Any = UNKNOWN,
        parts: tuple[Value, ...] | None = None,
        asked: tuple[Any, ...] | None = None,
    ) -> None:
        self.type, self.row = type, row
        self.constant, self.parts = constant, parts
        self.asked = asked

    @property
    def is_constant(self) -> bool:
        """Whether it is known while compiling."""
        return self.constant is not UNKNOWN


NOTHING: Final = Value(NONE, (), constant=None)
TRUE: Final = Value(BOOL, None, constant=True)
FALSE: Final = Value(BOOL, None, constant=False)


def number(value: float) -> Value:
    """A constant number or truth."""
    kind = BOOL if isinstance(value, bool) else INT if isinstance(value, int) else FLOAT
    return Value(kind, None, constant=value)


def text(value: str) -> Value:
    """A constant text."""
    return Value(TEXT, (), constant=value)


def tuple_of(parts: tuple[Value, ...]) -> Value:
    """A tuple of values."""
    return Value(Tuple(tuple(part.type for part in parts)), None, parts=parts)


def known(value: Any, label: str) -> Value:
    """What is no value at run time: a function, a module, a class."""
    return Value(Known(label, "", value))


class Stream:
    """What can be walked over once; its items, if they are known."""

    def __init__(self, walk: Callable[..., list[Edge]], parts: tuple[Value, ...] | None = None) -> None:
        self.walk, self.parts = walk, parts


def parts_of(value: Value) -> tuple[Value, ...] | None:
    """The parts of a tuple, or of what gives items that are known."""
    kind = value.type
    return kind.value.parts if isinstance(kind, Known) and isinstance(kind.value, Stream) else value.parts


def alike(one: Value, other: Value) -> bool:
    """Whether two values of one type are the same registers or the same constant."""
    if one is other:
        return True
    if one.parts is not None and other.parts is not None:
        return len(one.parts) == len(other.parts) and all(map(alike, one.parts, other.parts))
    if one.is_constant or other.is_constant:
        return one.is_constant and other.is_constant and _same(one.constant, other.constant)
    return one.row == other.row and one.row is not None


def _same(one: Any, other: Any) -> bool:
    if type(one) is not type(other) or one != other:
        return one is other
    return not isinstance(one, float) or copysign(1.0, one) == copysign(1.0, other)

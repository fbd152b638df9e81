"""A value while compiling: its type, and the registers that hold it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from isolation_fast.compiled.code import Register
from isolation_fast.compiled.types import NEVER, NONE, STRING, Constant, Known, Tuple, Type, base

if TYPE_CHECKING:
    from isolation_fast.compiled.flow import Edge

UNKNOWN: Final = object()
"""The constant of a value that is not known while compiling."""

Row = tuple[Register, ...]


class Value:
    """A value of a type, in as many registers as that has."""

    __slots__ = ("asked", "row", "type")

    def __init__(self, type: Type, row: Row = (), *, asked: bool = False) -> None:  # noqa: A002 - so it is called everywhere
        self.type, self.row = type, row
        self.asked = asked
        """The board lists it in its natural order."""

    @property
    def kind(self) -> Type:
        """Its type, without what is known of it."""
        return base(self.type)

    @property
    def constant(self) -> Any:
        """What it is, if it is known: a number, a text or None."""
        if isinstance(self.type, Constant):
            return self.type.value
        return None if self.type is NONE else UNKNOWN

    @property
    def is_constant(self) -> bool:
        """Whether it is known while compiling."""
        return isinstance(self.type, Constant) or self.type is NONE

    @property
    def one(self) -> Register:
        """Its only register."""
        (register,) = self.row
        return register

    @property
    def parts(self) -> tuple[Value, ...] | None:
        """Those of a tuple."""
        if not isinstance(self.type, Tuple):
            return None
        return split(self.row, self.type.parts)


def split(row: Row, kinds: tuple[Type, ...]) -> tuple[Value, ...]:
    """Values of these types in registers that stand one after the other."""
    values, at = [], 0
    for kind in kinds:
        size = len(kind.layout)
        values.append(Value(kind, row[at : at + size]))
        at += size
    assert at == len(row)
    return tuple(values)


NOTHING: Final = Value(NONE)
TRUE: Final = Value(Constant(True))
FALSE: Final = Value(Constant(False))
SOME_TEXT: Final = Value(STRING)
NO_VALUE: Final = Value(NEVER)


def constant(value: Any) -> Value:
    """A number, a truth or a text that is known."""
    return Value(Constant(value))


def tuple_of(parts: tuple[Value, ...]) -> Value:
    """A tuple of values."""
    return Value(Tuple(tuple(part.type for part in parts)), tuple(each for part in parts for each in part.row))


def known(value: Any, label: str) -> Value:
    """What is no value at run time: a function, a module, a builtin."""
    return Value(Known(label, value))


Body = Callable[[Value], None]


class Stream:
    """What can be walked over once.

    `walk` writes the loop: what is done with each item, and whether the order matters; it gives the edges on which the
    items have ended. `items` are those, where they are known; `bounds` are those of a range.
    """

    def __init__(
        self,
        walk: Callable[[Body, bool], list[Edge]],
        items: tuple[Value, ...] | None = None,
        bounds: tuple[Value, Value, int] | None = None,
    ) -> None:
        self.walk, self.items, self.bounds = walk, items, bounds

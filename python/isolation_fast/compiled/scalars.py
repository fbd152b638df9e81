"""Numbers and short arrays of numpy, which compute as Python does where the run does not end.

A number of numpy's wraps where it is an integer, warns of what overflows, and adds truths by `or`: it keeps a
type of its own, and has those operations alone whose results are the same.
"""

from __future__ import annotations

from collections.abc import Hashable

from isolation_fast.compiled.types import Composed, Tuple, Type, Value


class Scalar(Composed):
    """A number of numpy's."""

    label = "a numpy scalar"

    def __init__(self, of: Type) -> None:
        self.of = of

    def _key(self) -> Hashable:
        return self.of

    def takes(self, kind: Type) -> bool:
        """What both compute alike may be Python's, too."""
        return kind is self.of

    def _layout(self) -> str:
        return self.of.layout


class Array(Scalar):
    """An array of so many numbers of one type."""

    label = "a numpy array"

    def __init__(self, of: Tuple) -> None:
        self.of = of


def of_python(value: Value) -> Value:
    """A number of numpy's as one of Python's; an array as a tuple."""
    return Value(value.type.of, value.row) if isinstance(value.type, Scalar) else value

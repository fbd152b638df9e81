"""What there is to lower, and what lowers it: a table for each kind of thing, filled by the subjects' files.

A new builtin or method is one small function with a decorator from here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar

from isolation_fast.compiled.types import NUMBERS, Listing, Optional, Tuple, Type, Unset
from isolation_fast.compiled.values import Value

if TYPE_CHECKING:
    from isolation_fast.compiled.lowering import Lowering

Handler = TypeVar("Handler", bound=Callable[..., Any])

EXPRESSIONS: dict[type[ast.AST], Callable[[Lowering, Any], Value]] = {}
STATEMENTS: dict[type[ast.AST], Callable[[Lowering, Any], None]] = {}
BUILTINS: dict[Hashable, Callable[[Lowering, Call], Value]] = {}
METHODS: dict[tuple[str, str], Callable[[Lowering, Value, Call], Value]] = {}
ATTRIBUTES: dict[tuple[str, str], Callable[[Lowering, Value], Value]] = {}
CONSTANTS: dict[type, Callable[[Lowering, Any], Value]] = {}
"""How an object of a type that is no plain number becomes a value: a list of a module, say."""


class Call:
    """A call with its arguments, in order and by name."""

    def __init__(self, node: ast.Call, arguments: list[Value], named: dict[str, Value]) -> None:
        self.node = node
        self.arguments, self.named = arguments, named

    def taken(
        self, low: Lowering, names: tuple[str, ...], required: int, nameless: int = 0
    ) -> list[Value | None]:
        """The arguments by parameter, None where one is not given. What does not fit raises in Python.

        The first ones, so many as are `nameless`, are not taken by name.
        """
        given: list[Value | None] = [None] * len(names)
        if len(self.arguments) > len(names) or not set(self.named) <= set(names[nameless:]):
            raise low.bail()
        given[: len(self.arguments)] = self.arguments
        for name, value in self.named.items():
            if given[names.index(name)] is not None:
                raise low.bail()
            given[names.index(name)] = value
        if any(value is None for value in given[:required]):
            raise low.bail()
        return given

    def only(self, low: Lowering, count: int = 1) -> list[Value]:
        """So many arguments, given in order."""
        if self.named or len(self.arguments) != count:
            raise low.bail()
        return self.arguments


def family(kind: Type) -> str:
    """The word under which the methods of a type stand in the tables."""
    if isinstance(kind, (Optional, Unset)):
        return family(kind.of)
    if isinstance(kind, Listing):
        return "list"
    if isinstance(kind, Tuple) or kind.label == "a cell":
        return "tuple"
    return "number" if kind in NUMBERS else kind.label.split()[-1]


def expression(*kinds: type[ast.AST]) -> Callable[[Handler], Handler]:
    """Lowers expressions of these kinds."""

    def note(handler: Handler) -> Handler:
        EXPRESSIONS.update(dict.fromkeys(kinds, handler))
        return handler

    return note


def statement(*kinds: type[ast.AST]) -> Callable[[Handler], Handler]:
    """Lowers statements of these kinds."""

    def note(handler: Handler) -> Handler:
        STATEMENTS.update(dict.fromkeys(kinds, handler))
        return handler

    return note


def builtin(*functions: Hashable) -> Callable[[Handler], Handler]:
    """Lowers calls of these functions or classes."""

    def note(handler: Handler) -> Handler:
        BUILTINS.update(dict.fromkeys(functions, handler))
        return handler

    return note


def method(
    of: str, *names: str, takes: tuple[str, ...] = (), required: int | None = None
) -> Callable[[Handler], Handler]:
    """Lowers calls of these methods; the handler gets the receiver, and each parameter's value or None."""

    def note(handler: Handler) -> Handler:
        def lower(low: Lowering, receiver: Value, call: Call) -> Value:
            # Only boards take arguments by name; `sort` takes no others.
            if call.arguments if "sort" in names else call.named if of != "board" else ():
                raise low.bail()
            given = call.taken(low, takes, len(takes) if required is None else required)
            low.call_node = call.node
            result: Value = handler(low, receiver, *given)
            return result

        METHODS.update({(of, name): lower for name in names})
        return handler

    return note


def attribute(of: str, *names: str) -> Callable[[Handler], Handler]:
    """Lowers these attributes."""

    def note(handler: Handler) -> Handler:
        ATTRIBUTES.update({(of, name): handler for name in names})
        return handler

    return note


def constant(*kinds: type) -> Callable[[Handler], Handler]:
    """Makes a value of an object of one of these types."""

    def note(handler: Handler) -> Handler:
        CONSTANTS.update(dict.fromkeys(kinds, handler))
        return handler

    return note

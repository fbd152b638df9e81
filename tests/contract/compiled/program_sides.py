"""What a program is compared with: the real compiler, and wrong ones that a comparison must see."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from math import nan
from pathlib import Path
from types import FunctionType
from typing import Any

from program_checks import (
    Compiled,
    Heuristic,
    TooSlowError,
    in_python,
    limited,
    load,
)

from isolation_fast import Board
from isolation_fast.compiled.programs import lower
from isolation_fast.compiled.source import Refusal, Source
from isolation_fast.exceptions import InvalidArgumentError


class Native:
    """A program of the engine's, asked only while all that it was compiled with is still so.

    Where the compiler fails, it has NaN for a value, as no program has: that differs from Python everywhere.
    """

    def __init__(self, function: Heuristic) -> None:
        self.function = function
        self._failed = ""
        self._compile()

    def _compile(self) -> None:
        try:
            source = Source.of(self.function)
            self._program, self._guard = lower(source), source.guard
        except Refusal:
            raise
        except Exception as error:  # noqa: BLE001 - it is shown with the program, and shrunk
            self._failed = f"the compiler fails: {type(error).__name__}: {error}"

    def __call__(self, board: Board, player: Any) -> float | None:
        """The machine's value, and NaN where the machine code has another one.

        Where something has changed that the program reads, it is made anew.
        """
        if not self._failed and not self._guard.holds():
            try:
                self._compile()
            except Refusal:
                return None
        if self._failed:
            return nan
        value: float | None = self._program.run(board, player, machine_code=False)
        try:
            same = self._program.run(board, player, machine_code=True)
        except InvalidArgumentError:
            # There is none for the largest boards, nor for some programs, processors and builds.
            return value
        return value if repr(value) == repr(same) else nan

    def has_changed(self) -> str:
        """Says so where Python has changed something that the program reads, or the compiler failed."""
        return self._failed or ("" if self._guard.holds() else "Python changes what the program reads")


def native(function: Heuristic) -> Compiled | str:
    """What the engine runs for a function, or why it runs none."""
    try:
        return Native(function)
    except Refusal as refusal:
        return f"{refusal.construct}: {refusal.message}"


class python_again:  # noqa: N801 - used as a function is
    """Python itself, in a module of its own: nothing may differ."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, function: Heuristic) -> Compiled:
        text = Path(function.__code__.co_filename).read_text(encoding="utf-8")
        return _asking(load(text, self.folder, "same_program"))


def blind_to_order(function: Heuristic) -> Compiled:
    """Python that lists every knight's moves in the order of a board whose order bits are 0."""
    return without_order(_asking(function))


def without_order(ask: Compiled) -> Compiled:
    """Asks about boards whose order bits are 0."""

    def value(board: Board, player: Any) -> float | None:
        board._order_bits = 0
        return ask(board, player)

    return value


class wrong_in:  # noqa: N801 - used as a function is
    """A compiler that takes one kind of node for another: `wrong_in(ast.Sub, ast.Add)` adds for a minus."""

    def __init__(self, right: type[ast.AST], wrong: type[ast.AST], folder: Path) -> None:
        self.right, self.wrong, self.folder = right, wrong, folder

    def __call__(self, function: Heuristic) -> Compiled | str:
        tree = ast.parse(Path(function.__code__.co_filename).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.AugAssign):
                # Loops count down with these, and would not end.
                continue
            for name, child in ast.iter_fields(node):
                if isinstance(child, self.right):
                    setattr(node, name, self.wrong())
                elif isinstance(child, list):
                    setattr(
                        node, name, [self.wrong() if isinstance(each, self.right) else each for each in child]
                    )
        try:
            return _asking(load(ast.unparse(tree), self.folder, "wrong_program"))
        except Exception as error:  # noqa: BLE001 - what the module computes may not go with a wrong sign
            return f"its module raises {type(error).__name__}"


class _asking:  # noqa: N801 - used as a function is
    """Python in the place of a program."""

    def __init__(self, function: Heuristic) -> None:
        self.function = function

    def __call__(self, board: Board, player: Any) -> float | None:
        try:
            # A wrong condition may be true for ever.
            with limited():
                answer = in_python(self.function, board, player)
        except TooSlowError:
            return None
        return None if isinstance(answer, str) else answer


def one_function_for_each_def(function: Heuristic) -> Any:
    """The first function that a `def` made, in the place of all that it made."""
    first: dict[Any, Any] = {}
    names = function.__globals__
    waiting: list[Any] = [*names.values(), function]
    for found in waiting:
        if isinstance(found, FunctionType) and first.setdefault(found.__code__, found) is found:
            waiting += [cell.cell_contents for cell in found.__closure__ or ()]
    for name, found in [*names.items()]:
        if isinstance(found, FunctionType):
            names[name] = first.get(found.__code__, found)
    return first[function.__code__]


def one_list_for_all_defaults(function: Heuristic) -> Any:
    """The first list among a function's defaults in the place of each of them."""
    for found in [*function.__globals__.values(), function]:
        if isinstance(found, FunctionType) and found.__defaults__:
            first = next((each for each in found.__defaults__ if isinstance(each, list)), None)
            found.__defaults__ = tuple(
                first if isinstance(each, list) else each for each in found.__defaults__
            )
    return function


class wrong_after:  # noqa: N801 - used as a function is
    """A compiler that takes one object for another: Python, after something was done to its functions."""

    def __init__(self, spoil: Callable[[Heuristic], Any], folder: Path) -> None:
        self.spoil, self.folder = spoil, folder

    def __call__(self, function: Heuristic) -> Compiled:
        text = Path(function.__code__.co_filename).read_text(encoding="utf-8")
        return _asking(self.spoil(load(text, self.folder, "wrong_program")))


class wrong_text:  # noqa: N801 - used as a function is
    """A compiler that reads a text in another way."""

    def __init__(self, pattern: str, instead: str, folder: Path) -> None:
        self.pattern, self.instead, self.folder = pattern, instead, folder

    def __call__(self, function: Heuristic) -> Compiled:
        text = Path(function.__code__.co_filename).read_text(encoding="utf-8")
        return _asking(load(re.sub(self.pattern, self.instead, text), self.folder, "wrong_program"))


class never_changed:  # noqa: N801 - used as a function is
    """A compiler without guards: what it has read stays as it was."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, function: Heuristic) -> Compiled:
        asking = python_again(self.folder)(function)
        return lambda board, player: asking(board, player)

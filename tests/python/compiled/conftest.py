"""Programs written by hand in the place of the compiler's: a test can have a wrong one, or one that bails."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from isolation_fast.compiled import Refusal, using

ENGINE: Any = sys.modules["isolation_fast._native"]


def op(name: str, *operands: int) -> tuple[int, ...]:
    return (ENGINE.OPCODES[name][0], *operands)


def difference_of_moves(*, added: int = 0, bails_at: int | None = None) -> Any:
    """The player's moves less the opponent's, and so many more; bails where that is a certain number."""
    code = [op("Mobility", 2, 0, 1), op("ConstI", 3, 1), op("SubI", 3, 3, 1), op("Mobility", 4, 0, 3)]
    code += [op("SubI", 2, 2, 4)]
    if bails_at is not None:
        code += [op("ConstI", 5, bails_at), op("EqI", 6, 2, 5), op("JumpIfNot", 6, len(code) + 4), op("Bail")]
    code += [op("AddN", 2, 2, added), op("IToF", 0, 2), op("Ret")]
    return ENGINE.Program([((10, 2, 1), (2, 0, 0), (0, 1, 0), code)], [], [], [])


def wrong_late(moves: int) -> Any:
    """The player's moves less the opponent's; 1 more once so many moves were made, in a branch of its own."""
    code = [op("Mobility", 2, 0, 1), op("ConstI", 3, 1), op("SubI", 3, 3, 1), op("Mobility", 4, 0, 3)]
    code += [op("SubI", 2, 2, 4), op("MoveCount", 5, 0), op("JumpLtN", 5, moves, len(code) + 4)]
    code += [op("AddN", 2, 2, 1), op("IToF", 0, 2), op("Ret")]
    return ENGINE.Program([((10, 2, 1), (2, 0, 0), (0, 1, 0), code)], [], [], [])


def always_bailing() -> Any:
    """A program that knows nothing."""
    return ENGINE.Program([((2, 1, 0), (2, 0, 0), (0, 1, 0), [op("Bail")])], [], [], [])


Compiler = Callable[..., None]


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    """Called with programs by the names of functions: those are what the functions are compiled to."""
    programs: dict[str, Any] = {}

    def lower(source: Any, _make: Any) -> Any:
        name = source.function.__name__
        if name not in programs:
            raise Refusal(source.tree.body[-1].lineno, 0, "name", "there is no program of that name")
        source.lookup("float")
        return programs[name]

    monkeypatch.setattr(using, "compiler", lambda: lower)
    return programs.update

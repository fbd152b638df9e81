"""Whether a heuristic is compiled, what that gains, and if it is not, which line is the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from time import thread_time
from typing import Any, Final

from isolation_fast._native import Board, board_in_order, compare
from isolation_fast.compiled.source import Refusal
from isolation_fast.compiled.using import compiled_of, report_difference

EMPTY: Final = "7x7 7/7/7/7/7/7/7 - - 1"
POSITIONS: Final = 200
MOVES: Final = range(2, 30)
"""How many moves are made before a position: from both players placed to few cells left."""


@dataclass(frozen=True, slots=True)
class Timing:
    """What one value takes, in nanoseconds of processor time, over the same positions."""

    python: float
    compiled: float
    positions: int
    bails: int
    """At how many of them the compiled form leaves the answer to Python."""

    @property
    def times_faster(self) -> float:
        """How many times as fast a value is, those that Python gives all the same among them."""
        with_bails = self.compiled + self.python * self.bails / max(self.positions, 1)
        return self.python / with_bails if with_bails else 1.0


@dataclass(frozen=True, slots=True)
class Explanation:
    """What became of a heuristic: it compiles, or a place in it keeps it with Python.

    `line`, `column` (from 0), `construct` and `message` say what stands there and what to write instead. They
    are of the file `filename`, where the heuristic or a function that it calls is written.
    """

    name: str
    compiles: bool
    filename: str | None = None
    line: int | None = None
    column: int | None = None
    construct: str | None = None
    message: str | None = None
    timing: Timing | None = None
    """Only where it compiles, and where it was asked for."""

    def __str__(self) -> str:
        if not self.compiles:
            where = f"line {self.line}: " if self.line else ""
            return f"{self.name} is left to Python: {where}{self.message}"
        if self.timing is None:
            return f"{self.name} compiles"
        timing = self.timing
        text = f"{self.name} compiles: {timing.times_faster:.3g} times as fast"
        text += f" ({timing.compiled:,.0f} ns a value instead of {timing.python:,.0f})"
        if timing.bails:
            text += f"; Python answers {timing.bails:,} of {timing.positions:,} positions"
        return text

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        timing = self.timing
        measured = None
        if timing is not None:
            measured = {
                "times_faster": timing.times_faster,
                "python_ns": timing.python,
                "compiled_ns": timing.compiled,
                "positions": timing.positions,
                "bails": timing.bails,
            }
        place = {"file": self.filename, "line": self.line, "column": self.column}
        why = {"construct": self.construct, "message": self.message}
        return {"name": self.name, "compiles": self.compiles, **place, **why, "measured": measured}


def explain(
    heuristic: Callable[[Any, Any], float],
    *,
    measure: bool = False,
    boards: Iterable[Board] | None = None,
) -> Explanation:
    """Say whether a heuristic compiles, and if not, why.

    With `measure=True` function and compiled form are asked about some hundred positions of random games, or
    about the `boards` that are given, for the player to move; what raises there counts as a bail. Should the
    two differ, a `CompilationWarning` says so, and the function is left to Python.

    >>> def aggressive(game, player):
    ...     own = len(game.get_legal_moves(player))
    ...     return float(own - 2 * len(game.get_legal_moves(game.get_opponent(player))))
    >>> print(explain(aggressive))
    aggressive compiles
    >>> import random
    >>> print(explain(lambda game, player: random.random()).compiles)
    False
    """
    name = str(getattr(heuristic, "__name__", None) or repr(heuristic))
    found = compiled_of(heuristic)
    if isinstance(found, Refusal):
        return _refused(name, heuristic, found)
    if not measure and boards is None:
        return Explanation(name, compiles=True)
    asked = random_positions() if boards is None else list(boards)
    program, own, bails, difference = compare(found, heuristic, asked, thread_time)
    if difference is not None:
        found.turn_off()
        report_difference(heuristic, *difference)  # type: ignore[arg-type] # it was compiled
        return explain(heuristic)
    if program is None:
        return Explanation(name, compiles=True)
    return Explanation(name, compiles=True, timing=Timing(1e9 * own, 1e9 * program, len(asked), bails))


def _refused(name: str, heuristic: Callable[..., Any], refusal: Refusal) -> Explanation:
    code = getattr(heuristic, "__code__", None)
    filename = refusal.filename or getattr(code, "co_filename", None)
    place = (filename, refusal.line or None, refusal.column)
    return Explanation(name, False, *place, refusal.construct, refusal.message)


def random_positions(count: int = POSITIONS, seed: int = 0) -> list[Board]:
    """Positions of random games on 7x7, the same each time; Python's `random` is left alone.

    >>> [board.move_count for board in random_positions(3)]
    [2, 3, 4]
    """
    chance = Random(seed)
    boards: list[Board] = []
    while len(boards) < count:
        board = board_in_order(EMPTY, "player 1", "player 2", chance.getrandbits(64))
        wanted = MOVES[len(boards) % len(MOVES)]
        while board.move_count < wanted and (moves := board.get_legal_moves()):
            board.apply_move(chance.choice(moves))
        if board.move_count == wanted:
            boards.append(board)
    return boards

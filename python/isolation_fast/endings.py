"""How a game is lost: by having no move left, or by one of the things that a player may do instead."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

__all__ = ["ENDINGS", "Fault", "GameEnding"]

GameEnding: TypeAlias = Literal[
    "no moves",
    "illegal move",
    "timeout",
    "raised",
    "bad answer",
    "hung",
    "killed",
    "not loaded",
    "not played",
    "out of memory",
    "refused",
    "protocol broken",
]
"""How a game was lost. `no moves` is how games normally end; all others but `not played` are strikes.

- `illegal move`: the answer was a cell, but none that the player may go to;
- `timeout`: the answer came later than the turn's time, or its process was ended because it used too much;
- `raised`: an exception left `get_move` or the heuristic;
- `bad answer`: the answer was no cell, or a heuristic's answer no number;
- `hung`: no answer until long after the turn's time, so that the process was ended;
- `killed`: the process of the player ended in its turn;
- `not loaded`: the player could not be made;
- `not played`: the game did not take place, and is nobody's fault;
- `out of memory`: it asked for more memory than it may have;
- `refused`: it asked the system for something that the jail refuses, and did not catch the error;
- `protocol broken`: something else than an answer came from its process.
"""

ENDINGS: Final[tuple[GameEnding, ...]] = get_args(GameEnding)
"""In an order that does not change: their numbers pass between processes."""


class Fault(Exception):  # noqa: N818 - a player's, and no error of the program
    """A turn that ends the game.

    `trace` is the traceback within the player's own files, where there is one. `by_clock` says that a clock
    decided it, so that it need not happen again.

    >>> fault = Fault("timeout", "used 5.0 s of CPU time and had not answered", by_clock=True)
    >>> fault.ending, fault.by_clock, fault.trace
    ('timeout', True, '')
    """

    def __init__(self, ending: GameEnding, detail: str, *, trace: str = "", by_clock: bool = False) -> None:
        super().__init__(ending, detail)
        self.ending = ending
        self.detail = detail
        self.trace = trace
        self.by_clock = by_clock

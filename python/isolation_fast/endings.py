"""How a game is lost: the one vocabulary of endings, and the classic words for some of them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

__all__ = ["ENDINGS", "NO_STRIKES", "SELF_REPORTED", "Ending", "Fault", "GameEnding"]

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
    "overspent",
    "no value",
    "value overspent",
]
"""How a game was lost.

- `no moves`: the player had no legal move, which is how games normally end;
- `illegal move`: the answer was a cell, but none that the player may go to;
- `timeout`: the answer came after the turn's time, or used more time than a process may use;
- `raised`: an exception left `get_move` or the heuristic;
- `bad answer`: the answer was no cell, or a heuristic's answer no number;
- `hung`: no answer came until long after the turn's time, so the process was ended;
- `killed`: the player's process ended in its turn;
- `not loaded`: the player could not be made;
- `not played`: the game did not take place, through no fault of the players;
- `out of memory`: the player asked for more memory than it may have;
- `refused`: it asked the system for something that the jail refuses, and did not catch the error;
- `protocol broken`: its process sent something other than an answer;
- `overspent`: its turn took far more work than its budget is worth;
- `no value`: the program of its heuristic has no value for a position, where Python may raise;
- `value overspent`: one value of its heuristic took more work than it may.
"""

ENDINGS: Final[tuple[GameEnding, ...]] = get_args(GameEnding)
"""In an order that does not change: their numbers pass between processes."""

NO_STRIKES: Final[frozenset[GameEnding]] = frozenset(["no moves", "not played"])
"""All others are a player's own fault: a strike."""

SELF_REPORTED: Final[frozenset[GameEnding]] = frozenset(
    [
        "illegal move",
        "raised",
        "bad answer",
        "not loaded",
        "out of memory",
        "refused",
        "protocol broken",
        "value overspent",
    ]
)
"""What a jailed process may say of itself; the rest the referee alone sees."""

Ending: TypeAlias = Literal["no moves", "forfeit", "timeout"]
"""How a game of `play_game` was lost: without a legal move, by answering something else, by time."""

Outcome: TypeAlias = Literal["illegal move", "forfeit", "timeout"]
"""The third value of `Board.play`: the classic board says "illegal move" where there was no legal one."""

OUTCOMES: Final = MappingProxyType[GameEnding, Outcome](
    {"no moves": "illegal move", "illegal move": "forfeit", "bad answer": "forfeit", "timeout": "timeout"}
)
"""What `Board.play` calls the endings that it knows; what a player raises comes out of it as it is."""

CLASSIC_ENDINGS: Final = MappingProxyType[str, Ending](
    {"illegal move": "no moves", "forfeit": "forfeit", "timeout": "timeout"}
)
"""What `play_game` calls the outcomes of `Board.play`."""


class Fault(Exception):  # noqa: N818 - a player's, and no error of the program
    """What a player did instead of moving; it ends the game.

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

"""What came of a chunk: outcomes in one byte a game, and on request a record of each game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

__all__ = ["LOST", "NOT_PLAYED", "WON", "ChunkResult", "GameEnding"]

LOST: Final = 0
"""The pairing's first entrant lost."""
WON: Final = 1
"""The pairing's first entrant won."""
NOT_PLAYED: Final = 2
"""One of the two was broken by then."""

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
]
"""How a game was lost. `no moves` is how games normally end; all others but `not played` are strikes.

- `illegal move`: the answer was a cell, but none that the player may go to;
- `timeout`: the answer came later than the turn's time;
- `raised`: an exception left `get_move` or the heuristic;
- `bad answer`: the answer was no cell, or a heuristic's answer no number;
- `hung`: no answer until long after the turn's time, so that the process was ended;
- `killed`: the process of the player ended in its turn;
- `not loaded`: the player could not be made.
"""


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """The games of a chunk: opening by opening, the pairing's first entrant as player 1, then as player 2."""

    index: int
    pairing: int
    first_opening: int
    outcomes: bytes
    """A byte a game: `WON`, `LOST` or `NOT_PLAYED`."""
    endings: Mapping[int, tuple[GameEnding, str]] = field(default_factory=dict)
    """By the game's place in `outcomes`: how it was lost and one line of detail, where not by `no moves`."""
    nodes: tuple[int, int] = (0, 0)
    """What first and second searched."""
    turns: tuple[int, int] = (0, 0)
    """How many moves first and second made."""
    reproducible: bool = True
    """False where a clock decided something."""
    records: tuple[Mapping[str, Any], ...] | None = None
    """A record of each game, if the plan asks for them."""
    seconds: float = 0.0
    """How long it took: for progress and timings alone, never among results."""
    cpu_seconds: float = 0.0
    clock_from: int = 0
    """Where it is not reproducible: the first game in which a clock decided something; those before are."""

"""What came of a chunk: outcomes in one byte a game, and on request a record of each game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from isolation_fast.endings import GameEnding
from isolation_fast.jail import Level
from isolation_fast.tournament.cpu_uses import CpuUse

__all__ = ["LOST", "NOT_PLAYED", "WON", "ChunkResult", "weaker"]

LOST: Final = 0
"""The pairing's first entrant lost."""
WON: Final = 1
"""The pairing's first entrant won."""
NOT_PLAYED: Final = 2
"""One of the two was broken by then."""


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
    jail: Level | None = None
    """What of the jail was enforced, if submissions ran in it."""
    cpu_uses: Mapping[int, CpuUse] = field(default_factory=dict, compare=False)
    """What searches in the jail took, of first (0) and second (1): never among results, as `seconds`."""


def weaker(one: Level | None, other: Level | None) -> Level | None:
    """What is enforced by both of two levels, of which one may be unknown.

    >>> weaker(None, None) is None
    True
    """
    if one is None or other is None:
        return one or other
    enforced = tuple(each for each in one.enforced if each in other.enforced)
    missing = (*one.missing, *(each for each in other.missing if each not in one.missing))
    return replace(one, enforced=enforced, missing=missing)

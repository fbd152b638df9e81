"""What a submission used and printed in one of its processes: never among results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from isolation_fast.jail import Output

__all__ = ["Use"]


@dataclass(frozen=True, slots=True)
class Use:
    """One process of a submission, from its start to its end.

    >>> use = Use(entrant=0, moves=20, cpu_seconds=0.5, longest=0.1, output=Output(b"ready"))
    >>> use.cpu_seconds / use.moves
    0.025
    """

    entrant: int
    """Which of the pairing's two entrants it is."""
    moves: int
    """How often it was asked for a move."""
    cpu_seconds: float
    """Processor time of these moves, read from outside."""
    longest: float
    """That of the one that took longest."""
    output: Output
    """What it printed, while it was loaded and as it played."""
    traces: Mapping[tuple[str, Literal[0, 1]] | None, str] = field(default_factory=dict)
    """The tracebacks within its own files, by the game's opening and its side in it; None is its loading."""

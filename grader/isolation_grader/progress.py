"""How far a grading is: for bars on a terminal."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Progress"]


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done, and how much of it.

    >>> Progress("custom_score", 140, 1680)
    Progress(what='custom_score', done=140, of=1680)
    """

    what: str
    """`baseline`, `cost of custom_score`, or the heuristic whose games are played."""
    done: int
    """Games, or 0 where nothing is counted."""
    of: int | None = None
    """How many there are at most; None where that is not known."""

"""What a jailed process is given and what comes back, once it has been checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from isolation_fast.reports import Move, SearchReport

__all__ = ["Answer", "Assignment", "Output", "weighed_seconds"]

NODE_SECONDS: Final = 10e-6
"""What a node with `improved` takes on the reference board, about: it only weighs two kinds of work."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Which submission a process is for: its file, and which heuristic or player of it, where that is known.

    `digest` is the SHA-256 of the file, where it must still be the one that was looked at before.
    """

    file: Path
    member: str | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A move as it came, legal or not; of a search, what it reports; and the CPU time it took."""

    move: Move
    report: SearchReport | None
    cpu_seconds: float
    asked: float = 0.0
    """What its heuristic asked of boards, in nodes with `improved` on the reference board."""

    @property
    def weighed_seconds(self) -> float:
        """The CPU time, and what was asked of boards as the reference board would take for it."""
        return weighed_seconds(self.cpu_seconds, self.asked)


def weighed_seconds(cpu_seconds: float, asked: float) -> float:
    """What was done in so much CPU time, if boards took as long as the reference board does.

    So nobody is as quick as another by passing the time where the other one asks boards.
    """
    return cpu_seconds + NODE_SECONDS * asked


@dataclass(frozen=True, slots=True)
class Output:
    """What a submission printed, so far as it is kept, and how many bytes were dropped."""

    stdout: bytes = b""
    stderr: bytes = b""
    dropped: int = 0

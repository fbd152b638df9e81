"""What a jailed process is given and what comes back, once it has been checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from isolation_fast.reports import Move, SearchReport

__all__ = ["Answer", "Assignment", "Output"]


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


@dataclass(frozen=True, slots=True)
class Output:
    """What a submission printed, so far as it is kept, and how many bytes were dropped."""

    stdout: bytes = b""
    stderr: bytes = b""
    dropped: int = 0

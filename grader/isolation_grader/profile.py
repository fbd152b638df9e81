"""Which lines of a heuristic the counted work of a turn goes into."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from isolation_fast import Board, Budget
from isolation_fast.measuring import positions
from isolation_fast.programs import Program
from isolation_grader.report import Document

EVERY: Final = 5
"""So many positions apart are those that are searched: five, one of each stage of the game."""
MOST_DEPTH: Final = 60
LONGEST: Final = 200
"""Letters of a line that are shown."""


@dataclass(frozen=True, slots=True)
class LineWork(Document):
    """A line of the source, and the share of a turn's work that goes into it."""

    line: int
    """0 for what other files hold."""
    share: float
    source: str


@dataclass(frozen=True, slots=True)
class Profile(Document):
    """Where the work of a turn goes, over a few searches with the budget of a grading."""

    search: float | None
    """The share of the search itself: its nodes, without their values."""
    lines: tuple[LineWork, ...] = ()
    """In the order of the file."""
    why_none: str | None = None


def profile_of(program: Program, budget: Budget, file: Path) -> Profile:
    """The shares of the lines of a program, which was read from that file."""
    source = file.read_text(encoding="utf-8", errors="replace").splitlines()
    paid, of_nodes = Counter[int](), 0
    depth = budget.depth or (MOST_DEPTH if budget.work is None and budget.nodes is None else None)
    for text in positions()[::EVERY]:
        lines, nodes = program.profile(Board.from_text(text), budget.work, depth, budget.nodes)
        paid.update(lines)
        of_nodes += nodes
    whole = max(1, of_nodes + paid.total())
    return Profile(
        of_nodes / whole,
        tuple(
            LineWork(
                line, price / whole, source[line - 1].rstrip()[:LONGEST] if 0 < line <= len(source) else ""
            )
            for line, price in sorted(paid.items())
            if price
        ),
    )

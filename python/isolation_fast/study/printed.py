"""What the five reports print and claim, from the file of data beside this one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.statistics import Interval, single_game_interval
from isolation_fast.text import unknown_word

__all__ = ["BASELINE", "Claim", "Report", "Row", "reports"]

DATA: Final = Path(__file__).with_name("reports.json")

BASELINE: Final = "improved"
"""The row that every report compares with."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a report's table.

    >>> row = reports()["C"].row("bfs")
    >>> row.percent, row.games
    (74.57, 700)
    >>> print(row.interval)
    0.712 to 0.777 (95 %)
    """

    report: str
    name: str
    label: str
    """What the report calls it."""
    heuristic: str
    """What is measured for it."""
    percent: float | None
    """The games won, in percent; None where the report did not measure it."""
    games: int | None
    """How many different games are behind it."""
    tournaments: tuple[float | None, ...]
    """Each tournament's percentage, None where the row was not in it."""
    by_opponent: tuple[float, ...] | None
    """The percentage against each opponent of the roster, where it is printed."""
    note: str | None

    @property
    def interval(self) -> Interval | None:
        """Where the true rate is by the printed games alone, counted as if they were independent.

        Pairs are not printed, so there is nothing better; with swapped sides it is a little too wide.
        """
        if self.percent is None or self.games is None:
            return None
        return single_game_interval(round(self.percent * self.games / 100), self.games)

    @property
    def is_substitute(self) -> bool:
        """Whether another heuristic is measured than the one it is called by."""
        return self.name != self.heuristic


@dataclass(frozen=True, slots=True)
class Claim:
    """What a report says of its rows, so that it can be tested.

    Each of `rows` is compared with each of `against`. The difference must lie between `low` and `high`, in
    points, None being no limit. For `tournaments` it is the chance of being ahead in a tournament of `games`
    games that must lie where `count` of so many leave it.

    >>> claim = reports()["C"].claims[0]
    >>> claim.says, len(claim.comparisons), claim.low, claim.high
    ('every knight_decay and bfs beat improved', 10, 0, None)
    """

    report: str
    id: str
    says: str
    kind: Literal["difference", "tournaments", "open"]
    comparisons: tuple[tuple[str, str], ...]
    low: float | None
    high: float | None
    count: tuple[int, int] | None
    games: int | None
    reason: str | None
    """Why no match can decide it."""
    note: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """One report: its opponents, its rows, its claims."""

    letter: str
    source: str
    roster: str
    note: str
    rows: tuple[Row, ...]
    claims: tuple[Claim, ...]

    def row(self, name: str) -> Row:
        """The row of that name.

        >>> reports()["E"].row("as_printed_custom_3").heuristic
        'aggressive'
        """
        for each in self.rows:
            if each.name == name:
                return each
        raise InvalidArgumentError(unknown_word("row", name, [each.name for each in self.rows]))


@lru_cache(maxsize=1)
def reports() -> Mapping[str, Report]:
    """The five reports by their letter.

    >>> [(letter, report.roster, len(report.rows)) for letter, report in reports().items()]
    [('A', 'classic', 4), ('B', 'classic', 4), ('C', 'early', 19), ('D', 'early', 18), ('E', 'classic', 5)]
    """
    document = json.loads(DATA.read_text(encoding="utf-8"))
    return {letter: _report(letter, entry) for letter, entry in document["reports"].items()}


def _report(letter: str, entry: Mapping[str, Any]) -> Report:
    rows = tuple(_row(letter, each) for each in entry["rows"])
    claims = tuple(_claim(letter, each) for each in entry["claims"])
    return Report(letter, entry["source"], entry["roster"], entry["note"], rows, claims)


def _row(letter: str, entry: Mapping[str, Any]) -> Row:
    by_opponent = entry["by_opponent"]
    return Row(
        letter,
        entry["row"],
        entry["label"],
        entry["heuristic"],
        entry["percent"],
        entry["games"],
        tuple(entry["tournaments"]),
        None if by_opponent is None else tuple(by_opponent),
        entry.get("note"),
    )


def _claim(letter: str, entry: Mapping[str, Any]) -> Claim:
    comparisons = tuple((row, other) for row in entry["rows"] for other in entry["against"])
    if len(comparisons) != entry["comparisons"]:
        raise ValueError(f"claim {entry['id']} says {entry['comparisons']} comparisons: {len(comparisons)}")
    count = entry.get("tournaments")
    return Claim(
        letter,
        entry["id"],
        entry["says"],
        entry["kind"],
        comparisons,
        entry.get("low"),
        entry.get("high"),
        None if count is None else (count[0], count[1]),
        entry.get("games"),
        entry.get("reason"),
        entry.get("note"),
    )

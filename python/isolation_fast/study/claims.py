"""What the five reports print and claim, and whether a claim holds.

A claim of ten comparisons has ten chances to look true or false by luck. So each of m comparisons is looked
at with an interval of the level 1 - 0.05 / m (Bonferroni): all are right together in 95 of 100 studies.

```text
                 low                high
   ------ (-----) |                  |               outside: does not hold
                  |   (---------)    |               inside:  holds
                  |              (---|----)          neither: open
```

A claim holds if all its comparisons do, and does not hold if one of them does not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from math import ceil, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any, Final, Literal, TypeAlias

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.statistics import (
    Difference,
    Interval,
    difference_to_baseline,
    fixed_count,
    gauntlet,
    single_game_interval,
)
from isolation_fast.text import unknown_word

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
    """The number of different games that it counts."""
    tournaments: tuple[float | None, ...]
    """Each tournament's percentage, None where the row was not in it."""
    by_opponent: tuple[float, ...] | None
    """The percentage against each opponent of the roster, where it is printed."""
    note: str | None = None

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
    low: float | None = None
    high: float | None = None
    count: tuple[int, int] | None = None
    games: int | None = None
    reason: str | None = None
    """Why no match can decide it."""
    note: str | None = None


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
    rows = tuple(_row(letter, **_tuples(each)) for each in entry["rows"])
    claims = tuple(_claim(letter, **_tuples(each)) for each in entry["claims"])
    return Report(letter, entry["source"], entry["roster"], entry["note"], rows, claims)


def _tuples(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}


def _row(letter: str, row: str, **fields: Any) -> Row:
    return Row(letter, row, **fields)


def _claim(
    letter: str,
    rows: Sequence[str],
    against: Sequence[str],
    comparisons: int,
    tournaments: tuple[int, int] | None = None,
    **fields: Any,
) -> Claim:
    pairs = tuple((row, other) for row in rows for other in against)
    if len(pairs) != comparisons:
        raise ValueError(f"claim {fields['id']} says {comparisons} comparisons: {len(pairs)}")
    fields.pop("comparison", None)  # in words, for readers of the file
    return Claim(letter, comparisons=pairs, count=tournaments, **fields)


Verdict: TypeAlias = Literal["holds", "does not hold", "open"]
Means: TypeAlias = Sequence[float]

ERROR: Final = 0.05
BLOCK: Final = 14
"""Games of a block: one opening, seven opponents, both sides."""
MOST_BLOCKS: Final = 1_000_000
"""The largest sample that is stated: what needs fourteen million games is no difference to speak of."""


class Plain:
    """A dataclass whose fields are all JSON knows of it."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it."""
        return asdict(self)  # type: ignore[call-overload, no-any-return] # its heirs are dataclasses


@dataclass(frozen=True, slots=True)
class Sample(Plain):
    """How many games a row takes to show a difference; at least so many where it may be 0.

    >>> str(Sample(11200, False)), str(Sample(140000, True))
    ('11,200', 'over 140,000')
    """

    games: int
    at_least: bool

    def __str__(self) -> str:
        return f"{'over ' if self.at_least else ''}{self.games:,}"


@dataclass(frozen=True, slots=True)
class Comparison(Plain):
    """One comparison of a claim: what was found, between which bounds it has to be, and what that means.

    `value`, `low` and `high` are differences of rates, or chances; `at_least` and `at_most` the bounds.
    """

    row: str
    other: str
    value: float
    low: float
    high: float
    at_least: float | None
    at_most: float | None
    verdict: Verdict
    needed: Sample


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a claim."""

    claim: Claim
    verdict: Verdict
    reason: str
    level: float | None
    """The level of each comparison's interval; None where there is none."""
    comparisons: tuple[Comparison, ...]

    @property
    def needed(self) -> Sample | None:
        """The games a row that would show each of its comparisons: those of the closest one."""
        samples = [each.needed for each in self.comparisons]
        if not samples:
            return None
        return Sample(max(each.games for each in samples), any(each.at_least for each in samples))

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it."""
        return {
            "id": self.claim.id,
            "report": self.claim.report,
            "says": self.claim.says,
            "note": self.claim.note,
            "verdict": self.verdict,
            "reason": self.reason,
            "comparisons_made": len(self.claim.comparisons),
            "level": self.level,
            "comparisons": [each.to_dict() for each in self.comparisons],
            "needed": self.needed and self.needed.to_dict(),
        }


def difference(means: Means, other: Means, *, level: float = 0.95) -> Difference:
    """How far one row is above another, both measured here.

    >>> print(difference([0.8, 0.7, 0.75, 0.85] * 100, [0.7, 0.6, 0.8, 0.7] * 100))
    +7.5 points, +6.6 to +8.4 (95 %)
    """
    base = gauntlet(other)
    return difference_to_baseline(
        means, baseline_rate=base.rate, baseline_error=base.standard_error, level=level
    )


def sample_for(
    found: Difference, means: Means, other: Means, *, bound: float, alpha: float = ERROR
) -> Sample:
    """The games a row that would separate the difference found from a bound, at 90 % power.

    Where its interval holds the bound, the sample is that of the farther end, and more are needed.

    >>> high, low = [0.8, 0.7, 0.75, 0.85] * 100, [0.7, 0.6, 0.8, 0.7] * 100
    >>> print(sample_for(difference(high, low), high, low, bound=0.0))
    182
    """
    interval, unsure = found.interval, bound in found.interval
    ends = (abs(interval.low - bound), abs(interval.high - bound))
    distance = max(ends) if unsure else abs(found.value - bound)
    variance = gauntlet(means).variance + gauntlet(other).variance
    if distance * distance * MOST_BLOCKS <= variance:
        return Sample(MOST_BLOCKS * BLOCK, True)
    return Sample(min(fixed_count(distance, variance, alpha=alpha), MOST_BLOCKS) * BLOCK, unsure)


def judge(claim: Claim, rows: Mapping[str, Means]) -> Judgement:
    """Judge a claim by the block means of rows; it stays open where a row is missing.

    >>> from isolation_fast.study.claims import reports
    >>> claim = reports()["D"].claims[0]
    >>> found = {"improved": [0.7, 0.6] * 500, "blend_then_continuations_difference": [0.8, 0.7] * 500}
    >>> print(judge(claim, found).verdict)
    open
    >>> print(judge(claim, {**found, "improved": [0.9, 0.8] * 500}).verdict)
    does not hold
    """
    if claim.kind == "open":
        return Judgement(claim, "open", claim.reason or "", None, ())
    missing = sorted({name for pair in claim.comparisons for name in pair} - set(rows))
    if missing:
        return Judgement(claim, "open", f"not measured in this run: {', '.join(missing)}", None, ())
    error = ERROR / len(claim.comparisons)
    found = tuple(_compared(claim, pair, rows, error) for pair in claim.comparisons)
    return Judgement(claim, *_together(claim, found), 1 - error, found)


def _compared(claim: Claim, pair: tuple[str, str], rows: Mapping[str, Means], error: float) -> Comparison:
    means, other = (rows[name] for name in pair)
    found = difference(means, other, level=1 - error)
    value, low, high = found.value, found.interval.low, found.interval.high
    if claim.kind == "tournaments":
        assert claim.count is not None
        assert claim.games is not None
        # What the printed count leaves possible, and what our difference makes of it.
        possible = single_game_interval(*claim.count)
        at_least: float | None = possible.low
        at_most: float | None = possible.high
        value, low, high = (_ahead(each, means, other, claim.games) for each in (value, low, high))
        needed = sample_for(found, means, other, bound=0.0, alpha=error)
    else:
        at_least, at_most = _share(claim.low), _share(claim.high)
        bounds = [each for each in (at_least, at_most) if each is not None]
        nearest = min(bounds, key=lambda each: abs(found.value - each))
        needed = sample_for(found, means, other, bound=nearest, alpha=error)
    verdict = _verdict(low, high, at_least, at_most)
    return Comparison(*pair, value, low, high, at_least, at_most, verdict, needed)


def _share(points: float | None) -> float | None:
    return None if points is None else points / 100


def _ahead(difference: float, means: Means, other: Means, games: int) -> float:
    """How probably a row has more wins than another in a tournament of so many games each."""
    blocks = max(ceil(games / BLOCK), 1)
    spread = sqrt((gauntlet(means).variance + gauntlet(other).variance) / blocks)
    # Half a game: a tie is not ahead.
    return NormalDist().cdf((difference - 0.5 / games) / spread)


def _verdict(low: float, high: float, at_least: float | None, at_most: float | None) -> Verdict:
    above = at_least is None or low > at_least
    below = at_most is None or high < at_most
    if above and below:
        return "holds"
    if (at_least is not None and high < at_least) or (at_most is not None and low > at_most):
        return "does not hold"
    return "open"


def _together(claim: Claim, found: Sequence[Comparison]) -> tuple[Verdict, str]:
    counts = {word: [each for each in found if each.verdict == word] for word in ("does not hold", "open")}
    total = len(found)
    for word, several in counts.items():
        if several:
            verdict: Verdict = "open" if word == "open" else "does not hold"
            return verdict, _decisive(claim, several, total, len(counts["open"]))
    return "holds", _decisive(claim, found, total, 0)


def _decisive(claim: Claim, several: Sequence[Comparison], total: int, open_: int) -> str:
    """The comparisons that decided, in words: the first of them, where there are many."""
    shown = [_in_words(claim, each) for each in several[:3]]
    more = f"; and {len(several) - 3} more" if len(several) > 3 else ""
    head = f"{len(several)} of {total}: " if total > 1 else ""
    undecided = f"; {open_} undecided" if open_ and several[0].verdict != "open" else ""
    return f"{head}{'; '.join(shown)}{more}{undecided}"


def _in_words(claim: Claim, each: Comparison) -> str:
    if claim.kind == "tournaments":
        assert each.at_least is not None
        assert each.at_most is not None
        return (
            f"{each.row} is ahead of {each.other} in {100 * each.value:.1f} % of such tournaments "
            f"({100 * each.low:.1f} to {100 * each.high:.1f}), and the print leaves "
            f"{100 * each.at_least:.1f} to {100 * each.at_most:.1f}"
        )
    interval = f"({100 * each.low:+.1f} to {100 * each.high:+.1f})"
    return f"{each.row} against {each.other}: {100 * each.value:+.1f} points {interval}"

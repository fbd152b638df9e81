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
from itertools import product
from math import ceil, inf, sqrt
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
from isolation_fast.theory import Theory, prove

BASELINE: Final = "improved"
"""The row that every report compares with."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a report's table.

    >>> row = reports()["C"].row("bfs")
    >>> row.percent, row.games, str(row.interval)
    (74.57, 700, '0.712 to 0.777 (95 %)')
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
        """Whether the heuristic that is measured has another name."""
        return self.name != self.heuristic


@dataclass(frozen=True, slots=True)
class Claim:
    """What a report says of its rows, so that it can be tested.

    Each of `rows` is compared with each of `against`. The difference must lie between `low` and `high`, in
    points, None being no limit. For `tournaments` it is the chance of being ahead in a tournament of `games`
    games that must lie where `count` of so many leave it. A claim about best play has no rows: it is proved.

    >>> claim = reports()["C"].claims[0]
    >>> claim.says, len(claim.comparisons), claim.low, claim.high
    ('every knight_decay and bfs beat improved', 10, 0, None)
    """

    report: str
    id: str
    says: str
    kind: Literal["difference", "tournaments", "best play"]
    comparisons: tuple[tuple[str, str], ...]
    low: float | None = None
    high: float | None = None
    count: tuple[int, int] | None = None
    games: int | None = None
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
        """The row of that name."""
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
    text = Path(__file__).with_name("reports.json").read_text(encoding="utf-8")
    document = json.loads(text, object_hook=_without_lists)
    return {letter: _report(letter, **entry) for letter, entry in document["reports"].items()}


def _without_lists(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}


def _report(letter: str, rows: Sequence[Any], claims: Sequence[Any], **fields: Any) -> Report:
    named = tuple(Row(letter, **each) for each in rows)
    return Report(letter, rows=named, claims=tuple(_claim(letter, **each) for each in claims), **fields)


def _claim(letter: str, rows: Sequence[str], against: Sequence[str], **fields: Any) -> Claim:
    return Claim(letter, comparisons=tuple(product(rows, against)), **fields)


Verdict: TypeAlias = Literal["holds", "does not hold", "open"]
WORST_FIRST: Final[Sequence[Verdict]] = ("does not hold", "open", "holds")
Means: TypeAlias = Sequence[float]

ERROR: Final = 0.05
BLOCK: Final = 14
"""Games of a block: one opening, seven opponents, both sides."""
MOST_BLOCKS: Final = 1_000_000
"""The largest sample that is stated: what needs fourteen million games is no difference to speak of."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How many games a row takes to show a difference; at least so many where it may be 0.

    >>> str(Sample(11200, False)), str(Sample(140000, True))
    ('11,200', 'over 140,000')
    """

    games: int
    at_least: bool

    def __str__(self) -> str:
        return f"{'over ' if self.at_least else ''}{self.games:,}"


@dataclass(frozen=True, slots=True)
class Comparison:
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
    level: float | None = None
    """The level of each comparison's interval; None where there is none."""
    comparisons: tuple[Comparison, ...] = ()

    @property
    def needed(self) -> Sample | None:
        """The games a row that would show each of its comparisons: those of the closest one."""
        samples = [each.needed for each in self.comparisons]
        if not samples:
            return None
        return Sample(max(each.games for each in samples), any(each.at_least for each in samples))

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON knows it."""
        return {
            **{name: getattr(self.claim, name) for name in ("id", "report", "says", "note")},
            "verdict": self.verdict,
            "reason": self.reason,
            "comparisons_made": len(self.claim.comparisons),
            "level": self.level,
            "comparisons": [asdict(each) for each in self.comparisons],
            "needed": self.needed and asdict(self.needed),
        }


def difference(means: Means, other: Means, *, level: float = 0.95) -> Difference:
    """How far one row is above another, both measured here."""
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
    >>> print(found := difference(high, low))
    +7.5 points, +6.6 to +8.4 (95 %)
    >>> print(sample_for(found, high, low, bound=0.0))
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

    >>> claim = reports()["D"].claims[0]
    >>> found = {"improved": [0.7, 0.6] * 500, "blend_then_continuations_difference": [0.8, 0.7] * 500}
    >>> print(judge(claim, found).verdict)
    open
    >>> print(judge(claim, {**found, "improved": [0.9, 0.8] * 500}).verdict)
    does not hold
    """
    if claim.kind == "best play":
        return _proved(claim)
    missing = sorted({name for pair in claim.comparisons for name in pair} - set(rows))
    if missing:
        return Judgement(claim, "open", f"not measured in this run: {', '.join(missing)}")
    error = ERROR / len(claim.comparisons)
    found = tuple(_compared(claim, pair, rows, error) for pair in claim.comparisons)
    verdict = min((each.verdict for each in found), key=WORST_FIRST.index)
    return Judgement(claim, verdict, _reason(claim, found, verdict), 1 - error, found)


def _proved(claim: Claim) -> Judgement:
    """Judge a claim that the second player wins 7 by 7, where both place their knights freely."""
    placements = _best_play().placements
    won = sum(each.winner == 2 for each in placements)
    reason = (
        f"proved by the solver: with best play the second player wins after {won} of {len(placements)} first "
        "placements that turns and mirrorings leave of 7 by 7; no match could tell"
    )
    return Judgement(claim, "holds" if won == len(placements) else "does not hold", reason)


@lru_cache(maxsize=1)
def _best_play() -> Theory:
    return prove(7, 7, replies="one")


def _compared(claim: Claim, pair: tuple[str, str], rows: Mapping[str, Means], error: float) -> Comparison:
    means, other = (rows[name] for name in pair)
    found = difference(means, other, level=1 - error)
    value, low, high = found.value, found.interval.low, found.interval.high
    at_least, at_most = (None if points is None else points / 100 for points in (claim.low, claim.high))
    stated = [each for each in (at_least, at_most) if each is not None]
    nearest = min(stated, key=lambda each: abs(value - each), default=0.0)
    needed = sample_for(found, means, other, bound=nearest, alpha=error)
    if claim.count is not None and claim.games is not None:
        # What the printed count leaves possible, and what our difference makes of it.
        possible = single_game_interval(*claim.count)
        at_least, at_most = possible.low, possible.high
        value, low, high = (_ahead(each, means, other, claim.games) for each in (value, low, high))
    floor, ceiling = -inf if at_least is None else at_least, inf if at_most is None else at_most
    verdict: Verdict = "does not hold" if high < floor or low > ceiling else "open"
    if floor < low and high < ceiling:
        verdict = "holds"
    return Comparison(*pair, value, low, high, at_least, at_most, verdict, needed)


def _ahead(difference: float, means: Means, other: Means, games: int) -> float:
    """How probably a row has more wins than another in a tournament of so many games each."""
    blocks = max(ceil(games / BLOCK), 1)
    spread = sqrt((gauntlet(means).variance + gauntlet(other).variance) / blocks)
    # Half a game: a tie is not ahead.
    return NormalDist().cdf((difference - 0.5 / games) / spread)


def _reason(claim: Claim, found: Sequence[Comparison], verdict: Verdict) -> str:
    """The comparisons that decided, in words: the first of them, where there are many."""
    several = [each for each in found if each.verdict == verdict]
    undecided = 0 if verdict == "open" else sum(each.verdict == "open" for each in found)
    head = f"{len(several)} of {len(found)}: " if len(found) > 1 else ""
    more = f"; and {len(several) - 3} more" if len(several) > 3 else ""
    unsure = f"; {undecided} undecided" if undecided else ""
    return head + "; ".join(_in_words(claim, each) for each in several[:3]) + more + unsure


def _in_words(claim: Claim, each: Comparison) -> str:
    shares = (each.value, each.low, each.high, each.at_least or 0, each.at_most or 0)
    value, low, high, at_least, at_most = (100 * share for share in shares)
    if claim.kind == "tournaments":
        return (
            f"{each.row} is ahead of {each.other} in {value:.1f} % of such tournaments "
            f"({low:.1f} to {high:.1f}), and the print leaves {at_least:.1f} to {at_most:.1f}"
        )
    return f"{each.row} against {each.other}: {value:+.1f} points ({low:+.1f} to {high:+.1f})"

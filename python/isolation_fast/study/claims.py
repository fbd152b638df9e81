"""Whether a claim holds, by the means of blocks, with the multiplicity of its comparisons counted.

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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist
from typing import Any, Final, Literal, TypeAlias

from isolation_fast.statistics import (
    Difference,
    difference_to_baseline,
    fixed_count,
    gauntlet,
    single_game_interval,
)
from isolation_fast.study.printed import Claim

__all__ = ["BLOCK", "Comparison", "Judgement", "Sample", "Verdict", "difference", "judge", "sample_for"]

Verdict: TypeAlias = Literal["holds", "does not hold", "open"]
Means: TypeAlias = Sequence[float]

ERROR: Final = 0.05
BLOCK: Final = 14
"""Games of a block: one opening, seven opponents, both sides."""
MOST_BLOCKS: Final = 1_000_000
"""No sample is told beyond it: who needs fourteen million games has no difference to speak of."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How many games a row takes to tell a difference; at least so many where it may be 0.

    >>> str(Sample(11200, False)), str(Sample(140000, True))
    ('11,200', 'over 140,000')
    """

    games: int
    at_least: bool

    def to_dict(self) -> dict[str, Any]:
        """Both, as JSON knows them."""
        return {"games": self.games, "at_least": self.at_least}

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

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it."""
        fields = {name: getattr(self, name) for name in self.__slots__ if name != "needed"}
        return {**fields, "needed": self.needed.to_dict()}


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
        """The games a row that would have told each of its comparisons: those of the closest one."""
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
    """How many games a row would tell the difference that was found from a bound, at 90 % power.

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

    >>> from isolation_fast.study.printed import reports
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
            return verdict, _told(claim, several, total, len(counts["open"]))
    return "holds", _told(claim, found, total, 0)


def _told(claim: Claim, several: Sequence[Comparison], total: int, open_: int) -> str:
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

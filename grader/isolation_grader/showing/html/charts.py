"""Where bars and intervals begin and end: numbers for the templates, in units of the drawing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, isfinite

from isolation_fast.statistics import Difference, Interval

__all__ = ["Axis", "Bar", "axis_of", "bar", "share"]

STEP = 5
"""Points between two marks of the axis of differences, where it is short."""
WIDEST = 8
"""Steps of an axis, at most."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A share of games with its interval, from 0 to 100."""

    end: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Axis:
    """From so many points to so many, drawn from 0 to 100.

    >>> axis = Axis(-10, 10, 5)
    >>> axis.marks, axis.at(5)
    ((-10, -5, 0, 5, 10), 75.0)
    """

    low: int
    high: int
    step: int

    @property
    def marks(self) -> tuple[int, ...]:
        """Where it is labelled."""
        return tuple(range(self.low, self.high + 1, self.step))

    @property
    def labels(self) -> tuple[str, ...]:
        """What stands there.

        >>> Axis(-5, 5, 5).labels
        ('-5', '0', '+5')
        """
        return tuple(f"{each:+d}" if each else "0" for each in self.marks)

    def at(self, points: float) -> float:
        """Where so many points are on it; its end for what lies beyond."""
        return _within(100 * (points - self.low) / (self.high - self.low))


def share(part: float, whole: float) -> float:
    """A part of a whole, from 0 to 100; 0 of nothing.

    >>> share(1, 4), share(0, 0), share(float("nan"), 1)
    (25.0, 0.0, 0.0)
    """
    return _within(100 * part / whole) if whole else 0.0


def bar(rate: float | None, interval: Interval | None) -> Bar | None:
    """The bar of a rate; None where there is none.

    >>> bar(0.5, Interval(0.4, 0.61, 0.95))
    Bar(end=50.0, low=40.0, high=61.0)
    """
    if rate is None:
        return None
    if interval is None or interval.low + 1 <= interval.high:
        return Bar(share(rate, 1))
    return Bar(share(rate, 1), share(interval.low, 1), share(interval.high, 1))


def axis_of(differences: Iterable[Difference], points: float) -> Axis:
    """One axis for all differences, on which the baseline and what is to be recognised lie too.

    >>> axis_of([], 5.0)
    Axis(low=-10, high=10, step=5)
    """
    ends = [-10.0, 10.0, points]
    for each in differences:
        ends += [100 * each.interval.low, 100 * each.interval.high]
    ends = [each for each in ends if isfinite(each)]
    least, most = min(ends), max(ends)
    step = STEP
    while (most - least) / step > WIDEST:
        step *= 2
    return Axis(step * floor(least / step), step * ceil(most / step), step)


def _within(value: float) -> float:
    if not isfinite(value):
        return 0.0
    return round(min(max(value, 0.0), 100.0), 2)

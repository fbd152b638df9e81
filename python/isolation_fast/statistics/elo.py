"""Elo differences: a rate on the scale that chess players know."""

from dataclasses import dataclass
from math import log10

from isolation_fast.numbers import finite, proper_share
from isolation_fast.statistics.intervals import Interval

__all__ = ["EloDifference", "elo_from_rate", "rate_from_elo"]

# By convention of the scale: 400 points are odds of ten to one.
_POINTS = 400.0


def elo_from_rate(rate: float) -> float:
    """The Elo difference at which that rate is to be expected.

    >>> elo_from_rate(0.5), round(elo_from_rate(0.75), 1)
    (0.0, 190.8)
    >>> elo_from_rate(1.0)
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: rate must be a number above 0 and below 1, not 1.0
    """
    rate = proper_share("rate", rate)
    return _POINTS * (log10(rate) - log10(1.0 - rate))


def rate_from_elo(elo: float) -> float:
    """The rate to be expected of a player who is that many Elo points better.

    >>> rate_from_elo(0), round(rate_from_elo(35), 3)
    (0.5, 0.55)
    """
    elo = finite("elo", elo)
    # The power of a negative number only: it cannot overflow.
    odds: float = 10.0 ** (-abs(elo) / _POINTS)
    weaker = odds / (1.0 + odds)
    return weaker if elo < 0 else 1.0 - weaker


@dataclass(frozen=True, slots=True)
class EloDifference:
    """An Elo difference with its interval; None where there is no such number.

    Who won every game is better by any number of points: `value` and `high` are None then, and `low` is what
    the interval still says. Who lost every game has no `value` and no `low`.

    >>> print(EloDifference.of(0.55, Interval(0.51, 0.59, 0.95)))
    +35 Elo (+7 to +63)
    >>> print(EloDifference.of(1.0, Interval(0.93, 1.0, 0.95)))
    no finite Elo (+449 to no limit)
    """

    value: float | None
    low: float | None
    high: float | None

    @classmethod
    def of(cls, rate: float, interval: Interval) -> "EloDifference":
        """The difference that a rate and its interval come to."""
        value, low, high = (
            elo_from_rate(each) if 0.0 < each < 1.0 else None for each in (rate, interval.low, interval.high)
        )
        return cls(value, low, high)

    @property
    def error(self) -> float | None:
        """Half of the interval, the number behind ±; None where an end of it is missing."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2.0

    def __str__(self) -> str:
        value = "no finite Elo" if self.value is None else f"{self.value:+.0f} Elo"
        low, high = ("no limit" if end is None else f"{end:+.0f}" for end in (self.low, self.high))
        return f"{value} ({low} to {high})"

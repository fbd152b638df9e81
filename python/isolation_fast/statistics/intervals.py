"""Intervals, and the one for games that were not played in pairs."""

from dataclasses import dataclass
from math import sqrt

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.numbers import integer, proper_share
from isolation_fast.statistics.quantiles import normal_quantile, student_quantile

__all__ = ["Interval", "single_game_interval"]


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the true value lies, in `level` of all experiments of this kind.

    >>> interval = Interval(0.62, 0.78, 0.95)
    >>> print(interval)
    0.620 to 0.780 (95 %)
    >>> 0.7 in interval, round(interval.margin, 3)
    (True, 0.08)
    """

    low: float
    high: float
    level: float

    @property
    def margin(self) -> float:
        """Half of the width: the number behind ±, where the interval is not cut off by a limit."""
        return (self.high - self.low) / 2.0

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def in_percent(self) -> str:
        """The interval of a rate as people read it.

        >>> Interval(0.62, 0.78, 0.95).in_percent()
        '62.0 to 78.0 % (95 %)'
        """
        return f"{100 * self.low:.1f} to {100 * self.high:.1f} % ({100 * self.level:.4g} %)"

    def __str__(self) -> str:
        return f"{self.low:.3f} to {self.high:.3f} ({100 * self.level:.4g} %)"


def student_interval(
    centre: float, standard_error: float, degrees: float, level: float, lowest: float, highest: float
) -> Interval:
    """Centre ± quantile × standard error, within what is possible; all that is possible without degrees.

    A single observation says nothing of its own spread: it has 0 degrees of freedom.

    >>> student_interval(0.5, 0.1, 0, 0.95, 0.0, 1.0)
    Interval(low=0.0, high=1.0, level=0.95)
    """
    level = proper_share("level", level)
    if degrees <= 0:
        return Interval(lowest, highest, level)
    margin = student_quantile((1.0 + level) / 2.0, degrees) * standard_error
    return Interval(max(centre - margin, lowest), min(centre + margin, highest), level)


def single_game_interval(won: int, games: int, *, level: float = 0.95) -> Interval:
    """Wilson's interval for a rate over single, independent games.

    **It misleads for games with swapped sides**, which are not independent: both games of a pair share the
    luck of their opening, and here that luck decides most games. Count pairs instead, with `head_to_head`.
    This one is for games on openings of their own, each played once.

    >>> print(single_game_interval(50, 100))
    0.404 to 0.596 (95 %)
    """
    won = integer("won", won, 0)
    games = integer("games", games, 1)
    if won > games:
        raise InvalidArgumentError(f"won must be at most games={games}, not {won}")
    level = proper_share("level", level)
    squared = normal_quantile((1.0 + level) / 2.0) ** 2
    shrunk = games + squared
    centre = (won + squared / 2.0) / shrunk
    margin = sqrt(squared * (won * (games - won) / games + squared / 4.0)) / shrunk
    # At both ends the formula gives exactly 0 and 1, but for rounding.
    low = 0.0 if won == 0 else max(centre - margin, 0.0)
    high = 1.0 if won == games else min(centre + margin, 1.0)
    return Interval(low, high, level)

"""A rate as people read it: its confidence interval, and the Elo difference that it comes to.

Student's t distribution, which intervals take, is a regularised incomplete beta function: a continued
fraction that converges in some twenty steps. So comparing players takes no heavier package than the standard
library. The tests compare all of it with scipy.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import erfc, exp, lgamma, log, log1p, log10, sqrt
from statistics import NormalDist

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.numbers import above_zero, finite, integer, proper_share, share

# By convention of the scale: 400 points are odds of ten to one.
_POINTS = 400.0


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval: `level` of all experiments of this kind give one that holds the true value.

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
        """Half of the width: the number after ±, where no limit cuts the interval off."""
        return (self.high - self.low) / 2.0

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def in_percent(self) -> str:
        """The interval of a rate as people read it, such as `62.0 to 78.0 % (95 %)`."""
        return f"{100 * self.low:.1f} to {100 * self.high:.1f} % ({100 * self.level:.4g} %)"

    def __str__(self) -> str:
        return f"{self.low:.3f} to {self.high:.3f} ({100 * self.level:.4g} %)"


def student_interval(
    centre: float, standard_error: float, degrees: float, level: float, lowest: float, highest: float
) -> Interval:
    """Centre ± quantile × standard error, cut off at `lowest` and `highest`.

    Without degrees of freedom it is the whole range: a single observation has no spread.
    """
    level = proper_share("level", level)
    if degrees <= 0:
        return Interval(lowest, highest, level)
    margin = student_quantile((1.0 + level) / 2.0, degrees) * standard_error
    return Interval(max(centre - margin, lowest), min(centre + margin, highest), level)


def single_game_interval(won: int, games: int, *, level: float = 0.95) -> Interval:
    """Wilson's interval for a rate over single, independent games.

    **It misleads for games with swapped sides**, which are not independent: both games of a pair share their
    opening, and here the opening decides most games. Use `head_to_head`, which counts pairs. This interval is
    for games on openings that are each played once.

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


def elo_from_rate(rate: float) -> float:
    """The Elo difference whose expected rate this is.

    >>> elo_from_rate(0.5), round(elo_from_rate(0.75), 1)
    (0.0, 190.8)
    """
    rate = proper_share("rate", rate)
    return _POINTS * (log10(rate) - log10(1.0 - rate))


def rate_from_elo(elo: float) -> float:
    """The expected rate of a player who is that many Elo points better.

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
    """An Elo difference with its interval; None where the number is not finite.

    If every game was won, `value` and `high` are None, and `low` is finite. If every game was lost, `value`
    and `low` are None.

    >>> print(EloDifference.of(0.55, Interval(0.51, 0.59, 0.95)))
    +35 Elo (+7 to +63)
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
        """Half of the interval, the number after ±; None where an end of it is missing."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2.0

    def __str__(self) -> str:
        value = "no finite Elo" if self.value is None else f"{self.value:+.0f} Elo"
        low, high = ("no limit" if end is None else f"{end:+.0f}" for end in (self.low, self.high))
        return f"{value} ({low} to {high})"


# ---- the normal distribution and Student's t


# The fraction takes about as many steps as the square root of the larger parameter.
_MOST_STEPS = 100_000
_PRECISION = 1e-15
_TINY = 1e-300
# Above this many degrees the logarithms of the gamma function lose more digits than a normal approximation.
_NEARLY_NORMAL = 1e6


def normal_quantile(probability: float) -> float:
    """The quantile of the standard normal distribution."""
    return NormalDist().inv_cdf(proper_share("probability", probability))


def student_probability(value: float, degrees: float) -> float:
    """The probability that a variable with Student's t distribution is below the value."""
    value, degrees = finite("value", value), above_zero("degrees", degrees)
    tail = _student_tail(abs(value), degrees)
    return tail if value < 0 else 1.0 - tail


@lru_cache(maxsize=4096)
def student_quantile(probability: float, degrees: float) -> float:
    """The quantile of Student's t distribution.

    Ten blocks have nine degrees of freedom: their 95 % interval reaches 2.26 standard errors to each side, a
    normal one 1.96.

    >>> round(student_quantile(0.975, 9), 2)
    2.26
    """
    probability, degrees = proper_share("probability", probability), above_zero("degrees", degrees)
    if probability == 0.5:
        return 0.0
    wanted = min(probability, 1.0 - probability)
    low, high = 0.0, 1.0
    while _student_tail(high, degrees) > wanted:
        low, high = high, high * 2.0
        if high > 1e100:
            raise InvalidArgumentError(
                f"the quantile is beyond every float: probability={probability!r}, degrees={degrees!r}"
            )
    # Bisection to the last bit: slower than Newton's method, but safe in long tails.
    while low < (middle := (low + high) / 2.0) < high:
        if _student_tail(middle, degrees) > wanted:
            low = middle
        else:
            high = middle
    return high if probability > 0.5 else -high


def _student_tail(value: float, degrees: float) -> float:
    """P(T > value) for a value of at least 0."""
    if degrees > _NEARLY_NORMAL:
        if value > 40.0:
            return 0.0  # less than any float
        return erfc(value * (1.0 - (value * value + 1.0) / (4.0 * degrees)) / sqrt(2.0)) / 2.0
    squared = value * value
    # Each form is exact where the other one subtracts nearly equal numbers.
    if squared < 1.0:
        return (1.0 - incomplete_beta(squared / (degrees + squared), 0.5, degrees / 2.0)) / 2.0
    return incomplete_beta(degrees / (degrees + squared), degrees / 2.0, 0.5) / 2.0


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b): the probability that a beta variable is below x."""
    x, a, b = share("x", x), above_zero("a", a), above_zero("b", b)
    if x in (0.0, 1.0):
        return x
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    # The fraction converges fast on this side of the mean, and I_x(a, b) = 1 - I_{1-x}(b, a).
    if x < (a + 1.0) / (a + b + 2.0):
        return min(front * _beta_fraction(x, a, b) / a, 1.0)
    return max(1.0 - front * _beta_fraction(1.0 - x, b, a) / b, 0.0)


def _beta_fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    upper = 1.0
    lower = 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1.0))
    value = lower
    for step in range(1, _MOST_STEPS):
        even = step * (b - step) * x / ((a + 2 * step - 1.0) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1.0))
        for factor in (even, odd):
            lower = 1.0 / _away_from_zero(1.0 + factor * lower)
            upper = _away_from_zero(1.0 + factor / upper)
            change = lower * upper
            value *= change
        if abs(change - 1.0) < _PRECISION:
            return value
    raise InvalidArgumentError(f"the incomplete beta function does not converge: x={x!r}, a={a!r}, b={b!r}")


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY

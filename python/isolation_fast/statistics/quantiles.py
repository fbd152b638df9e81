"""The normal distribution and Student's t, from the standard library alone.

The t distribution is a regularised incomplete beta function, which is a continued fraction that converges in
some twenty steps. So comparing players takes no heavier package. The tests compare all of it with scipy.
"""

from functools import lru_cache
from math import erfc, exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.numbers import above_zero, finite, proper_share, share

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

"""How many blocks or pairs a question takes, before any is played.

Variances to plan with, measured between players of equal strength at 2,000 nodes: 0.010 for the mean of a
block of 14 games, 0.08 for the score of a pair. `gauntlet` and `head_to_head` report those of other players.
"""

from dataclasses import dataclass
from math import ceil, expm1, isfinite, sqrt

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.numbers import above_zero, difference, proper_share
from isolation_fast.statistics.quantiles import normal_quantile
from isolation_fast.statistics.sequential import decision_bounds

# Siegmund: on average a walk overshoots its bound by this many standard deviations of a step.
_OVERSHOOT = 0.583


def count_for_margin(margin: float, variance: float, *, level: float = 0.95) -> int:
    """How many blocks or pairs make an interval of ± `margin`.

    A baseline known to ± 0.3 points:

    >>> count_for_margin(0.003, 0.010)
    4269
    """
    margin, variance = above_zero("margin", margin), above_zero("variance", variance)
    quantile = normal_quantile((1.0 + proper_share("level", level)) / 2.0)
    return _whole(variance * (quantile / margin) * (quantile / margin))


def fixed_count(difference: float, variance: float, *, alpha: float = 0.05, beta: float = 0.1) -> int:
    """How many blocks or pairs show a difference, if their number is fixed beforehand.

    `alpha` is one-sided. Five points in a gauntlet, first against a known baseline, then with both measured
    over the same number of blocks each, where the variances add up:

    >>> fixed_count(0.05, 0.010), fixed_count(0.05, 2 * 0.010)
    (35, 69)
    """
    difference, variance = above_zero("difference", difference), above_zero("variance", variance)
    decision_bounds(alpha, beta)  # checks the error rates
    quantiles = normal_quantile(1.0 - alpha) + normal_quantile(1.0 - beta)
    return _whole(variance * (quantiles / difference) * (quantiles / difference))


def _whole(count: float) -> int:
    if not isfinite(count):
        raise InvalidArgumentError("so many blocks or pairs are needed that no float can hold their number")
    return max(ceil(count), 1)


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """What to expect of a sequential test if the true rate is `truth`.

    - `accepts_h1`: the probability that it accepts H1.
    - `count`: the mean number of blocks or pairs until it decides.
    """

    truth: float
    accepts_h1: float
    count: float


def operating_point(
    h0: float, h1: float, *, truth: float, variance: float, alpha: float = 0.05, beta: float = 0.1
) -> OperatingPoint:
    """What to expect of a sequential test, by Wald's approximation with Siegmund's correction.

    It takes the variance as known and has no minimum, so a `BlockTest` takes a few blocks more. The
    hypotheses may be rates or differences of rates. Five points in a gauntlet:

    >>> for truth in (0.0, 0.025, 0.05):
    ...     point = operating_point(0.0, 0.05, truth=truth, variance=0.010)
    ...     print(f"{100 * truth:3.1f}: H1 in {100 * point.accepts_h1:4.1f} %, {point.count:.0f} blocks")
    0.0: H1 in  3.5 %, 19 blocks
    2.5: H1 in 44.1 %, 34 blocks
    5.0: H1 in 92.8 %, 23 blocks
    """
    low, high, true = difference("h0", h0), difference("h1", h1), difference("truth", truth)
    if low >= high:
        raise InvalidArgumentError(f"h0 must be below h1, not h0={h0!r} and h1={h1!r}")
    variance = above_zero("variance", variance)
    lower, upper = decision_bounds(alpha, beta)
    # The ratio is a random walk: its mean step is `side * step²`, with the standard deviation `step`.
    step = (high - low) / sqrt(variance)
    upper, lower = upper + _OVERSHOOT * step, lower - _OVERSHOOT * step
    side = (true - (low + high) / 2.0) / (high - low)
    accepts = _reaches_upper(lower, upper, 2.0 * side)
    # Without drift the formula below would be 0 / 0.
    if abs(side) < 1e-9:
        count = (-lower / step) * (upper / step)
    else:
        count = (accepts * upper + (1.0 - accepts) * lower) / step / step / side
    if not (isfinite(count) and isfinite(accepts)):
        raise InvalidArgumentError(
            f"no float can hold the result: h0={h0!r}, h1={h1!r}, truth={truth!r}, variance={variance!r}"
        )
    return OperatingPoint(true, accepts, max(count, 1.0))


def _reaches_upper(lower: float, upper: float, pull: float) -> float:
    """The probability that a walk reaches `upper` before `lower`; `pull` is 2 · drift / variance."""
    if abs(pull) < 1e-9:
        return -lower / (upper - lower)
    # Only powers of e below 1, so that nothing overflows.
    if pull > 0.0:
        return expm1(pull * lower) / expm1(-pull * (upper - lower))
    return 1.0 - expm1(pull * upper) / expm1(pull * (upper - lower))

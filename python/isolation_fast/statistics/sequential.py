"""Sequential tests (GSPRT): play until the games have decided between two hypotheses, and no longer.

A test reads its observations one by one, in the order of the plan, and ignores those after the one that
decides. So a result depends neither on the number of workers nor on which game ends first.

The likelihood ratios are generalised: for each hypothesis, the spread is the one that fits it best.

How many blocks or pairs a question takes can be planned, with variances measured between players of equal
strength at 2,000 nodes: 0.010 for the mean of a block of 14 games, 0.08 for the score of a pair. `gauntlet`
and `head_to_head` report those of other players.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, expm1, isfinite, log, sqrt
from typing import ClassVar, Literal, TypeAlias

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.numbers import above_zero, difference, integer, proper_share, share
from isolation_fast.statistics.blocks import HALF_PAIR, VARIANCE_FLOOR
from isolation_fast.statistics.rates import normal_quantile, student_quantile

Decision: TypeAlias = Literal["H0", "H1"]
"""Which hypothesis a test accepted."""

MINIMUM = 10
"""Fewer observations say little about their spread. In simulations the error rates hold without a minimum."""


@dataclass(frozen=True, slots=True)
class SequentialResult:
    """How far a sequential test is.

    - `decision`: "H0", "H1", or None while it is undecided.
    - `count`: the blocks or pairs that it read, up to the one that decided.
    - `llr`: the log-likelihood ratio after them, 0 before the first.
    - `lower`, `upper`: the test accepts H0 at or below `lower`, H1 at or above `upper`.
    """

    decision: Decision | None
    count: int
    llr: float
    lower: float
    upper: float

    def __str__(self) -> str:
        said = "undecided" if self.decision is None else f"{self.decision} accepted"
        return f"{said} after {self.count}, LLR {self.llr:.2f} ({self.lower:.2f} to {self.upper:.2f})"


class _SequentialTest(ABC):
    """Hypotheses, bounds, count and decision of both tests."""

    _unit: ClassVar[str]

    def __init__(self, h0: float, h1: float, alpha: float, beta: float, minimum: int) -> None:
        self.h0, self.h1 = proper_share("h0", h0), proper_share("h1", h1)
        if self.h0 >= self.h1:
            raise InvalidArgumentError(f"h0 must be below h1, not h0={h0!r} and h1={h1!r}")
        self.lower, self.upper = decision_bounds(alpha, beta)
        # With one observation there is no spread, and no decision.
        self.minimum = integer(f"minimum_{self._unit}", minimum, 2)
        self._count = 0
        self._llr = 0.0
        self._decision: Decision | None = None

    @property
    def result(self) -> SequentialResult:
        """How far the test is."""
        return SequentialResult(self._decision, self._count, self._llr, self.lower, self.upper)

    def add(self, observation: float) -> Decision | None:
        """Read the next observation in the order of the plan; ignored once the test has decided."""
        value = self._checked(observation)
        if self._decision is None:
            self._count += 1
            self._llr = self._ratio_with(value)
            if self._count >= self.minimum and not self.lower < self._llr < self.upper:
                self._decision = "H0" if self._llr <= self.lower else "H1"
        return self._decision

    def extend(self, observations: Iterable[float]) -> SequentialResult:
        """Read the next observations, up to the one that decides."""
        if self._decision is None:
            for observation in observations:
                if self.add(observation) is not None:
                    break
        return self.result

    @abstractmethod
    def _checked(self, observation: float) -> float: ...

    @abstractmethod
    def _ratio_with(self, value: float) -> float: ...


class PairTest(_SequentialTest):
    """Whether the rate against one opponent is h0 or h1, by scores of side-swapped pairs (0, 1/2 or 1).

    `alpha` bounds the probability of accepting H1 if the rate is h0, `beta` that of accepting H0 if it is
    h1. Elo bounds are written `h0=rate_from_elo(0), h1=rate_from_elo(35)`.

    >>> test = PairTest(h0=0.5, h1=0.55)
    >>> print(test.extend([0.5, 1, 0.5, 0.5, 1, 0.5, 0.5, 1] * 10))
    H1 accepted after 34, LLR 3.04 (-2.30 to 3.00)
    """

    _unit = "pairs"

    def __init__(
        self, h0: float, h1: float, *, alpha: float = 0.05, beta: float = 0.1, minimum_pairs: int = MINIMUM
    ) -> None:
        super().__init__(h0, h1, alpha, beta, minimum_pairs)
        self._counts = [0, 0, 0]

    def _checked(self, observation: float) -> float:
        if observation not in (0, 0.5, 1):
            raise InvalidArgumentError(f"the score of a pair must be 0, 0.5 or 1, not {observation!r}")
        return observation

    def _ratio_with(self, value: float) -> float:
        self._counts[int(2 * value)] += 1
        lost, split, won = self._counts
        return pairs_log_ratio(lost, split, won, self.h0, self.h1)


class _Spread:
    """The mean and the variance of the blocks so far, by Welford's way, which loses no digits."""

    def __init__(self, floor: float) -> None:
        self._floor = proper_share("variance_floor", floor)
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        before = self.mean
        self.mean += (value - before) / self.count
        self._squares += (value - before) * (value - self.mean)

    @property
    def variance(self) -> float:
        return max(self._squares / max(self.count - 1, 1), self._floor)


class Width:
    """Whether enough blocks were read for an interval of at most ± `margin`.

    It looks at their spread alone, and not at which side they are on. So their mean stays unbiased, but for
    what a lopsided spread does, and the interval holds the true rate about as often as it says.

    >>> width = Width(margin=0.02, baseline_error=0.0015)
    >>> next(count for count, won in enumerate([11, 12, 10, 12] * 50, 1) if width.add(won / 14))
    38
    """

    def __init__(
        self,
        margin: float,
        baseline_error: float = 0.0,
        *,
        level: float = 0.95,
        minimum_blocks: int = MINIMUM,
        variance_floor: float = VARIANCE_FLOOR,
    ) -> None:
        self.margin, self._level = proper_share("margin", margin), proper_share("level", level)
        self._baseline_variance = share("baseline_error", baseline_error) ** 2
        self.minimum = integer("minimum_blocks", minimum_blocks, 2)
        self._spread = _Spread(variance_floor)
        self.is_narrow = False

    def add(self, observation: float) -> bool:
        """Read the next block; gives whether the interval was narrow enough after it or an earlier one."""
        self._spread.add(share("the mean of a block", observation))
        count = self._spread.count
        if not self.is_narrow and count >= self.minimum:
            error = sqrt(self._spread.variance / count + self._baseline_variance)
            self.is_narrow = student_quantile((1.0 + self._level) / 2.0, count - 1) * error <= self.margin
        return self.is_narrow


class BlockTest(_SequentialTest):
    """Whether a player's rate in a gauntlet is h0 or h1, by the means of complete blocks.

    `alpha` and `beta` are as in `PairTest`. To compare with a baseline that was measured elsewhere, give its
    rate as h0, and the standard error of that rate as `baseline_error`.

    >>> test = BlockTest(h0=0.70, h1=0.75, baseline_error=0.0015)
    >>> print(test.extend([11 / 14, 12 / 14, 10 / 14, 12 / 14] * 30))
    H1 accepted after 10, LLR 3.71 (-2.30 to 3.00)
    >>> test.add(0.0)
    'H1'
    """

    _unit = "blocks"

    def __init__(
        self,
        h0: float,
        h1: float,
        *,
        alpha: float = 0.05,
        beta: float = 0.1,
        baseline_error: float = 0.0,
        minimum_blocks: int = MINIMUM,
        variance_floor: float = VARIANCE_FLOOR,
    ) -> None:
        super().__init__(h0, h1, alpha, beta, minimum_blocks)
        self._baseline_variance = share("baseline_error", baseline_error) ** 2
        self._spread = _Spread(variance_floor)

    def _checked(self, observation: float) -> float:
        return share("the mean of a block", observation)

    def _ratio_with(self, value: float) -> float:
        self._spread.add(value)
        blocks = self._count
        # The baseline's error is the same for all blocks: its variance does not shrink with their number.
        variance = self._spread.variance + blocks * self._baseline_variance
        return blocks_log_ratio(blocks, self._spread.mean, variance, self.h0, self.h1)


def decision_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """The log-likelihood ratios at which a test stops.

    The probability that a likelihood ratio ever reaches 1/alpha is at most alpha (Ville's inequality). Wald's
    bounds, log(beta / (1 - alpha)) and log((1 - beta) / alpha), save some 3 % of the games, but keep the
    error rates only as far as the last observation oversteps the bound.

    >>> [round(bound, 2) for bound in decision_bounds(0.05, 0.1)]
    [-2.3, 3.0]
    """
    wrongly_h1, wrongly_h0 = proper_share("alpha", alpha), proper_share("beta", beta)
    if wrongly_h1 + wrongly_h0 >= 1.0:
        raise InvalidArgumentError(
            f"alpha and beta must be below 1 together, not alpha={alpha!r} and beta={beta!r}"
        )
    return log(wrongly_h0), -log(wrongly_h1)


def pairs_log_ratio(lost_both: int, one_each: int, won_both: int, h0: float, h1: float) -> float:
    """The log-likelihood of pairs at the rate h1 minus that at the rate h0.

    The likelihood at a rate is the greatest under any distribution over lost both, one each and won both with
    that rate. Half a pair at either end is the floor of the variance, as in `head_to_head`.
    """
    lost, won = lost_both + HALF_PAIR, won_both + HALF_PAIR
    return _pairs_log_likelihood(lost, one_each, won, h1) - _pairs_log_likelihood(lost, one_each, won, h0)


def _pairs_log_likelihood(lost: float, split: float, won: float, rate: float) -> float:
    """The greatest log-likelihood of these counts under any distribution with that rate.

    With w the probability of winning both, those of one each and of losing both are 2(rate - w) and 1 - 2
    rate + w. The likelihood is greatest where pairs w² - b w - won rate (1 - 2 rate) = 0.
    """
    if rate > 0.5:
        # The opponent's view of the same pairs, so that 1 - 2 rate is never negative below.
        lost, won, rate = won, lost, 1.0 - rate
    pairs = lost + split + won
    b = won * (3.0 * rate - 1.0) - split * (1.0 - 2.0 * rate) + lost * rate
    c = won * rate * (1.0 - 2.0 * rate)
    root = sqrt(b * b + 4.0 * pairs * c)
    # Two forms of the only positive root, so that nearly equal numbers are never subtracted.
    both = (b + root) / (2.0 * pairs) if b > 0 else 2.0 * c / (root - b)
    value = lost * log(1.0 - 2.0 * rate + both) + won * log(both)
    return value + split * log(2.0 * (rate - both)) if split else value


def blocks_log_ratio(blocks: int, mean: float, variance: float, h0: float, h1: float) -> float:
    """The log-likelihood of block means at the mean h1 minus that at h0, for an unknown variance.

    The blocks are taken as normal, with one degree of freedom spent on the variance. `variance` is the
    estimate over these blocks, with floor and baseline.
    """
    # A mean far beyond both hypotheses is as improbable under the one as under the other, so the ratio would
    # fall again. It is held at its peak, so that a much better player is recognised no later than a slightly
    # better one.
    middle, half = (h0 + h1) / 2.0, (h1 - h0) / 2.0
    reach = sqrt(variance + half * half)
    held = min(max(mean, middle - reach), middle + reach)
    return (blocks - 1) / 2.0 * log((variance + (held - h0) ** 2) / (variance + (held - h1) ** 2))


# ---- planning


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

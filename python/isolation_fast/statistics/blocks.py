"""Gauntlets in blocks, and two players head to head in pairs: one opening from both sides.

A block is one opening against all opponents, 14 games for seven. They share their opening, so they are one
observation: their mean. Blocks are independent.

```text
 opening   against Random   MM_Open   ...   AB_Improved     block mean
    1           1 1           1 0     ...       0 1          10 of 14     an observation
    2           1 1           0 1     ...       0 0           8 of 14     another one
```

This game has no draws, so a pair has three outcomes:

```text
 games of the pair      score   says
 lost both                0     the opponent is better
 won one, lost one       1/2    the opening was worth more than the difference between the players
 won both                 1     this player is better
```
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, sqrt

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.numbers import above_zero, integer, proper_share, share
from isolation_fast.statistics.rates import EloDifference, Interval, student_interval, student_probability

VARIANCE_FLOOR = 0.001
"""The smallest variance that the mean of a block is taken to have.

About 0.01 was measured for the classic roster. A tenth of that is reached where 98 % of 14 games are won or
lost. Without a floor, a few blocks that happen to be alike would pass for certainty; with it, 10 blocks all
won mean at least 97.7 %.
"""


@dataclass(frozen=True, slots=True)
class GauntletRate:
    """The share of games won in a gauntlet, from the means of its blocks.

    - `blocks`: how many there were.
    - `rate`: the mean of the block means.
    - `variance`: of the mean of one block, not below the floor.
    - `standard_error`: of the rate.
    - `interval`: the confidence interval of the rate, by Student's t with blocks - 1 degrees of freedom.

    >>> print(gauntlet([10 / 14, 8 / 14, 11 / 14, 10 / 14, 9 / 14]))
    68.6 % in 5 blocks, 58.5 to 78.7 % (95 %)
    """

    blocks: int
    rate: float
    variance: float
    standard_error: float
    interval: Interval

    def __str__(self) -> str:
        blocks = f"{self.blocks} block{'' if self.blocks == 1 else 's'}"
        return f"{100 * self.rate:.1f} % in {blocks}, {self.interval.in_percent()}"


@dataclass(frozen=True, slots=True)
class Difference:
    """A gauntlet's rate minus that of a baseline.

    - `value`: the difference of the rates; 0.05 is five points.
    - `standard_error`: of the difference, the baseline's included.
    - `interval`: the confidence interval of the difference.
    - `superiority`: the likelihood of superiority (LOS), from 0 to 1.

    >>> print(difference_to_baseline([0.8, 0.7, 0.75, 0.85], baseline_rate=0.7, baseline_error=0.0015))
    +7.5 points, -2.8 to +17.8 (95 %)
    """

    value: float
    standard_error: float
    interval: Interval
    superiority: float

    def __str__(self) -> str:
        low, high = 100 * self.interval.low, 100 * self.interval.high
        level = f"{100 * self.interval.level:.4g} %"
        return f"{100 * self.value:+.1f} points, {low:+.1f} to {high:+.1f} ({level})"


def gauntlet(
    block_means: Iterable[float],
    *,
    weights: Iterable[float] | None = None,
    level: float = 0.95,
    variance_floor: float = VARIANCE_FLOOR,
) -> GauntletRate:
    """A player's rate, from the means of complete blocks.

    It needs at least one block. The interval of a single block is the whole range from 0 to 1. `weights` are
    the sizes of blocks that differ in size, such as moves from won positions: the rate is then that of all of
    them together, and the variance that of a ratio of two sums over blocks.

    >>> all_won = gauntlet([1.0] * 10)
    >>> all_won.rate, round(all_won.interval.low, 3), all_won.interval.high
    (1.0, 0.977, 1.0)
    >>> print(gauntlet([1 / 10, 3 / 20, 0 / 10], weights=[10, 20, 10]))
    10.0 % in 3 blocks, 0.0 to 28.6 % (95 %)
    """
    floor = proper_share("variance_floor", variance_floor)
    means = list(block_means)
    if not all(type(mean) is float and 0.0 <= mean <= 1.0 for mean in means):  # there may be 20,000
        means = [share(f"block_means[{index}]", mean) for index, mean in enumerate(means)]
    blocks = len(means)
    if blocks == 0:
        raise InvalidArgumentError("0 blocks say nothing: block_means is empty")
    sizes = [1.0] * blocks if weights is None else [above_zero("weights", each) for each in weights]
    if len(sizes) != blocks:
        raise InvalidArgumentError(f"{len(sizes)} weights of {blocks} blocks: each block needs one")
    # `fsum` rounds once: all won is exactly 1, whatever the number of blocks.
    whole = fsum(sizes)
    rate = fsum(mean * size for mean, size in zip(means, sizes, strict=True)) / whole
    apart = ((mean - rate) * size * blocks / whole for mean, size in zip(means, sizes, strict=True))
    variance = fsum(each**2 for each in apart) / max(blocks - 1, 1)
    variance = max(variance, floor)
    error = sqrt(variance / blocks)
    interval = student_interval(rate, error, blocks - 1, level, 0.0, 1.0)
    return GauntletRate(blocks, rate, variance, error, interval)


def difference_to_baseline(
    block_means: Iterable[float],
    *,
    baseline_rate: float,
    baseline_error: float,
    level: float = 0.95,
    variance_floor: float = VARIANCE_FLOOR,
) -> Difference:
    """A gauntlet's rate minus that of a baseline, which was measured over other blocks.

    `baseline_error` is the standard error of the baseline's rate; it enters the interval.

    >>> above = difference_to_baseline([0.75, 0.5, 1.0], baseline_rate=0.5, baseline_error=0.0)
    >>> above.value, round(above.superiority, 3)
    (0.25, 0.887)
    """
    measured = gauntlet(block_means, level=level, variance_floor=variance_floor)
    base, base_error = share("baseline_rate", baseline_rate), share("baseline_error", baseline_error)
    value = measured.rate - base
    error = sqrt(measured.standard_error**2 + base_error**2)
    # Welch's formula gives a few degrees more, and so a narrower interval for a less certain baseline.
    degrees = measured.blocks - 1
    interval = student_interval(value, error, degrees, level, -1.0, 1.0)
    superiority = student_probability(value / error, degrees) if degrees > 0 else 0.5
    return Difference(value, error, interval, superiority)


# ---- pairs


HALF_PAIR = 0.5
"""The floor of the variance over pairs: half a pair more lost, and half a pair more won.

A few pairs are often all alike (one each, or all won). Their variance is then 0, and the interval a point:
where 98 % of pairs are won, it would cover the true rate in 10 % of cases for 5 pairs, in 64 % for 50. With
this floor it does in at least 94.3 % of cases, for 5 to 100 pairs of nine kinds from even to hopeless.
"""


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """A player against one opponent, in side-swapped pairs.

    - `lost_both`, `one_each`, `won_both`: how many pairs ended this way.
    - `rate`: the share of games won.
    - `variance`: of the score of one pair (0, 1/2 or 1), not below the floor.
    - `standard_error`: of the rate.
    - `interval`: the confidence interval of the rate, by Student's t with pairs - 1 degrees of freedom.
    - `elo`: rate and interval as an Elo difference.
    - `superiority`: the likelihood of superiority (LOS), from 0 to 1.

    >>> print(head_to_head(lost_both=10, one_each=70, won_both=20))
    55.0 % of 200 games in 100 pairs, 49.6 to 60.4 % (95 %), +35 Elo (-3 to +73), LOS 96.5 %
    """

    lost_both: int
    one_each: int
    won_both: int
    rate: float
    variance: float
    standard_error: float
    interval: Interval
    elo: EloDifference
    superiority: float

    @property
    def pairs(self) -> int:
        """How many openings were played from both sides."""
        return self.lost_both + self.one_each + self.won_both

    @property
    def games(self) -> int:
        """Two for each pair."""
        return 2 * self.pairs

    def __str__(self) -> str:
        return (
            f"{100 * self.rate:.1f} % of {self.games} games in {self.pairs} pairs, "
            f"{self.interval.in_percent()}, {self.elo}, LOS {100 * self.superiority:.1f} %"
        )


def head_to_head(lost_both: int, one_each: int, won_both: int, *, level: float = 0.95) -> HeadToHead:
    """Rate, interval, Elo and likelihood of superiority, from pairs.

    It needs at least one pair. A single pair has no spread: its interval is the whole range from 0 to 1, and
    its likelihood of superiority 0.5.

    >>> result = head_to_head(0, 0, 20)
    >>> result.rate, round(result.interval.low, 3), result.interval.high
    (1.0, 0.929, 1.0)
    >>> print(result.elo)
    no finite Elo (+446 to no limit)
    """
    lost, split = integer("lost_both", lost_both, 0), integer("one_each", one_each, 0)
    won = integer("won_both", won_both, 0)
    pairs = lost + split + won
    if pairs == 0:
        raise InvalidArgumentError("0 pairs say nothing: lost_both, one_each and won_both are all 0")
    rate = (split / 2.0 + won) / pairs
    variance = _variance(lost + HALF_PAIR, split, won + HALF_PAIR)
    if pairs > 1:
        variance = max(variance, _variance(lost, split, won) * pairs / (pairs - 1))
    error = sqrt(variance / pairs)
    interval = student_interval(rate, error, pairs - 1, level, 0.0, 1.0)
    superiority = student_probability((rate - 0.5) / error, pairs - 1) if pairs > 1 else 0.5
    elo = EloDifference.of(rate, interval)
    return HeadToHead(lost, split, won, rate, variance, error, interval, elo, superiority)


def _variance(lost: float, split: float, won: float) -> float:
    """The variance of a score that is 0, 1/2 or 1 that often, without Bessel's correction."""
    pairs = lost + split + won
    mean = (split / 2.0 + won) / pairs
    return (lost * mean**2 + split * (0.5 - mean) ** 2 + won * (1.0 - mean) ** 2) / pairs

"""A gauntlet in blocks: one opening, all opponents, both sides; 14 games for seven opponents.

The games of a block share their opening, so they are one observation: their mean. Blocks are independent.

```text
 opening   against Random   MM_Open   ...   AB_Improved     block mean
    1           1 1           1 0     ...       0 1          10 of 14     an observation
    2           1 1           0 1     ...       0 0           8 of 14     another one
```
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, sqrt

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.numbers import proper_share, share
from isolation_fast.statistics.quantiles import student_probability
from isolation_fast.statistics.rates import Interval, student_interval

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
    block_means: Iterable[float], *, level: float = 0.95, variance_floor: float = VARIANCE_FLOOR
) -> GauntletRate:
    """A player's rate, from the means of complete blocks.

    It needs at least one block. The interval of a single block is the whole range from 0 to 1.

    >>> all_won = gauntlet([1.0] * 10)
    >>> all_won.rate, round(all_won.interval.low, 3), all_won.interval.high
    (1.0, 0.977, 1.0)
    """
    floor = proper_share("variance_floor", variance_floor)
    means = [share(f"block_means[{index}]", mean) for index, mean in enumerate(block_means)]
    blocks = len(means)
    if blocks == 0:
        raise InvalidArgumentError("0 blocks say nothing: block_means is empty")
    # `fsum` rounds once: all won is exactly 1, whatever the number of blocks.
    rate = fsum(means) / blocks
    variance = fsum((mean - rate) ** 2 for mean in means) / max(blocks - 1, 1)
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

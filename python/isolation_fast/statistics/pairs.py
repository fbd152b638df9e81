"""Two players head to head, counted in pairs: one opening, played from both sides.

There are no draws in this game, so a pair has three outcomes, and which of them tell anything is easily seen:

```text
 games of the pair      score   says
 lost both                0     the other one is better
 won one, lost one       1/2    nothing but that the opening was worth more than the difference
 won both                 1     this one is better
```
"""

from dataclasses import dataclass
from math import sqrt

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.numbers import integer
from isolation_fast.statistics.elo import EloDifference
from isolation_fast.statistics.intervals import Interval, student_interval
from isolation_fast.statistics.quantiles import student_probability

__all__ = ["HALF_PAIR", "HeadToHead", "head_to_head"]

HALF_PAIR = 0.5
"""The floor of the variance over pairs: that of half a pair more lost, and half a pair more won.

Few pairs are often all alike (one each, or all won). Their own variance is 0 then, and the interval a point:
where 98 % of pairs are won it would hold the true rate in 10 % of cases for 5 pairs, in 64 % for 50. With
this floor it does in at least 94.3 % of cases, for 5 to 100 pairs of nine kinds from even to hopeless.
"""


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """How a player did against one other, in side-swapped pairs.

    - `lost_both`, `one_each`, `won_both`: how many pairs ended so.
    - `rate`: the share of games won.
    - `variance`: of the score of one pair (0, 1/2 or 1), not below the floor.
    - `standard_error`: of the rate.
    - `interval`: where the true rate is, by Student's t with one degree of freedom less than pairs.
    - `elo`: rate and interval as an Elo difference.
    - `superiority`: the likelihood of being the better one of the two (LOS), from 0 to 1.

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
    """What pairs say of two players: rate, interval, Elo and likelihood of superiority.

    At least one pair is needed. A single one gives the whole range from 0 to 1 as its interval, and 0.5 as
    its likelihood of superiority, since nothing can be said about its spread.

    >>> result = head_to_head(0, 0, 20)
    >>> result.rate, round(result.interval.low, 3), result.interval.high
    (1.0, 0.929, 1.0)
    >>> print(result.elo)
    no finite Elo (+446 to no limit)
    """
    counts = [
        integer(name, value, 0)
        for name, value in (("lost_both", lost_both), ("one_each", one_each), ("won_both", won_both))
    ]
    lost, split, won = counts
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
    """The variance of a score that is 0, 1/2 or 1 that often, without the correction for few."""
    pairs = lost + split + won
    mean = (split / 2.0 + won) / pairs
    return (lost * mean**2 + split * (0.5 - mean) ** 2 + won * (1.0 - mean) ** 2) / pairs

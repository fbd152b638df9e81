"""How much more probable the games are under one hypothesis than under another.

Both ratios are generalised ones: what a hypothesis leaves open (the spread) is chosen as favourably as
possible for it.
"""

from math import log, sqrt

from isolation_fast.statistics.pairs import HALF_PAIR

__all__ = ["blocks_log_ratio", "pairs_log_ratio"]


def pairs_log_ratio(lost_both: int, one_each: int, won_both: int, h0: float, h1: float) -> float:
    """The log-likelihood of pairs at the rate h1 less that at the rate h0.

    The likelihood at a rate is that of the most probable distribution over lost both, one each and won both
    that has this rate. Half a pair at either end is the floor of the variance, as in `head_to_head`.

    >>> round(pairs_log_ratio(10, 70, 20, 0.5, 0.55), 3)
    1.642
    >>> pairs_log_ratio(10, 70, 20, 0.5, 0.55) == -pairs_log_ratio(10, 70, 20, 0.55, 0.5)
    True
    """
    lost, won = lost_both + HALF_PAIR, won_both + HALF_PAIR
    return _pairs_log_likelihood(lost, one_each, won, h1) - _pairs_log_likelihood(lost, one_each, won, h0)


def _pairs_log_likelihood(lost: float, split: float, won: float, rate: float) -> float:
    """The greatest log-likelihood of such counts under any distribution with that rate.

    With w the probability of winning both, those of one each and of losing both are 2(rate - w) and 1 - 2
    rate + w. Where the likelihood is greatest, pairs w² - b w - won rate (1 - 2 rate) = 0.
    """
    if rate > 0.5:
        # The same seen by the other player, so that 1 - 2 rate is never negative below.
        lost, won, rate = won, lost, 1.0 - rate
    pairs = lost + split + won
    b = won * (3.0 * rate - 1.0) - split * (1.0 - 2.0 * rate) + lost * rate
    c = won * rate * (1.0 - 2.0 * rate)
    root = sqrt(b * b + 4.0 * pairs * c)
    # Two forms of the one root above 0, so that nearly equal numbers are never subtracted.
    both = (b + root) / (2.0 * pairs) if b > 0 else 2.0 * c / (root - b)
    value = lost * log(1.0 - 2.0 * rate + both) + won * log(both)
    return value + split * log(2.0 * (rate - both)) if split else value


def blocks_log_ratio(blocks: int, mean: float, variance: float, h0: float, h1: float) -> float:
    """The log-likelihood of block means at the mean h1 less that at h0, their variance being unknown.

    It is that of normal observations with one degree of freedom spent on the variance. `variance` is the
    estimate over these blocks, floor and baseline included.

    >>> round(blocks_log_ratio(20, 0.76, 0.01, 0.70, 0.75), 3)
    2.827

    A mean far beyond both hypotheses is as improbable under the one as under the other, so the ratio would
    fall again. It is held at its peak: who is much better is not found out later than who is a little better.

    >>> blocks_log_ratio(20, 0.90, 0.01, 0.70, 0.75) == blocks_log_ratio(20, 0.95, 0.01, 0.70, 0.75)
    True
    """
    middle, half = (h0 + h1) / 2.0, (h1 - h0) / 2.0
    reach = sqrt(variance + half * half)
    held = min(max(mean, middle - reach), middle + reach)
    return (blocks - 1) / 2.0 * log((variance + (held - h0) ** 2) / (variance + (held - h1) ** 2))

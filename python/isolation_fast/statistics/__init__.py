"""How good a player is, how sure that is, and how many games it takes.

Here the opening decides most games, so single games say little. All of this counts pairs (one opening from
both sides) or blocks (one opening, all opponents, both sides), as docs/statistics.md explains.

All functions are pure, take plain numbers, and return frozen results without infinities. An invalid number is
an `InvalidArgumentError` that names it.
"""

from isolation_fast.statistics.blocks import (
    VARIANCE_FLOOR,
    Difference,
    GauntletRate,
    HeadToHead,
    difference_to_baseline,
    gauntlet,
    head_to_head,
)
from isolation_fast.statistics.rates import (
    EloDifference,
    Interval,
    elo_from_rate,
    rate_from_elo,
    single_game_interval,
    student_quantile,
)
from isolation_fast.statistics.sequential import (
    BlockTest,
    Decision,
    OperatingPoint,
    PairTest,
    SequentialResult,
    Width,
    count_for_margin,
    decision_bounds,
    fixed_count,
    operating_point,
)

__all__ = [
    "VARIANCE_FLOOR",
    "BlockTest",
    "Decision",
    "Difference",
    "EloDifference",
    "GauntletRate",
    "HeadToHead",
    "Interval",
    "OperatingPoint",
    "PairTest",
    "SequentialResult",
    "Width",
    "count_for_margin",
    "decision_bounds",
    "difference_to_baseline",
    "elo_from_rate",
    "fixed_count",
    "gauntlet",
    "head_to_head",
    "operating_point",
    "rate_from_elo",
    "single_game_interval",
    "student_quantile",
]

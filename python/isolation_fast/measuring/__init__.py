"""Measuring what a node costs with a heuristic, and what play shows of that cost.

>>> measure(lambda game, player: 0.0, rounds=1, nodes=50).value < 1
True
"""

from isolation_fast.measuring.in_play import (
    QUICK_THERE,
    CostInPlay,
    CostSource,
    CpuUse,
    MeasuredCost,
    ObservedCost,
    cost_in_play,
    observed_cost,
)
from isolation_fast.measuring.nodes import Sample, Timing, from_samples, measure, positions

__all__ = [
    "QUICK_THERE",
    "CostInPlay",
    "CostSource",
    "CpuUse",
    "MeasuredCost",
    "ObservedCost",
    "Sample",
    "Timing",
    "cost_in_play",
    "from_samples",
    "measure",
    "observed_cost",
    "positions",
]

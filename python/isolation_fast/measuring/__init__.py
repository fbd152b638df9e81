"""Measuring what a node costs with a heuristic, and what play shows of that cost.

| name | what it is |
|---|---|
| `measure` | the cost of any heuristic, measured now |
| `positions`, `Timing`, `Sample`, `from_samples` | the parts of a measurement |
| `cost_in_play`, `CostInPlay`, `CostSource` | the cost that a heuristic plays at: given, stored or measured |
| `MeasuredCost` | what was measured of a heuristic in the jail |
| `CpuUse`, `ObservedCost`, `observed_cost` | what its searches took in play |

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

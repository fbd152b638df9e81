"""Measuring what a node costs with a heuristic, and what play shows of that cost.

>>> measure(lambda game, player: 0.0, rounds=1, nodes=50).value < 1
True
"""

from isolation_fast.measuring.in_play import (
    MOST_OF_A_TURN,
    NOT_COMPILED,
    CompiledUse,
    CostInPlay,
    CostSource,
    Meter,
    ObservedCost,
    Spent,
    cost_in_play,
    observed_cost,
)
from isolation_fast.measuring.nodes import Sample, Timing, from_samples, measure, positions

__all__ = [
    "MOST_OF_A_TURN",
    "NOT_COMPILED",
    "CompiledUse",
    "CostInPlay",
    "CostSource",
    "Meter",
    "ObservedCost",
    "Sample",
    "Spent",
    "Timing",
    "cost_in_play",
    "from_samples",
    "measure",
    "observed_cost",
    "positions",
]

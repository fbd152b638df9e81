"""Measuring what a node costs with a heuristic: the plain search on the reference board, in CPU time.

| name | what it is |
|---|---|
| `measure` | the cost of any heuristic, measured now |
| `positions`, `Timing`, `Sample`, `from_samples` | the parts of a measurement |

>>> measure(lambda game, player: 0.0, rounds=1, nodes=50).value < 1
True
"""

from isolation_fast.measuring.nodes import Sample, Timing, from_samples, measure
from isolation_fast.measuring.positions import positions

__all__ = ["Sample", "Timing", "from_samples", "measure", "positions"]

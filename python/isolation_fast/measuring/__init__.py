"""Measuring what a node costs with a native heuristic, and how fast this machine is.

>>> measure("null", rounds=1, nodes=50).value < 1
True
"""

from isolation_fast.measuring.nodes import (
    Timing,
    measure,
    nodes_with_improved,
    positions,
    scale_here,
    scale_of,
)

__all__ = ["Timing", "measure", "nodes_with_improved", "positions", "scale_here", "scale_of"]

"""Every heuristic of the engine once more, as a student would write it over the public methods of a board.

In the formulas p is the player that is scored and o its opponent; L(x) are the moves of x, all blank cells
before it is placed; loc(x) is its cell; H and W are height and width. A term that needs the cell of a player
who is not placed counts 0.

Sums of fractions are written as loops: `sum` rounds otherwise from Python 3.12 on. They run in a fixed order,
by column or from the nearest cells outwards, since rounding depends on it.

`HEURISTICS` has all of them by name. A heuristic with parameters takes them as keywords:

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1")
>>> HEURISTICS["aggressive"](board, "player 1"), HEURISTICS["aggressive"](board, "player 1", factor=1.5)
(4.0, 5.0)
"""

from isolation_fast.reference.heuristics.baselines import BASELINES, Family, Heuristic, weighted_sum
from isolation_fast.reference.heuristics.blends import BLENDS, CONTINUATIONS
from isolation_fast.reference.heuristics.distance import DECAY, DISTANCE, FLOODS
from isolation_fast.reference.heuristics.mobility import MOBILITY, WEIGHTS
from isolation_fast.reference.heuristics.space import CLUSTERS, SPACE

__all__ = ["FAMILIES", "HEURISTICS", "Family", "Heuristic", "weighted_sum"]

FAMILIES = (BASELINES, MOBILITY, WEIGHTS, DISTANCE, DECAY, FLOODS, SPACE, CONTINUATIONS, BLENDS, CLUSTERS)
"""All families, in the order of the registry."""
HEURISTICS: dict[str, Heuristic] = {name: twin for family in FAMILIES for name, twin in family.twins.items()}

"""What a node costs with a heuristic, so that players with different heuristics can spend the same.

The cost of a heuristic is how many nodes a second the plain search of `isolation_fast.reference` makes with
`improved`, over how many it makes with this heuristic: on the reference board, whose nodes cost what those of
the course's board cost, in CPU time, in turn, over positions of all stages. So `improved` costs 1.
`isolation_fast.measuring` measures a cost.

>>> from isolation_fast import Board, search
>>> of("improved")
Cost(1.0)
>>> search(Board(), "bfs", work=COURSE_WORK).nodes == round(COURSE_WORK / of("bfs").at(49, 49))
True
"""

from isolation_fast.cost.definition import (
    BANDS,
    COURSE_WORK,
    NODES,
    ROUNDS,
    STEP,
    Cost,
    band_in_words,
    band_of,
    checked_cost,
)
from isolation_fast.cost.prices import (
    GROWING,
    NODE,
    OF_INSTRUCTIONS,
    OF_SIZES,
    PRICES_VERSION,
    WITH_IMPROVED,
)
from isolation_fast.cost.table import Costs, load, of

__all__ = [
    "BANDS",
    "COURSE_WORK",
    "GROWING",
    "NODE",
    "NODES",
    "OF_INSTRUCTIONS",
    "OF_SIZES",
    "PRICES_VERSION",
    "ROUNDS",
    "STEP",
    "WITH_IMPROVED",
    "Cost",
    "Costs",
    "band_in_words",
    "band_of",
    "checked_cost",
    "load",
    "of",
]

"""What a node costs with a heuristic, so that players with different heuristics can spend the same.

The cost of a heuristic is what a node with it costs by the price list, over what one with `improved` costs
where the search begins: over turns of games of all stages. So `improved` costs 1.
`isolation_fast.counting` counts a cost.

>>> from isolation_fast import Board, search
>>> of("improved")
Cost(1.0)
>>> search(Board(), "bfs", work=COURSE_WORK).nodes == round(COURSE_WORK / of("bfs").at(49, 49))
True
"""

from isolation_fast.cost.definition import (
    BANDS,
    COURSE_WORK,
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
from isolation_fast.cost.table import Costs, of

__all__ = [
    "BANDS",
    "COURSE_WORK",
    "GROWING",
    "NODE",
    "OF_INSTRUCTIONS",
    "OF_SIZES",
    "PRICES_VERSION",
    "WITH_IMPROVED",
    "Cost",
    "Costs",
    "band_in_words",
    "band_of",
    "checked_cost",
    "of",
]

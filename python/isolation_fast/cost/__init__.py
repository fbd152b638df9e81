"""What a node costs with a heuristic, so that players with different heuristics can spend the same.

The cost of a heuristic is how many nodes a second the plain search of `isolation_fast.reference` makes with
`improved`, over how many it makes with this heuristic: on the reference board, whose nodes cost what those of
the course's board cost, in CPU time, in turn, over positions of all stages. So `improved` costs 1.

| name | what it is |
|---|---|
| `of` | the cost of a native heuristic, from the table that comes with the package |
| `measure` | the cost of any heuristic, measured now |
| `Cost` | a cost, with one for each of the `BANDS` of blank cells where it varies |
| `load`, `Costs` | a table in the format that `isolation-fast cost --json` prints |
| `COURSE_WORK` | what the course's 150 ms bought |
| `positions`, `Timing`, `Sample`, `from_samples` | the parts of a measurement |

>>> from isolation_fast import Board, search
>>> of("improved")
Cost(1.0)
>>> search(Board(), "bfs", work=COURSE_WORK).nodes == round(COURSE_WORK / of("bfs").at(49, 49))
True
>>> measure(lambda game, player: 0.0, rounds=1, nodes=50).value < 1
True
"""

from isolation_fast.budgets import COURSE_WORK
from isolation_fast.cost.measuring import Sample, Timing, from_samples, measure
from isolation_fast.cost.positions import positions
from isolation_fast.cost.table import Costs, load, of
from isolation_fast.costs import BANDS, Cost

__all__ = [
    "BANDS",
    "COURSE_WORK",
    "Cost",
    "Costs",
    "Sample",
    "Timing",
    "from_samples",
    "load",
    "measure",
    "of",
    "positions",
]

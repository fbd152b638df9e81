"""Every heuristic of the engine once more, as a student would write it over the public methods of a board.

| module | what its heuristics measure |
|---|---|
| `baselines` | what the course itself offers |
| `mobility` | moves, now and one step on |
| `weights` | moves and cells, by how near they are to the middle |
| `distance` | the way to the centre and to the opponent |
| `decay` | blank cells, by their distance on an empty board |
| `floods` | cells in reach, by their distance through blank ones |
| `space` | blank cells around a player |
| `continuations` | the whole tree of play below a position |
| `blends` | mobility and space by how full the board is, and the tree near the end |
| `clusters` | the least occupied part of the board |

`endings` has what they share, and `sums` makes one heuristic of several.

In the formulas p is the player that is scored and o its opponent; L(x) are the moves of x, all blank cells
before it is placed; loc(x) is its cell; H and W are height and width. `HEURISTICS` has all of them by name.
A heuristic with parameters takes them as keywords:

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1")
>>> HEURISTICS["aggressive"](board, "player 1"), aggressive_score(board, "player 1", factor=1.5)
(4.0, 5.0)
>>> HEURISTICS["knight_decay_2"](board, "player 1") == knight_decay(0.5)(board, "player 1")
True
"""

from isolation_fast.reference.heuristics import (
    baselines,
    blends,
    clusters,
    continuations,
    decay,
    distance,
    floods,
    mobility,
    space,
    weights,
)
from isolation_fast.reference.heuristics.baselines import (
    center_score,
    improved_score,
    null_score,
    open_move_score,
)
from isolation_fast.reference.heuristics.decay import knight_decay
from isolation_fast.reference.heuristics.endings import Heuristic
from isolation_fast.reference.heuristics.mobility import aggressive_score
from isolation_fast.reference.heuristics.sums import weighted_sum

__all__ = [
    "HEURISTICS",
    "Heuristic",
    "aggressive_score",
    "center_score",
    "improved_score",
    "knight_decay",
    "null_score",
    "open_move_score",
    "weighted_sum",
]

FAMILIES = (baselines, mobility, weights, distance, decay, floods, space, continuations, blends, clusters)
HEURISTICS: dict[str, Heuristic] = {
    name: heuristic for family in FAMILIES for name, heuristic in family.HEURISTICS.items()
}

"""Weights: a cell counts the more, the nearer it is to the middle.

The weight of a cell is 1 in the middle of the board and falls by half towards each edge. The formulas count
alone, at the end of a game too.

     0.25  0.38  0.50  0.38  0.25
     0.38  0.56  0.75  0.56  0.38
     0.50  0.75  1.00  0.75  0.50
     0.38  0.56  0.75  0.56  0.38
     0.25  0.38  0.50  0.38  0.25

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1", "p", "q")
>>> weight(board, (0, 0)), weight(board, (1, 2)), weight(board, (2, 2))
(0.25, 0.75, 1.0)
>>> weighted_open_score(board, "p"), weighted_improved_score(board, "p")
(6.0, 5.25)
"""

from __future__ import annotations

from typing import Any

from isolation_fast.reference.heuristics.endings import Heuristic
from isolation_fast.reference.ordering import column_major


def weight(game: Any, cell: tuple[int, int]) -> float:
    """Return (1 - 0.5 · |row - x0| / ((W - 1) / 2)) · (1 - 0.5 · |column - y0| / ((H - 1) / 2)).

    x0 = (W + 1) / 2 - 1 and y0 = (H + 1) / 2 - 1. The report measures rows by the width and columns by the
    height, which is the same on a square board. A factor whose side is 1 counts 1.
    """
    row, column = cell
    factors = 1.0
    for place, side in ((row, game.width), (column, game.height)):
        if side > 1:
            middle = (side + 1) / 2 - 1
            factors *= 1 - 0.5 * abs(place - middle) / ((side - 1) / 2)
    return factors


def weighted_open_score(game: Any, player: Any) -> float:
    """Return |L(p)| · w(loc(p)), the player's moves by the weight of the cell it stands on."""
    location = game.get_player_location(player)
    if location is None:
        return 0.0
    # No moves times a weight below 0, as there are where the sides differ, is a zero with a sign.
    return len(game.get_legal_moves(player)) * weight(game, location) + 0.0


def weighted_improved_score(game: Any, player: Any) -> float:
    """Return |L(p)| · w(loc(p)) - |L(o)| · w(loc(o))."""
    return weighted_open_score(game, player) - weighted_open_score(game, game.get_opponent(player))


def weighted_moves_score(game: Any, player: Any) -> float:
    """Return the weights of the cells that the player can move to, less those of the opponent's."""
    return _weight_of_moves(game, player) - _weight_of_moves(game, game.get_opponent(player))


def _weight_of_moves(game: Any, player: Any) -> float:
    total = 0.0
    for move in sorted(game.get_legal_moves(player), key=column_major):
        total += weight(game, move)
    return total


HEURISTICS: dict[str, Heuristic] = {
    "weighted_open": weighted_open_score,
    "weighted_improved": weighted_improved_score,
    "weighted_moves": weighted_moves_score,
}

"""Weighted sums of heuristics.

>>> from isolation_fast.reference import Board
>>> from isolation_fast.reference.heuristics import improved_score, null_score, open_move_score
>>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1", "p", "q")
>>> cautious = weighted_sum([(open_move_score, 0.5), (improved_score, 1.0)])
>>> cautious(board, "p")
7.0

An infinite value says that the game is won or lost. It is no amount that a weight could change:

>>> over = Board.from_text("3x3 xxx/x1x/xxx 0,1 2,2 2", "p", "q")
>>> weighted_sum([(null_score, 0.0), (improved_score, -1.0)])(over, "p")
inf
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isinf
from sys import float_info
from typing import Any

from isolation_fast.reference.heuristics.endings import Heuristic


def weighted_sum(parts: Iterable[tuple[Heuristic, float]]) -> Heuristic:
    """Return the sum of heuristics, each times its weight, in the order given.

    Where a part is infinite, the sum is what the first of those says. So a sum of heuristics that end a game
    in the same way ends it in that way too. What is too large for a float is the largest float.
    """
    weighted = list(parts)

    def score(game: Any, player: Any) -> float:
        total = 0.0
        for heuristic, weight in weighted:
            value = heuristic(game, player)
            if isinf(value):
                return value
            total = _bounded(total + _bounded(weight * value))
        return total

    return score


def _bounded(number: float) -> float:
    return min(max(number, -float_info.max), float_info.max)

"""Blends: mobility and space, mixed by how much of the board is blank, and the whole tree near the end.

q is the share of blank cells. None of them looks at the end of a game, but for `blend_improved`.

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1", "p", "q")
>>> blank_share(board)
0.88
>>> blend_score(board, "p"), balanced_blend_then_continuations_score(board, "p")
(6.52, 3.88)
>>> staged_continuations_score(board, "p"), staged_continuations_score(board, "p", early=0.9)
(4.0, 3.0)
"""

from __future__ import annotations

from functools import partial
from math import isinf
from typing import Any

from isolation_fast.reference.heuristics.baselines import improved_score
from isolation_fast.reference.heuristics.continuations import (
    continuations_difference_score,
    continuations_score,
)
from isolation_fast.reference.heuristics.endings import Heuristic
from isolation_fast.reference.heuristics.mobility import mobility_difference_score
from isolation_fast.reference.heuristics.space import space_difference_score


def blank_share(game: Any) -> float:
    """Return q, the blank cells over all cells."""
    return len(game.get_blank_spaces()) / float(game.height * game.width)


def blend_score(game: Any, player: Any) -> float:
    """Return q · mobility_difference + space_difference."""
    mobility = mobility_difference_score(game, player)
    return blank_share(game) * mobility + space_difference_score(game, player)


def blend_improved_score(game: Any, player: Any) -> float:
    """Return q · improved + space_difference; where `improved` knows the game is over, what it says."""
    improved = improved_score(game, player)
    if isinf(improved):
        return improved
    return blank_share(game) * improved + space_difference_score(game, player)


def blend_then_continuations_difference_score(game: Any, player: Any, threshold: float = 0.2) -> float:
    """Return `continuations_difference` where q < threshold, else `blend`."""
    if blank_share(game) < threshold:
        return continuations_difference_score(game, player)
    return blend_score(game, player)


def blend_then_continuations_score(game: Any, player: Any, threshold: float = 0.2) -> float:
    """Return `continuations` where q < threshold, else `blend`."""
    if blank_share(game) < threshold:
        return continuations_score(game, player)
    return blend_score(game, player)


def balanced_blend_then_continuations_score(game: Any, player: Any, threshold: float = 0.2) -> float:
    """Return `continuations` where q < threshold.

    Else q · mobility_difference + (1 - q) · space_difference.
    """
    q = blank_share(game)
    if q < threshold:
        return continuations_score(game, player)
    return q * mobility_difference_score(game, player) + (1 - q) * space_difference_score(game, player)


def staged_continuations_difference_score(
    game: Any, player: Any, early: float = 0.7, late: float = 0.2
) -> float:
    """Return `mobility_difference` where q > early, `continuations_difference` where q < late.

    In between, `space_difference`.
    """
    q = blank_share(game)
    if q > early:
        return mobility_difference_score(game, player)
    if q < late:
        return continuations_difference_score(game, player)
    return space_difference_score(game, player)


def staged_continuations_score(game: Any, player: Any, early: float = 0.7, late: float = 0.2) -> float:
    """Return `mobility_difference` where q > early, `continuations` where q < late.

    In between, `space_difference`.
    """
    q = blank_share(game)
    if q > early:
        return mobility_difference_score(game, player)
    if q < late:
        return continuations_score(game, player)
    return space_difference_score(game, player)


HEURISTICS: dict[str, Heuristic] = {
    "blend": blend_score,
    "blend_improved": blend_improved_score,
    "blend_then_continuations_difference": blend_then_continuations_difference_score,
    "blend_then_continuations": blend_then_continuations_score,
    "blend_then_continuations_10": partial(blend_then_continuations_score, threshold=0.1),
    "blend_then_continuations_30": partial(blend_then_continuations_score, threshold=0.3),
    "balanced_blend_then_continuations": balanced_blend_then_continuations_score,
    "staged_continuations_difference": staged_continuations_difference_score,
    "staged_continuations": staged_continuations_score,
}

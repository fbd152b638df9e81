"""Blends: mobility and space, mixed by how much of the board is blank, and the whole tree near the end.

q is the share of blank cells. None of them looks at the end of a game, but for `blend_improved`.

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1", "p", "q")
>>> blank_share(board), blend_score(board, "p"), balanced_blend_then_continuations_score(board, "p")
(0.88, 6.52, 3.88)
>>> staged_continuations_score(board, "p"), staged_continuations_score(board, "p", early=0.9)
(4.0, 3.0)

Continuations are the positions of the tree of play below one. The tree is walked to its end, which only small
or full boards allow:

>>> board = Board.from_text("3x3 1x1/1x1/2x 0,1 2,2 1", "p", "q")
>>> print(board)
     0   1   2
0  |   | 1 |   |
1  |   | - |   |
2  |   |   | 2 |

There is one line of play: p goes to (2, 0), q to (1, 0), then (1, 2), (0, 2), (0, 0), (2, 1), and p has lost.
Of the six positions p leaves out the last:

>>> continuations_score(board, "p"), continuations_score(board, "q")
(5.0, 6.0)
>>> longest_win_score(board, "p"), longest_win_score(board, "q")
(0.0, 6.0)
"""

from __future__ import annotations

from functools import partial
from math import isinf
from typing import Any

from isolation_fast.reference.heuristics.baselines import Family, improved_score
from isolation_fast.reference.heuristics.mobility import mobility_difference_score
from isolation_fast.reference.heuristics.space import space_difference_score


def continuations_score(game: Any, player: Any) -> float:
    """Return how many positions follow in the tree, leaving out those in which the player has just lost.

    A position that two lines of play reach counts twice. 0 at the end of a game.
    """
    count = 0.0
    for move in game.get_legal_moves():
        after = game.forecast_move(move)
        if not after.is_loser(player):
            count += 1 + continuations_score(after, player)
    return count


def continuations_difference_score(game: Any, player: Any) -> float:
    """Return the player's continuations less the opponent's."""
    return continuations_score(game, player) - continuations_score(game, game.get_opponent(player))


def longest_win_score(game: Any, player: Any) -> float:
    """Return the plies of the longest line of play that ends with the player's win, 0 where there is none."""
    plies = _plies_to_the_latest_win(game, player)
    return 0.0 if plies is None else float(plies)


def longest_win_difference_score(game: Any, player: Any) -> float:
    """Return the plies of the player's longest win less those of the opponent's."""
    return longest_win_score(game, player) - longest_win_score(game, game.get_opponent(player))


def _plies_to_the_latest_win(game: Any, player: Any) -> int | None:
    moves = game.get_legal_moves()
    if not moves:
        return 0 if player == game.inactive_player else None
    below = [_plies_to_the_latest_win(game.forecast_move(move), player) for move in moves]
    wins = [1 + plies for plies in below if plies is not None]
    return max(wins) if wins else None


CONTINUATIONS = Family(
    "continuations",
    "the whole tree of play below a position",
    {
        "continuations": continuations_score,
        "continuations_difference": continuations_difference_score,
        "longest_win": longest_win_score,
        "longest_win_difference": longest_win_difference_score,
    },
)


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


BLENDS = Family(
    "blends",
    "mobility and space by how full the board is, and the tree near the end",
    {
        "blend": blend_score,
        "blend_improved": blend_improved_score,
        "blend_then_continuations_difference": blend_then_continuations_difference_score,
        "blend_then_continuations": blend_then_continuations_score,
        "blend_then_continuations_10": partial(blend_then_continuations_score, threshold=0.1),
        "blend_then_continuations_30": partial(blend_then_continuations_score, threshold=0.3),
        "balanced_blend_then_continuations": balanced_blend_then_continuations_score,
        "staged_continuations_difference": staged_continuations_difference_score,
        "staged_continuations": staged_continuations_score,
    },
)

"""Continuations: what the whole tree of play below a position holds.

The tree is walked to its end, which only small or full boards allow.

>>> from isolation_fast.reference import Board
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

from typing import Any

from isolation_fast.reference.heuristics.endings import Heuristic


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


HEURISTICS: dict[str, Heuristic] = {
    "continuations": continuations_score,
    "continuations_difference": continuations_difference_score,
    "longest_win": longest_win_score,
    "longest_win_difference": longest_win_difference_score,
}

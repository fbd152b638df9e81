"""Baselines: the heuristics of the course.

All of them know a finished game: -inf where the player has lost, inf where it has won.

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1")
>>> null_score(board, "player 1"), open_move_score(board, "player 1")
(0.0, 8.0)
>>> center_score(board, "player 1"), improved_score(board, "player 1")
(2.5, 6.0)
"""

from __future__ import annotations

from typing import Any

from isolation_fast.reference.heuristics.endings import Heuristic


def null_score(game: Any, player: Any) -> float:
    """Return 0 for every position in which the game goes on."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    return 0.0


def open_move_score(game: Any, player: Any) -> float:
    """Return how many moves the player has."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    return float(len(game.get_legal_moves(player)))


def center_score(game: Any, player: Any) -> float:
    """Return the squared distance from (height / 2, width / 2): the farther out, the larger.

    That point lies half a cell off the middle of the board; the course defined it so. A player who is not
    placed is at no distance.
    """
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    location = game.get_player_location(player)
    if location is None:
        return 0.0
    row, column = location
    return float((game.height / 2 - row) ** 2 + (game.width / 2 - column) ** 2)


def improved_score(game: Any, player: Any) -> float:
    """Return how many more moves the player has than its opponent."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    own = game.get_legal_moves(player)
    other = game.get_legal_moves(game.get_opponent(player))
    return float(len(own) - len(other))


HEURISTICS: dict[str, Heuristic] = {
    "null": null_score,
    "open": open_move_score,
    "center": center_score,
    "improved": improved_score,
}

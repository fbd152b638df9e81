"""Distance: how far the players are from the centre, or from each other, by rows and columns.

All of them have ending S: a player without a move has lost, whoever's turn it is.

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1", "p", "q")
>>> center_distance(board, "p"), center_distance(board, "q")
(1.0, 3.0)
>>> close_to_center_score(board, "p"), far_from_center_score(board, "p")
(2.0, -2.0)
>>> close_to_opponent_score(board, "p"), far_from_opponent_score(board, "p")
(-3.0, 3.0)
"""

from __future__ import annotations

from typing import Any

from isolation_fast.reference.heuristics.endings import Heuristic, stuck


def center_distance(game: Any, player: Any) -> float:
    """Return c = |H/2 - row| + |W/2 - column|; that centre lies half a cell off the middle."""
    location = game.get_player_location(player)
    if location is None:
        return 0.0
    row, column = location
    return float(abs(game.height / 2 - row) + abs(game.width / 2 - column))


def farther_from_center(game: Any, player: Any) -> float:
    """Return c(p) - c(o)."""
    return center_distance(game, player) - center_distance(game, game.get_opponent(player))


def distance_of_players(game: Any, player: Any) -> float:
    """Return the rows and columns between the two players, 0 unless both are placed."""
    own = game.get_player_location(player)
    other = game.get_player_location(game.get_opponent(player))
    if own is None or other is None:
        return 0.0
    return float(abs(own[0] - other[0]) + abs(own[1] - other[1]))


def close_to_center_score(game: Any, player: Any) -> float:
    """Return c(o) - c(p), by how much the player is nearer to the centre than its opponent."""
    ended = stuck(game, player)
    return farther_from_center(game, game.get_opponent(player)) if ended is None else ended


def far_from_center_score(game: Any, player: Any) -> float:
    """Return c(p) - c(o), by how much the player is farther from the centre than its opponent."""
    ended = stuck(game, player)
    return farther_from_center(game, player) if ended is None else ended


def close_to_opponent_score(game: Any, player: Any) -> float:
    """Return the negative of the distance between the two players."""
    ended = stuck(game, player)
    return 0.0 - distance_of_players(game, player) if ended is None else ended


def far_from_opponent_score(game: Any, player: Any) -> float:
    """Return the distance between the two players."""
    ended = stuck(game, player)
    return distance_of_players(game, player) if ended is None else ended


HEURISTICS: dict[str, Heuristic] = {
    "close_to_center": close_to_center_score,
    "far_from_center": far_from_center_score,
    "close_to_opponent": close_to_opponent_score,
    "far_from_opponent": far_from_opponent_score,
}

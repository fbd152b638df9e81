"""Space: the blank cells around a player, a king's move away. The formulas alone, at the end of a game too.

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1", "p", "q")
>>> space_score(board, "p"), space_score(board, "q"), space_difference_score(board, "p")
(8.0, 5.0, 3.0)

It is p's turn. All cells that p can go to lie at the edge; q's five stay blank unless p takes one of them:

>>> lookahead_space_score(board, "p"), lookahead_space_score(board, "q")
(5.0, 5.0)
"""

from __future__ import annotations

from typing import Any

from isolation_fast.reference.heuristics.endings import Heuristic

KING_STEPS = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]


def space_score(game: Any, player: Any) -> float:
    """Return how many of the eight cells around the player are blank, 0 before it is placed."""
    location = game.get_player_location(player)
    if location is None:
        return 0.0
    row, column = location
    return float(sum(game.move_is_legal((row + rows, column + columns)) for rows, columns in KING_STEPS))


def space_difference_score(game: Any, player: Any) -> float:
    """Return the blank cells around the player less those around its opponent."""
    return space_score(game, player) - space_score(game, game.get_opponent(player))


def lookahead_space_score(game: Any, player: Any) -> float:
    """Return the most space the player has after a move of the side to move, 0 where there is no move."""
    spaces = [space_score(game.forecast_move(move), player) for move in game.get_legal_moves()]
    return max(spaces, default=0.0)


HEURISTICS: dict[str, Heuristic] = {
    "space": space_score,
    "space_difference": space_difference_score,
    "lookahead_space": lookahead_space_score,
}

"""A game in which both sides use the same search: what the engine's self-play is measured against."""

from __future__ import annotations

from typing import Any

from isolation_fast.reference.heuristics import Heuristic
from isolation_fast.reference.searching import search
from isolation_fast.reports import Move


def self_play(board: Any, heuristic: str | Heuristic, depth: int) -> tuple[Any, list[Move]]:
    """Return the winner and the moves of a game from this position; the board itself stays as it is.

    >>> from isolation_fast.reference import Board
    >>> self_play(Board.from_text("3x3 x2/3/3 0,0 - 2", "Ann", "Ben"), "improved", depth=3)
    ('Ben', [(1, 0), (1, 2), (2, 2), (2, 0), (0, 1)])
    """
    moves: list[Move] = []
    while True:
        move = search(board, heuristic, depth=depth).move
        if move is None:
            return board.inactive_player, moves
        moves.append(move)
        board = board.forecast_move(move)

# ruff: noqa: ARG002
# The classic signatures: a player need not look at the clock.
"""What `import sample_players` gives in classic code of the first layout: its players are handed the moves.

>>> RandomPlayer().get_move(None, [], lambda: 150.0)
(-1, -1)
>>> RandomPlayer().get_move(None, [(2, 3)], lambda: 150.0)
(2, 3)
"""

from __future__ import annotations

from collections.abc import Callable
from random import randint
from typing import Any

from isolation_fast.classic.sample_players import NO_MOVE, center_score
from isolation_fast.players.human import chosen_in_terminal
from isolation_fast.reference.heuristics import improved_score, null_score, open_move_score

# What `from sample_players import *` gives there, `randint` too.
__all__ = [
    "GreedyPlayer",
    "HumanPlayer",
    "RandomPlayer",
    "center_score",
    "improved_score",
    "null_score",
    "open_move_score",
    "randint",
]

Move = tuple[int, int]


class RandomPlayer:
    """Takes any of the moves that it is handed."""

    def get_move(self, game: Any, legal_moves: list[Move], time_left: Callable[[], float]) -> Move:
        """One of the legal moves; `(-1, -1)` where there is none."""
        if not legal_moves:
            return NO_MOVE
        return legal_moves[randint(0, len(legal_moves) - 1)]


class GreedyPlayer:
    """Takes the move behind which the board scores best; of equal ones the larger move."""

    def __init__(self, score_fn: Callable[[Any, Any], Any] = open_move_score) -> None:
        self.score = score_fn

    def get_move(self, game: Any, legal_moves: list[Move], time_left: Callable[[], float]) -> Move:
        """The legal move with the best score; `(-1, -1)` where there is none."""
        if not legal_moves:
            return NO_MOVE
        return max([(self.score(game.forecast_move(move), self), move) for move in legal_moves])[1]


class HumanPlayer:
    """Shows board and moves in the terminal, and takes the move whose number is typed there."""

    def get_move(self, game: Any, legal_moves: list[Move], time_left: Callable[[], float]) -> Move:
        """The move that was chosen; `(-1, -1)` where there is none. EOFError where the input ends."""
        return chosen_in_terminal(game, legal_moves) if legal_moves else NO_MOVE

# ruff: noqa: ARG002
# The classic signatures: a player need not look at the clock.
"""What `import sample_players` gives in classic code of the first layout: its players receive the moves."""

from __future__ import annotations

from collections.abc import Callable
from random import randint
from typing import Any

from isolation_fast.board.turns import chosen_in_terminal
from isolation_fast.classic.sample_players import __all__ as __all__
from isolation_fast.classic.sample_players import center_score as center_score
from isolation_fast.classic.sample_players import improved_score as improved_score
from isolation_fast.classic.sample_players import null_score as null_score
from isolation_fast.classic.sample_players import open_move_score as open_move_score
from isolation_fast.reports import NO_MOVE, Move


class RandomPlayer:
    """Takes any of the moves that it receives."""

    def get_move(self, game: Any, legal_moves: list[Move], time_left: Callable[[], float]) -> Move:
        """One of the legal moves; `(-1, -1)` where there is none."""
        return legal_moves[randint(0, len(legal_moves) - 1)] if legal_moves else NO_MOVE


class GreedyPlayer:
    """Takes the move after which the board scores best; of equal ones the larger move."""

    def __init__(self, score_fn: Callable[[Any, Any], Any] = open_move_score) -> None:
        self.score = score_fn

    def get_move(self, game: Any, legal_moves: list[Move], time_left: Callable[[], float]) -> Move:
        """The legal move with the best score; `(-1, -1)` where there is none."""
        scored = [(self.score(game.forecast_move(move), self), move) for move in legal_moves]
        return max(scored)[1] if scored else NO_MOVE


class HumanPlayer:
    """Shows board and moves in the terminal, and takes the move whose number is typed there."""

    def get_move(self, game: Any, legal_moves: list[Move], time_left: Callable[[], float]) -> Move:
        """The chosen move; `(-1, -1)` where there is none. EOFError where the input ends."""
        return chosen_in_terminal(game, legal_moves) if legal_moves else NO_MOVE

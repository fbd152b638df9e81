# ruff: noqa: ARG002
# The classic signatures: a player need not look at the clock.
"""What `import sample_players` gives in classic code of the later layout: heuristics and players.

Plain Python over the board's public methods, so that boards of one's own work, and so that what goes wrong
is what went wrong there: `center_score` of a player that is not placed is a TypeError, though the native
`center` gives 0.
"""

from __future__ import annotations

from collections.abc import Callable
from random import randint
from typing import Any

from isolation_fast.board.turns import chosen_in_terminal
from isolation_fast.reports import NO_MOVE, Move

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


# The reference has the first three too. These are their own: where a submission runs there is no reference.


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


def improved_score(game: Any, player: Any) -> float:
    """Return how many more moves the player has than its opponent."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    own = game.get_legal_moves(player)
    other = game.get_legal_moves(game.get_opponent(player))
    return float(len(own) - len(other))


def center_score(game: Any, player: Any) -> float:
    """Return the squared distance of a placed player from (height / 2, width / 2)."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    row, column = game.get_player_location(player)
    return float((game.height / 2.0 - row) ** 2 + (game.width / 2.0 - column) ** 2)


class RandomPlayer:
    """Takes any of its moves."""

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """One of the legal moves; `(-1, -1)` where there is none."""
        legal_moves: list[Move] = game.get_legal_moves()
        return legal_moves[randint(0, len(legal_moves) - 1)] if legal_moves else NO_MOVE


class GreedyPlayer:
    """Takes the move after which the board scores best; of equal ones the larger move."""

    def __init__(self, score_fn: Callable[[Any, Any], Any] = open_move_score) -> None:
        self.score = score_fn

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """The legal move with the best score; `(-1, -1)` where there is none."""
        legal_moves: list[Move] = game.get_legal_moves()
        scored = [(self.score(game.forecast_move(move), self), move) for move in legal_moves]
        return max(scored)[1] if scored else NO_MOVE


class HumanPlayer:
    """Shows board and moves in the terminal, and takes the move whose number is typed there."""

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """The chosen move; `(-1, -1)` where there is none. EOFError where the input ends."""
        legal_moves: list[Move] = game.get_legal_moves()
        return chosen_in_terminal(game, legal_moves) if legal_moves else NO_MOVE

"""Ready-made players, and what all players share."""

from isolation_fast.players.ready_made import (
    AlphaBetaPlayer,
    GreedyPlayer,
    HumanPlayer,
    MinimaxPlayer,
    Player,
    RandomPlayer,
    native_form,
)

__all__ = [
    "AlphaBetaPlayer",
    "GreedyPlayer",
    "HumanPlayer",
    "MinimaxPlayer",
    "Player",
    "RandomPlayer",
    "native_form",
]

"""Ready-made players, and what all players share."""

from isolation_fast.players.bases import DEFAULT_MARGIN, ReadyMadePlayer, ScoringPlayer, SearchingPlayer
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
    "DEFAULT_MARGIN",
    "AlphaBetaPlayer",
    "GreedyPlayer",
    "HumanPlayer",
    "MinimaxPlayer",
    "Player",
    "RandomPlayer",
    "ReadyMadePlayer",
    "ScoringPlayer",
    "SearchingPlayer",
    "native_form",
]

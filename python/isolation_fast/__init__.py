"""Knight's Isolation at full speed, at home where the classic course code is.

>>> from isolation_fast import AlphaBetaPlayer, RandomPlayer, play_game
>>> result = play_game(AlphaBetaPlayer("improved", nodes=2000), RandomPlayer(), seed=1)
>>> result.reason
'no moves'
"""

from isolation_fast import heuristics
from isolation_fast._native import Board, __version__
from isolation_fast.budgets import Budget
from isolation_fast.exceptions import (
    HeuristicResultError,
    IllegalMoveError,
    InvalidArgumentError,
    InvalidBoardError,
    InvalidBudgetError,
    InvalidPositionError,
    IsolationError,
    UnknownHeuristicError,
    UnknownPlayerError,
)
from isolation_fast.games import play_game
from isolation_fast.players import AlphaBetaPlayer, GreedyPlayer, HumanPlayer, MinimaxPlayer, RandomPlayer
from isolation_fast.reports import GameResult, SearchReport
from isolation_fast.searching import perft, search

__all__ = [
    "AlphaBetaPlayer",
    "Board",
    "Budget",
    "GameResult",
    "GreedyPlayer",
    "HeuristicResultError",
    "HumanPlayer",
    "IllegalMoveError",
    "InvalidArgumentError",
    "InvalidBoardError",
    "InvalidBudgetError",
    "InvalidPositionError",
    "IsolationError",
    "MinimaxPlayer",
    "RandomPlayer",
    "SearchReport",
    "UnknownHeuristicError",
    "UnknownPlayerError",
    "__version__",
    "heuristics",
    "perft",
    "play_game",
    "search",
]

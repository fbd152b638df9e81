"""Knight's Isolation at full speed, at home where the classic course code is.

| name | what it is |
|---|---|
| `Board` | a position with its two players: the classic board, with a text notation and an SVG drawing |
| `search`, `SearchReport` | minimax and alpha-beta from a position, and what they found |
| `Budget` | a depth, a number of nodes, milliseconds, work, or several of them |
| `Cost` | what a node costs with a heuristic, in nodes with `improved` |
| `cost` (import it by name) | costs that were measured, and how to measure one |
| `heuristics` | the native heuristics, variants and sums; any function `f(game, player)` works too |
| `evaluate`, `evaluate_many` | the value that a heuristic gives a board, or many |
| `RandomPlayer`, `GreedyPlayer`, `MinimaxPlayer`, `AlphaBetaPlayer`, `HumanPlayer` | players |
| `compiled` (import it by name) | which Python heuristics are compiled, and why others are not |
| `solve`, `Solution`, `annotate`, `Annotation` | exact play: which moves win, which one lost a game |
| `PerfectPlayer` | a player that is perfect wherever it can prove it |
| `play_game`, `GameResult` | a game between two players, and how it went |
| `perft` | how many lines of play there are |
| `IsolationError` and its subclasses | what can go wrong |
| `statistics` (import it by name) | how good a player is, how certain that is, and how many games it takes |
| `theory` (import it by name) | who wins on an empty board, proved, with certificates that can be checked |
| `reference` (import it by name) | board and search once more in plain Python, to be read |

>>> from isolation_fast import AlphaBetaPlayer, Board, RandomPlayer, play_game, search
>>> board = Board("Ann", "Ben")
>>> board.apply_move((3, 3))
>>> board.apply_move((1, 2))
>>> report = search(board, "improved", depth=5)
>>> report.move in board.get_legal_moves(), report.depth, report.reason
(True, 5, 'depth')
>>> result = play_game(AlphaBetaPlayer("improved", nodes=2000), RandomPlayer(), seed=1)
>>> print(result)
player 1 won after 41 moves: player 2 had no move left
"""

from isolation_fast import heuristics
from isolation_fast._native import Board, __version__
from isolation_fast.budgets import Budget
from isolation_fast.cost import Cost
from isolation_fast.exact import Annotation, GradedMove, JudgedMove, Solution, annotate, solve
from isolation_fast.exceptions import (
    CompilationWarning,
    EngineLockedError,
    HeuristicResultError,
    IllegalMoveError,
    InvalidArgumentError,
    InvalidBoardError,
    InvalidBudgetError,
    InvalidPositionError,
    InvalidRecordError,
    IsolationError,
    JailError,
    JournalError,
    NurseryEndedError,
    UnknownCostError,
    UnknownHeuristicError,
    UnknownPlayerError,
    ValueWorkError,
    WalkTooLongError,
    WorkerError,
)
from isolation_fast.games import play_game
from isolation_fast.players import (
    AlphaBetaPlayer,
    GreedyPlayer,
    HumanPlayer,
    MinimaxPlayer,
    PerfectPlayer,
    RandomPlayer,
)
from isolation_fast.reports import GameResult, SearchReport
from isolation_fast.searching import evaluate, evaluate_many, perft, search

__all__ = [
    "AlphaBetaPlayer",
    "Annotation",
    "Board",
    "Budget",
    "CompilationWarning",
    "Cost",
    "EngineLockedError",
    "GameResult",
    "GradedMove",
    "GreedyPlayer",
    "HeuristicResultError",
    "HumanPlayer",
    "IllegalMoveError",
    "InvalidArgumentError",
    "InvalidBoardError",
    "InvalidBudgetError",
    "InvalidPositionError",
    "InvalidRecordError",
    "IsolationError",
    "JailError",
    "JournalError",
    "JudgedMove",
    "MinimaxPlayer",
    "NurseryEndedError",
    "PerfectPlayer",
    "RandomPlayer",
    "SearchReport",
    "Solution",
    "UnknownCostError",
    "UnknownHeuristicError",
    "UnknownPlayerError",
    "ValueWorkError",
    "WalkTooLongError",
    "WorkerError",
    "__version__",
    "annotate",
    "evaluate",
    "evaluate_many",
    "heuristics",
    "perft",
    "play_game",
    "search",
    "solve",
]

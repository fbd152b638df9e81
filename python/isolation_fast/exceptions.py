"""The errors of the package. Each class is an `IsolationError` and also the built-in error that it resembles.

So `except ValueError` in code for the classic board keeps working, and `except IsolationError` catches every
error of this package. All can be pickled, so they pass between processes.

>>> issubclass(IllegalMoveError, ValueError) and issubclass(IllegalMoveError, IsolationError)
True
"""


class IsolationError(Exception):
    """The base of every error of this package."""


class IllegalMoveError(IsolationError, ValueError):
    """A move that leaves the board was applied or forecast.

    As on the classic board, moves that stay on the board are not checked: heuristics may step anywhere.
    """


class InvalidBoardError(IsolationError, ValueError):
    """No board has that size: it has no cells, or more than memory allows."""


class InvalidPositionError(IsolationError, ValueError):
    """A text, or a `_board_state` after somebody wrote to it, that is no position."""


class InvalidRecordError(IsolationError, ValueError):
    """A line in a file of games that is no game record, or a game that the file does not have."""


class JournalError(IsolationError, RuntimeError):
    """A journal that cannot be resumed: of another plan, in use, or present where none was expected."""


class JailError(IsolationError, RuntimeError):
    """A process could not be locked. The message says why; nothing was locked if that was found in time."""


class EngineLockedError(IsolationError, PermissionError):
    """A call of the engine in a locked process, where it is not available to the code that runs there."""


class UnknownPlayerError(IsolationError, RuntimeError):
    """An object given as a player that is neither of the board's two players."""


class UnknownHeuristicError(IsolationError, ValueError):
    """No heuristic has that name. The message lists the names, or the nearest."""


class UnknownCostError(IsolationError, LookupError):
    """A budget of work with a heuristic whose cost is not measured, or cannot be measured.

    The message says why, or how to measure it. A known cost is given as `cost=` beside `work=`.
    """


class HeuristicResultError(IsolationError, TypeError, ValueError):
    """A heuristic returned NaN, which cannot be compared, or something that is no real number."""


class WalkTooLongError(IsolationError, RuntimeError):
    """A heuristic was called outside a search and had too large a tree of play to walk.

    The message says how many positions were allowed, and how to allow more. In a search a walk ends with the
    search's budget, without an error.
    """


class ValueWorkError(IsolationError, RuntimeError):
    """One value of a heuristic took more work than a tournament or a grading allows it."""


class InvalidBudgetError(IsolationError, ValueError):
    """A search without a limit, with one that limits nothing or cannot be met, or with an invalid cost."""


class InvalidArgumentError(IsolationError, ValueError):
    """An argument that is not allowed, such as an unknown `mode=`, or arguments that exclude each other."""


class WorkerError(IsolationError, RuntimeError):
    """A process for other people's code could not start or do its work, through no fault of that code."""


class NurseryEndedError(WorkerError):
    """The process that forks those of submissions ended, and they with it. The next one has a new parent."""


class CompilationWarning(UserWarning):
    """The compiled form of a heuristic gave another value than Python: a defect of this package.

    The function is not compiled any more, and what was being searched is searched anew in Python. Results are
    those of Python. The message has the position and both values.
    """

"""What can go wrong, by name. Each class is an `IsolationError` and also the built-in error that it is like.

So `except ValueError` in code written for the classic board keeps working, and `except IsolationError`
catches all that this package itself has to say. All can be pickled, so they pass between processes.

>>> issubclass(IllegalMoveError, ValueError) and issubclass(IllegalMoveError, IsolationError)
True
"""

__all__ = [
    "EngineLockedError",
    "HeuristicResultError",
    "IllegalMoveError",
    "InvalidArgumentError",
    "InvalidBoardError",
    "InvalidBudgetError",
    "InvalidPositionError",
    "InvalidRecordError",
    "IsolationError",
    "JailError",
    "JournalError",
    "UnknownCostError",
    "UnknownHeuristicError",
    "UnknownPlayerError",
    "WalkTooLongError",
    "WorkerError",
]


class IsolationError(Exception):
    """The base of every error that this package raises of itself."""


class IllegalMoveError(IsolationError, ValueError):
    """A move that leaves the board was to be applied or forecast.

    Moves on the board are not checked, as on the classic board: heuristics step anywhere on purpose.
    """


class InvalidBoardError(IsolationError, ValueError):
    """A board of that size cannot be made: no cells at all, or more than memory allows."""


class InvalidPositionError(IsolationError, ValueError):
    """A text that is no position, or a `_board_state` that was written to until it is none."""


class InvalidRecordError(IsolationError, ValueError):
    """A line of a file of games that is no record of one, or a game that the file does not have."""


class JournalError(IsolationError, RuntimeError):
    """A journal that cannot be gone on with: of another plan, in use, or there where none was expected."""


class JailError(IsolationError, RuntimeError):
    """A process could not be locked. The message says why; nothing was locked if that was found in time."""


class EngineLockedError(IsolationError, PermissionError):
    """The engine was asked for in a process that was locked: it is not for the code that runs there."""


class UnknownPlayerError(IsolationError, RuntimeError):
    """An object that is neither of the board's two players was named as one of them."""


class UnknownHeuristicError(IsolationError, ValueError):
    """No heuristic is registered under that name. The message lists those that are, or the nearest."""


class UnknownCostError(IsolationError, LookupError):
    """A budget of work was asked for with a heuristic that nobody has measured, or that cannot be measured.

    The message says why, or how to measure it. Where a cost is known, it is given as `cost=` beside `work=`.
    """


class HeuristicResultError(IsolationError, TypeError, ValueError):
    """A heuristic returned something that is no real number, or NaN, which cannot be compared."""


class WalkTooLongError(IsolationError, RuntimeError):
    """A heuristic that walks the tree of play was asked outside a search, on too large a tree.

    The message says how many positions were allowed, and how to allow more. In a search a walk ends with the
    search's budget, and there is no error.
    """


class InvalidBudgetError(IsolationError, ValueError):
    """A search was asked for without a limit, or with one that limits nothing or cannot be met.

    Or with a cost that is no cost.
    """


class InvalidArgumentError(IsolationError, ValueError):
    """A choice that does not exist (`method=`, `mode=`), or arguments that contradict each other."""


class WorkerError(IsolationError, RuntimeError):
    """A process for other people's code could not be started, or not do its work: no fault of that code."""

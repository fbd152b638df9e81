"""The heuristics that run inside the engine, by name and as objects that can be called.

Each is a plain callable `f(game, player)` like the ones of the classic course code, and at the same time
something that the engine runs without going through Python:

>>> from isolation_fast import Board, heuristics
>>> board = Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
>>> heuristics.improved(board, board.active_player)
-2.0
>>> heuristics.names()[:4]
['null', 'open', 'center', 'improved']
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from isolation_fast import _native
from isolation_fast._descriptions import described
from isolation_fast._native import Board, Heuristic
from isolation_fast._suggestions import unknown_word
from isolation_fast.budgets import Budget
from isolation_fast.exceptions import UnknownHeuristicError

# Without `open`: a star import must not hide the built-in function of that name.
__all__ = ["Heuristic", "HeuristicLike", "center", "get", "improved", "names", "null", "resolve"]

HeuristicLike: TypeAlias = str | Heuristic | Callable[[Board, Any], float]
"""What can be given as a heuristic: a registered name, a native one, a function `f(game, player)`."""

null: Final[Heuristic] = _native.heuristic("null")
"""Knows won and lost, and nothing else: 0 everywhere in between."""

# Read as `heuristics.open`, where it hides nothing.
open: Final[Heuristic] = _native.heuristic("open")  # noqa: A001
"""The number of the player's moves."""

center: Final[Heuristic] = _native.heuristic("center")
"""The square of the player's distance from the centre: larger is farther away, as the course defines it."""

improved: Final[Heuristic] = _native.heuristic("improved")
"""The number of the player's moves less that of the opponent's."""


def names() -> list[str]:
    """The names of all native heuristics.

    >>> "improved" in names()
    True
    """
    return _native.heuristic_names()


def get(name: str) -> Heuristic:
    """The native heuristic that is registered under a name.

    >>> get("improved") == improved
    True
    >>> get("improoved")
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.UnknownHeuristicError: ... 'improoved', did you mean 'improved'? Allowed: ...
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a heuristic is a str, not {described(name)}")
    try:
        return _native.heuristic(name)
    except KeyError:
        raise UnknownHeuristicError(unknown_word("heuristic", name, names())) from None


def resolve(heuristic: HeuristicLike) -> Heuristic | Callable[[Board, Any], float]:
    """The heuristic that was named: looked up if it is a name, as it is if it can be called.

    >>> resolve("open") == open
    True
    >>> resolve(len) is len
    True
    """
    if isinstance(heuristic, str):
        return get(heuristic)
    if callable(heuristic):
        return heuristic
    if isinstance(heuristic, Budget):
        raise TypeError(f"a heuristic is missing, such as 'improved', before budget={heuristic!r}")
    raise TypeError(
        f"a heuristic is a name such as 'improved', one of isolation_fast.heuristics, "
        f"or a function f(game, player), not {described(heuristic)}"
    )

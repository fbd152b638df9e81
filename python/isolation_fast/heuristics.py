"""The heuristics that run inside the engine, by name and as objects that can be called.

Each is a plain callable `f(game, player)` like the ones of the classic course code, and at the same time
something that the engine runs without going through Python:

>>> from isolation_fast import Board, heuristics
>>> board = Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
>>> heuristics.improved(board, board.active_player)
-2.0
>>> heuristics.names()[:4]
['null', 'open', 'center', 'improved']

Those with parameters have variants, and several make a sum:

>>> heuristics.aggressive.variant(factor=1.5)(board, board.active_player)
-5.5
>>> heuristics.weighted_sum({"open": 1.0, "aggressive": 0.5})(board, board.active_player)
0.5
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from isolation_fast import _native
from isolation_fast._native import Board, Heuristic
from isolation_fast.budgets import Budget
from isolation_fast.exceptions import InvalidArgumentError, UnknownHeuristicError
from isolation_fast.text import described, unknown_word

# Without `open`: a star import must not hide the built-in function of that name.
__all__ = [
    "Heuristic",
    "HeuristicLike",
    "aggressive",
    "aggressive_open_cluster",
    "balanced_blend_then_continuations",
    "bfs",
    "bfs_close_to_center",
    "bfs_close_to_opponent",
    "bfs_far_from_center",
    "bfs_far_from_opponent",
    "blend",
    "blend_improved",
    "blend_then_continuations",
    "blend_then_continuations_10",
    "blend_then_continuations_30",
    "blend_then_continuations_difference",
    "center",
    "close_to_center",
    "close_to_opponent",
    "continuations",
    "continuations_difference",
    "corner_averse_mobility",
    "far_from_center",
    "far_from_opponent",
    "get",
    "improved",
    "knight_decay_2",
    "knight_decay_3",
    "knight_decay_4",
    "knight_decay_5",
    "knight_decay_6",
    "knight_decay_7",
    "knight_decay_8",
    "knight_decay_9",
    "knight_decay_10",
    "longest_win",
    "longest_win_difference",
    "lookahead_mobility",
    "lookahead_ratio",
    "lookahead_space",
    "mobility_center_distance",
    "mobility_difference",
    "names",
    "null",
    "resolve",
    "space",
    "space_difference",
    "staged_continuations",
    "staged_continuations_difference",
    "weighted_improved",
    "weighted_moves",
    "weighted_open",
    "weighted_sum",
]

HeuristicLike: TypeAlias = str | Heuristic | Callable[[Board, Any], float]
"""A heuristic: a registered name, a native one, or a function `f(game, player)`."""

# In the registry's order, family by family; `summary` and `formula` of each say what it measures.
null: Final = _native.heuristic("null")
open: Final = _native.heuristic("open")  # noqa: A001 - read as `heuristics.open`
center: Final = _native.heuristic("center")
improved: Final = _native.heuristic("improved")
mobility_difference: Final = _native.heuristic("mobility_difference")
aggressive: Final = _native.heuristic("aggressive")
corner_averse_mobility: Final = _native.heuristic("corner_averse_mobility")
mobility_center_distance: Final = _native.heuristic("mobility_center_distance")
lookahead_mobility: Final = _native.heuristic("lookahead_mobility")
lookahead_ratio: Final = _native.heuristic("lookahead_ratio")
weighted_open: Final = _native.heuristic("weighted_open")
weighted_improved: Final = _native.heuristic("weighted_improved")
weighted_moves: Final = _native.heuristic("weighted_moves")
close_to_center: Final = _native.heuristic("close_to_center")
far_from_center: Final = _native.heuristic("far_from_center")
close_to_opponent: Final = _native.heuristic("close_to_opponent")
far_from_opponent: Final = _native.heuristic("far_from_opponent")
knight_decay_2: Final = _native.heuristic("knight_decay_2")
knight_decay_3: Final = _native.heuristic("knight_decay_3")
knight_decay_4: Final = _native.heuristic("knight_decay_4")
knight_decay_5: Final = _native.heuristic("knight_decay_5")
knight_decay_6: Final = _native.heuristic("knight_decay_6")
knight_decay_7: Final = _native.heuristic("knight_decay_7")
knight_decay_8: Final = _native.heuristic("knight_decay_8")
knight_decay_9: Final = _native.heuristic("knight_decay_9")
knight_decay_10: Final = _native.heuristic("knight_decay_10")
bfs: Final = _native.heuristic("bfs")
bfs_close_to_opponent: Final = _native.heuristic("bfs_close_to_opponent")
bfs_far_from_opponent: Final = _native.heuristic("bfs_far_from_opponent")
bfs_close_to_center: Final = _native.heuristic("bfs_close_to_center")
bfs_far_from_center: Final = _native.heuristic("bfs_far_from_center")
space: Final = _native.heuristic("space")
space_difference: Final = _native.heuristic("space_difference")
lookahead_space: Final = _native.heuristic("lookahead_space")
continuations: Final = _native.heuristic("continuations")
continuations_difference: Final = _native.heuristic("continuations_difference")
longest_win: Final = _native.heuristic("longest_win")
longest_win_difference: Final = _native.heuristic("longest_win_difference")
blend: Final = _native.heuristic("blend")
blend_improved: Final = _native.heuristic("blend_improved")
blend_then_continuations_difference: Final = _native.heuristic("blend_then_continuations_difference")
blend_then_continuations: Final = _native.heuristic("blend_then_continuations")
blend_then_continuations_10: Final = _native.heuristic("blend_then_continuations_10")
blend_then_continuations_30: Final = _native.heuristic("blend_then_continuations_30")
balanced_blend_then_continuations: Final = _native.heuristic("balanced_blend_then_continuations")
staged_continuations_difference: Final = _native.heuristic("staged_continuations_difference")
staged_continuations: Final = _native.heuristic("staged_continuations")
aggressive_open_cluster: Final = _native.heuristic("aggressive_open_cluster")


def names() -> list[str]:
    """The names of all native heuristics."""
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
    except (KeyError, UnicodeEncodeError):  # an argument of the command may be no text
        raise UnknownHeuristicError(unknown_word("heuristic", name, names())) from None


def weighted_sum(parts: Mapping[str | Heuristic, float]) -> Heuristic:
    """The sum of native heuristics, each times its weight, in the order given.

    An infinite value of a part means that the game is won or lost: weights do not change it. If parts are
    infinite, the sum is the value of the first of these. So where all parts end a game in the same way, the
    sum is that of their plain formulas and ends the game once, in that way; else each part keeps its own
    ending. A sum too large for a float is the largest float. No sum is NaN.

    >>> from isolation_fast import Board
    >>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1")
    >>> both = weighted_sum({"bfs": 1.0, "close_to_opponent": 1.0})
    >>> both(board, "player 1") == bfs_close_to_opponent(board, "player 1")
    True
    >>> weighted_sum({bfs: 1, knight_decay_2.variant(r=0.3): 0.5})
    heuristics.weighted_sum({'bfs': 1.0, heuristics.knight_decay_2.variant(r=0.3): 0.5})
    """
    if not isinstance(parts, Mapping):
        raise TypeError(f"weighted_sum takes a dict of heuristics and their weights, not {described(parts)}")
    weights: dict[Heuristic, float] = {}
    for part, weight in parts.items():
        summand = get(part) if isinstance(part, str) else part
        if not isinstance(summand, Heuristic):
            raise TypeError(f"weighted_sum takes names and native heuristics, not {described(part)}")
        if summand in weights:
            raise InvalidArgumentError(f"a weighted sum takes each heuristic once, not {summand.name} twice")
        weights[summand] = _weight(part, weight)
    return _native.weighted_sum(list(weights.items()))


def _weight(part: str | Heuristic, weight: object) -> float:
    try:
        if isinstance(weight, (str, bytes, bytearray)):  # float() would read them
            raise TypeError
        return float(weight)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"the weight of {part!r} must be a number, not {described(weight)}") from None
    except OverflowError:
        raise InvalidArgumentError(f"the weight of {part!r} is too large for a float") from None


def resolve(heuristic: HeuristicLike) -> Heuristic | Callable[[Board, Any], float]:
    """The heuristic itself: looked up if it is a name, unchanged if it can be called.

    >>> resolve("open") == open, resolve(len) is len
    (True, True)
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

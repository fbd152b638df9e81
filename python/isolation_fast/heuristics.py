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

null: Final[Heuristic] = _native.heuristic("null")
"""Knows won and lost, and nothing else: 0 everywhere in between."""

# Read as `heuristics.open`, where it hides nothing.
open: Final[Heuristic] = _native.heuristic("open")  # noqa: A001
"""The number of the player's moves."""

center: Final[Heuristic] = _native.heuristic("center")
"""The square of the player's distance from the centre: larger is farther away, as the course defines it."""

improved: Final[Heuristic] = _native.heuristic("improved")
"""The number of the player's moves less that of the opponent's."""

mobility_difference: Final[Heuristic] = _native.heuristic("mobility_difference")
"""The player's moves less the opponent's, at the end of a game too."""

aggressive: Final[Heuristic] = _native.heuristic("aggressive")
"""The player's moves less a multiple of the opponent's."""

corner_averse_mobility: Final[Heuristic] = _native.heuristic("corner_averse_mobility")
"""The player's moves that lead to no corner less the opponent's."""

mobility_center_distance: Final[Heuristic] = _native.heuristic("mobility_center_distance")
"""The player's moves less the opponent's, and how much nearer the player is to the centre than the other."""

lookahead_mobility: Final[Heuristic] = _native.heuristic("lookahead_mobility")
"""The player's moves, and steps from there on the board as it stands, less the opponent's."""

lookahead_ratio: Final[Heuristic] = _native.heuristic("lookahead_ratio")
"""The player's moves over the opponent's, after each of the player's moves, on average."""

weighted_open: Final[Heuristic] = _native.heuristic("weighted_open")
"""The player's moves times the weight of its cell."""

weighted_improved: Final[Heuristic] = _native.heuristic("weighted_improved")
"""The player's moves times the weight of its cell, less the same of the opponent."""

weighted_moves: Final[Heuristic] = _native.heuristic("weighted_moves")
"""The weights of the cells that the player can move to, less the opponent's."""

close_to_center: Final[Heuristic] = _native.heuristic("close_to_center")
"""How much nearer the player is to the centre than the opponent."""

far_from_center: Final[Heuristic] = _native.heuristic("far_from_center")
"""How much farther the player is from the centre than the opponent."""

close_to_opponent: Final[Heuristic] = _native.heuristic("close_to_opponent")
"""The distance between the two players, negative."""

far_from_opponent: Final[Heuristic] = _native.heuristic("far_from_opponent")
"""The distance between the two players."""

knight_decay_2: Final[Heuristic] = _native.heuristic("knight_decay_2")
"""The player's blank cells less the opponent's, by 1/2 to the power of knight's moves to there."""

knight_decay_3: Final[Heuristic] = _native.heuristic("knight_decay_3")
"""The player's blank cells less the opponent's, by 1/3 to the power of knight's moves to there."""

knight_decay_4: Final[Heuristic] = _native.heuristic("knight_decay_4")
"""The player's blank cells less the opponent's, by 1/4 to the power of knight's moves to there."""

knight_decay_5: Final[Heuristic] = _native.heuristic("knight_decay_5")
"""The player's blank cells less the opponent's, by 1/5 to the power of knight's moves to there."""

knight_decay_6: Final[Heuristic] = _native.heuristic("knight_decay_6")
"""The player's blank cells less the opponent's, by 1/6 to the power of knight's moves to there."""

knight_decay_7: Final[Heuristic] = _native.heuristic("knight_decay_7")
"""The player's blank cells less the opponent's, by 1/7 to the power of knight's moves to there."""

knight_decay_8: Final[Heuristic] = _native.heuristic("knight_decay_8")
"""The player's blank cells less the opponent's, by 1/8 to the power of knight's moves to there."""

knight_decay_9: Final[Heuristic] = _native.heuristic("knight_decay_9")
"""The player's blank cells less the opponent's, by 1/9 to the power of knight's moves to there."""

knight_decay_10: Final[Heuristic] = _native.heuristic("knight_decay_10")
"""The player's blank cells less the opponent's, by 1/10 to the power of knight's moves to there."""

bfs: Final[Heuristic] = _native.heuristic("bfs")
"""The cells in the player's reach less the opponent's, each the less the more moves away."""

bfs_close_to_opponent: Final[Heuristic] = _native.heuristic("bfs_close_to_opponent")
"""`bfs`, less the distance between the two players."""

bfs_far_from_opponent: Final[Heuristic] = _native.heuristic("bfs_far_from_opponent")
"""`bfs`, and the distance between the two players."""

bfs_close_to_center: Final[Heuristic] = _native.heuristic("bfs_close_to_center")
"""`bfs`, and how much nearer the player is to the centre than the opponent."""

bfs_far_from_center: Final[Heuristic] = _native.heuristic("bfs_far_from_center")
"""`bfs`, and how much farther the player is from the centre than the opponent."""

space: Final[Heuristic] = _native.heuristic("space")
"""The blank cells around the player."""

space_difference: Final[Heuristic] = _native.heuristic("space_difference")
"""The blank cells around the player less those around the opponent."""

lookahead_space: Final[Heuristic] = _native.heuristic("lookahead_space")
"""The most blank cells around the player after a move of the side to move."""

continuations: Final[Heuristic] = _native.heuristic("continuations")
"""The positions that may follow, all lines of play counted, but those the player has lost in."""

continuations_difference: Final[Heuristic] = _native.heuristic("continuations_difference")
"""The player's continuations less the opponent's."""

longest_win: Final[Heuristic] = _native.heuristic("longest_win")
"""The moves of the longest line of play that the player wins."""

longest_win_difference: Final[Heuristic] = _native.heuristic("longest_win_difference")
"""The moves of the longest line of play that the player wins, less the opponent's."""

blend: Final[Heuristic] = _native.heuristic("blend")
"""Mobility by the share of blank cells, and space."""

blend_improved: Final[Heuristic] = _native.heuristic("blend_improved")
"""`blend`, infinite once the game is over."""

blend_then_continuations_difference: Final[Heuristic] = _native.heuristic(
    "blend_then_continuations_difference"
)
"""`blend`, near the end of the game continuations_difference."""

blend_then_continuations: Final[Heuristic] = _native.heuristic("blend_then_continuations")
"""`blend`, near the end of the game continuations."""

blend_then_continuations_10: Final[Heuristic] = _native.heuristic("blend_then_continuations_10")
"""`blend`, near the end of the game continuations."""

blend_then_continuations_30: Final[Heuristic] = _native.heuristic("blend_then_continuations_30")
"""`blend`, near the end of the game continuations."""

balanced_blend_then_continuations: Final[Heuristic] = _native.heuristic("balanced_blend_then_continuations")
"""Mobility and space by the share of blank cells, near the end of the game continuations."""

staged_continuations_difference: Final[Heuristic] = _native.heuristic("staged_continuations_difference")
"""Mobility, then space, near the end of the game continuations_difference."""

staged_continuations: Final[Heuristic] = _native.heuristic("staged_continuations")
"""Mobility, then space, near the end of the game continuations."""

aggressive_open_cluster: Final[Heuristic] = _native.heuristic("aggressive_open_cluster")
"""`aggressive`, and how near the player is to the least occupied part of the board."""


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

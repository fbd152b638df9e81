"""The value that a heuristic gives a position without a search; of one position, and of many at once."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from struct import pack
from typing import TYPE_CHECKING, Final

from isolation_fast import _native
from isolation_fast._native import Board, Heuristic
from isolation_fast.budgets import LARGEST_NODES
from isolation_fast.exceptions import InvalidBudgetError
from isolation_fast.heuristics import HeuristicLike, resolve
from isolation_fast.numbers import integer
from isolation_fast.searching import require_native_board
from isolation_fast.text import described

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

WALK_LIMIT: Final = 10_000_000
"""The default number of positions that a heuristic may walk for one value."""


def evaluate(
    board: Board, heuristic: HeuristicLike, player: object | None = None, *, nodes: int = WALK_LIMIT
) -> float:
    """The value of a board for one of its players, by default the one to move.

    `heuristic` is a registered name, a native heuristic, or any Python function `f(game, player)`. A
    heuristic that walks the tree of play below the board may walk `nodes` positions; a larger tree raises a
    `WalkTooLongError`. Ctrl-C ends a walk.

    >>> from isolation_fast import Board
    >>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1")
    >>> evaluate(board, "space"), evaluate(board, "space", "player 2")
    (8.0, 5.0)
    >>> evaluate(board, "continuations", nodes=1000)
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.WalkTooLongError: continuations has more than 1000 positions to walk below ...
    """
    require_native_board("evaluate", board)
    scorer = resolve(heuristic)
    return _native.evaluate(board, scorer, player, _most(nodes))


def evaluate_many(
    boards: Iterable[Board | str],
    heuristic: HeuristicLike,
    *,
    player: object | None = None,
    nodes: int = WALK_LIMIT,
) -> NDArray[numpy.float64] | list[float]:
    """The values of many boards, as `evaluate` gives them: an array if numpy is installed, else a list.

    A board may also be a text in the notation of `Board.to_text`; its players are "player 1" and "player 2".
    `player` must be one of every board's players; by default each value is for the player to move. `nodes`
    is for each board. Native heuristics let other threads run meanwhile.

    >>> texts = ["5x5 1x3/5/2x2/x4/5 2,2 3,0 1", "3x3 1x1/1x1/2x 0,1 2,2 1"]
    >>> [float(value) for value in evaluate_many(texts, "open")]
    [6.0, 1.0]
    >>> [float(value) for value in evaluate_many(texts, "continuations_difference", player="player 2")]
    [3082.0, 1.0]
    """
    if isinstance(boards, (str, Board)):
        raise TypeError(f"evaluate_many takes several boards, such as a list, not {described(boards)}")
    scorer, most = resolve(heuristic), _most(nodes)
    if isinstance(scorer, Heuristic):
        values = _native.evaluate_many(boards, scorer, player, most)
    else:
        values = bytearray()
        for at, given in enumerate(boards):
            board = Board.from_text(given) if isinstance(given, str) else given
            if not isinstance(board, Board):
                raise TypeError(
                    f"boards[{at}] must be an isolation_fast.Board or a position as a text, "
                    f"not {described(board)}"
                )
            values += pack("d", _native.evaluate(board, scorer, player, most))
    try:
        import numpy
    except ImportError:
        return array("d", bytes(values)).tolist()
    return numpy.frombuffer(values)


def _most(nodes: int) -> int:
    return min(integer("nodes", nodes, 1, error=InvalidBudgetError), LARGEST_NODES)

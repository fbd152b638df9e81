"""The plain-Python twin of a native heuristic, of a variant or of a sum."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from isolation_fast.exceptions import WalkTooLongError

if TYPE_CHECKING:
    from collections.abc import Callable

    from isolation_fast._native import Heuristic


def twin(heuristic: Heuristic) -> Callable[[Any, Any], float]:
    """The same heuristic in Python, which uses only the public methods of a board.

    >>> from isolation_fast import heuristics, reference
    >>> board = reference.Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1")
    >>> twin(heuristics.aggressive.variant(factor=1.5))(board, "player 1")
    3.0
    """
    # Not at the top: few programs need the twins.
    from isolation_fast.reference.heuristics import HEURISTICS, weighted_sum

    if heuristic.base is None:
        return weighted_sum([(twin(part), weight) for part, weight in heuristic.parts])
    registered = HEURISTICS[heuristic.base]
    return registered if heuristic.name == heuristic.base else partial(registered, **heuristic.parameters)


def value_in_doubt(heuristic: Heuristic, board: Any, player: Any, nodes: int) -> float:
    """The twin's value of a board that is no position of two players; it walks at most `nodes` positions.

    >>> from isolation_fast import Board, heuristics
    >>> board = Board("same", "same", width=3, height=3)
    >>> value_in_doubt(heuristics.improved, board, "same", 10)
    0.0
    >>> value_in_doubt(heuristics.continuations, board, "same", 10)
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.WalkTooLongError: continuations has more than 10 positions to walk below ...
    """
    if not heuristic.walks:
        return twin(heuristic)(board, player)
    number = count(1)

    class Walked:
        """A board that counts each position below it."""

        def __init__(self, board: Any) -> None:
            self._board = board

        def __getattr__(self, name: str) -> Any:
            return getattr(self._board, name)

        def forecast_move(self, move: Any) -> Walked:
            if next(number) > nodes:
                raise WalkTooLongError(
                    f"{heuristic.name} has more than {nodes} positions to walk below a board on which it is "
                    "not clear whose turn it is; allow it more by "
                    "isolation_fast.evaluate(board, heuristic, nodes=...)"
                )
            return Walked(self._board.forecast_move(move))

    return twin(heuristic)(Walked(board), player)

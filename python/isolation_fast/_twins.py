"""The one place that finds the plain-Python twin of a native heuristic, be it a variant or a sum."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from isolation_fast._native import Heuristic


def twin(heuristic: Heuristic) -> Callable[[Any, Any], float]:
    """The same heuristic over nothing but the public methods of a board.

    >>> from isolation_fast import heuristics, reference
    >>> board = reference.Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1")
    >>> twin(heuristics.aggressive.variant(factor=1.5))(board, "player 1")
    3.0
    """
    # Not at the top: only few programs need the twins.
    from isolation_fast.reference.heuristics import HEURISTICS, weighted_sum

    if heuristic.base is None:
        return weighted_sum([(twin(part), weight) for part, weight in heuristic.parts])
    registered = HEURISTICS[heuristic.base]
    return registered if heuristic.name == heuristic.base else partial(registered, **heuristic.parameters)

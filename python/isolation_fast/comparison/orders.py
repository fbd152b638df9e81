"""In which order a classic board lists a knight's moves: as it does by itself, at random, or as ours does.

The order is the one thing in which a classic board and ours may differ in every list. A heuristic that sums
floats, or takes the first of several equal moves, shows it; a game shows it in the choice of its moves. So a
classic board is also taken that lists its own moves in our order. Then both give the same, bit by bit and
move by move, unless something else is at work.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

from isolation_fast.reference.ordering import column_major, draw_order_bits, shuffle_moves

__all__ = ["OurOrder", "shuffle_lists"]

# The method that lists a knight's moves, by its newer and its older private name.
MOVE_LISTS: Final = ("_Board__get_moves", "__get_moves__")


class OurOrder:
    """Brings the lists of a classic board into the order of ours, for the bits that were drawn last."""

    def __init__(self, board_class: Any) -> None:
        self._bits = 0
        _wrap_lists(board_class, self._wrapped)

    def draw(self) -> None:
        """Draw the bits from `random`, as a board of ours does when it is made."""
        self._bits = draw_order_bits()

    def _wrapped(self, listed: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
        _take_randomness_from(listed)

        @functools.wraps(listed)
        def in_our_order(board: Any, location: Any) -> list[Any]:
            moves = listed(board, location)
            if location is not None:
                moves.sort(key=column_major)
                # A location may hold NumPy's integers, which are too small for these sums.
                row, column = map(int, location)
                shuffle_moves(moves, self._bits, row + column * board.height)
            return moves

        return in_our_order


def shuffle_lists(board_class: Any) -> None:
    """Let a board that always lists moves in one order do it at random, as all later ones do."""
    _wrap_lists(board_class, _shuffling)


def _shuffling(listed: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    @functools.wraps(listed)
    def shuffled(board: Any, location: Any) -> list[Any]:
        moves = listed(board, location)
        if location is not None:
            random.shuffle(moves)
        return moves

    return shuffled


def _wrap_lists(board_class: Any, wrap: Callable[[Any], Any]) -> None:
    for name in MOVE_LISTS:
        if listed := getattr(board_class, name, None):
            setattr(board_class, name, wrap(listed))


def _take_randomness_from(listed: Callable[..., Any]) -> None:
    """Keep a board from shuffling: the random numbers are left to the players, as on our board."""
    names: dict[str, Any] = getattr(listed, "__globals__", {})
    if getattr(names.get("random"), "shuffle", None) is random.shuffle:
        names["random"] = SimpleNamespace(shuffle=_leave_as_it_is)
    if names.get("shuffle") is random.shuffle:
        names["shuffle"] = _leave_as_it_is


def _leave_as_it_is(_moves: list[Any]) -> None:
    pass

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

__all__ = ["list_in_our_order", "shuffle_lists"]

# The method that lists a knight's moves, by its newer and its older private name.
MOVE_LISTS: Final = ("_Board__get_moves", "__get_moves__")
# An attribute of a board that no submission reads.
BITS: Final = "_bits_of_our_order"


def list_in_our_order(board_class: Any) -> None:
    """Let the boards of a class draw bits when they are made, as ours do, and list moves in their order."""
    copying = 0
    made, copied = board_class.__init__, board_class.copy

    @functools.wraps(made)
    def make(board: Any, *arguments: Any, **keywords: Any) -> None:
        made(board, *arguments, **keywords)
        if not copying:
            vars(board)[BITS] = draw_order_bits()

    @functools.wraps(copied)
    def copy(board: Any) -> Any:
        # The classic copy makes a board first. A copy has the bits of its original, and draws none.
        nonlocal copying
        copying += 1
        try:
            twin = copied(board)
        finally:
            copying -= 1
        vars(twin)[BITS] = vars(board)[BITS]
        return twin

    board_class.__init__, board_class.copy = make, copy
    _wrap_lists(board_class, _ordering)


def _ordering(listed: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    _take_randomness_from(listed)

    @functools.wraps(listed)
    def in_our_order(board: Any, *given: Any, **named: Any) -> list[Any]:
        moves = listed(board, *given, **named)
        (location,) = (*given, *named.values())
        if location is not None:
            moves.sort(key=column_major)
            # A location may hold NumPy's integers, which are too small for these sums.
            row, column = map(int, location)
            shuffle_moves(moves, vars(board)[BITS], row + column * board.height)
        return moves

    return in_our_order


def shuffle_lists(board_class: Any) -> None:
    """Let a board that always lists moves in one order do it at random, as all later ones do."""
    _wrap_lists(board_class, _shuffling)


def _shuffling(listed: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    @functools.wraps(listed)
    def shuffled(board: Any, *given: Any, **named: Any) -> list[Any]:
        moves = listed(board, *given, **named)
        if (*given, *named.values()) != (None,):
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

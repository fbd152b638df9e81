"""Boards of games that are made without drawing from `random`."""

import random
import sys
from typing import Any

import pytest

from isolation_fast import Board
from isolation_fast.exceptions import InvalidPositionError
from isolation_fast.submission.asking import board_of_game, order_bits_of

# Private to the package, so not imported.
board_in_order: Any = sys.modules["isolation_fast._native"].board_in_order

OPENING = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"


@pytest.mark.parametrize("stream", [0, 1, 77, 2**64 - 1])
def test_a_board_of_a_game_is_what_a_board_is_after_seeding(stream: int) -> None:
    random.seed(stream)
    drawn = Board.from_text(OPENING, "Ann", "Ben")
    after = random.getstate()
    random.seed(3)
    before = random.getstate()
    made = board_of_game(OPENING, stream, "Ann", "Ben")
    assert random.getstate() == before != after
    assert repr(made) == repr(drawn)
    assert (made.move_count, made._order_bits) == (drawn.move_count, drawn._order_bits)
    for _ in range(6):
        assert made.get_legal_moves() == drawn.get_legal_moves()
        move = drawn.get_legal_moves()[0]
        made.apply_move(move)
        drawn.apply_move(move)
    assert made._order_bits == order_bits_of(stream)


def test_what_is_no_position_or_no_bits_is_refused() -> None:
    with pytest.raises(InvalidPositionError):
        board_in_order("7x7", "Ann", "Ben", 0)
    with pytest.raises(OverflowError):
        board_in_order(OPENING, "Ann", "Ben", 2**64)

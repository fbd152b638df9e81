"""The board of a game, made without touching the process's `random`, which a thread shares with others."""

from __future__ import annotations

import random

from isolation_fast._native import Board, board_in_order

__all__ = ["board_in_order", "board_of_game", "order_bits_of"]


def order_bits_of(stream: int) -> int:
    """The 64 bits that a new board draws once `random` has been seeded with the game's stream.

    >>> random.seed(5)
    >>> Board()._order_bits == order_bits_of(5)
    True
    """
    return random.Random(stream).getrandbits(64)


def board_of_game(opening: str, stream: int, player_1: object, player_2: object) -> Board:
    """The board that `Board.from_text` makes once `random` has been seeded with the game's stream.

    >>> random.seed(5)
    >>> opening = "5x5 5/2x2/5/5/1x3 1,2 4,1 1"
    >>> drawn, made = Board.from_text(opening), board_of_game(opening, 5, "Ann", "Ben")
    >>> made.get_legal_moves() == drawn.get_legal_moves(), made.move_count == drawn.move_count
    (True, True)
    """
    return board_in_order(opening, player_1, player_2, order_bits_of(stream))

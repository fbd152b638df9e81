"""The positions over which costs are measured: seeded random play on 7x7, of all stages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from typing import Final

from isolation_fast._native import Board
from isolation_fast.games import play_game, seeded_random
from isolation_fast.players import RandomPlayer
from isolation_fast.searching import search, seed_bits

__all__ = ["positions"]

CELLS: Final = 49
BLANK_CELLS: Final = (*range(15, 35), 35, 38, 41, 44, 47)
"""How many cells are blank: five positions for each band. At 47 both players are just placed."""

ENOUGH_NODES: Final = 500
"""How many nodes a search must find below a position: where there are fewer, no budget binds."""

FAR_APART: Final = 0x9E37_79B9_7F4A_7C15
"""Takes seeds that are near each other to games that are not, and each of the 2^64 to games of its own."""


@lru_cache(maxsize=8)
def positions(seed: int = 0, rounds: int = 1) -> tuple[tuple[str, ...], ...]:
    """The positions of each round as texts, one for each number of blank cells, the fullest board first.

    Each round has its own: a heuristic that remembers positions would cost nothing in the second round.

    >>> first, second = positions(seed=0, rounds=2)
    >>> first[0]
    '7x7 1xx1xxx/x2xx1x/xxxx2x/1xxxxx1/xxx2xx/x1xxx1x/xx2xxx 0,6 3,4 1'
    >>> len(first), set(first) & set(second), positions(seed=0) == (first,)
    (25, set(), True)
    """
    games = _games(seed_bits(seed) * FAR_APART)
    # Boards draw the order of their moves, which decides nothing here.
    with seeded_random(seed):
        return tuple(tuple(_position(blank, games) for blank in BLANK_CELLS) for _ in range(rounds))


def _games(beginning: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Random games by the engine's own generator, which draws the same on every machine."""
    first, second = RandomPlayer(), RandomPlayer()
    return (play_game(first, second, seed=beginning + number).moves for number in count())


def _position(blank: int, games: Iterator[tuple[tuple[int, int], ...]]) -> str:
    """The position with so many blank cells in the first game that has enough below it there."""
    for moves in games:
        if len(moves) <= CELLS - blank:
            continue
        board = Board()
        for move in moves[: CELLS - blank]:
            board.apply_move(move)
        if search(board, "improved", nodes=ENOUGH_NODES, seed=0).nodes == ENOUGH_NODES:
            return board.to_text()
    raise AssertionError("games do not end")

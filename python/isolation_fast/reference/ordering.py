"""The order in which a board lists a knight's moves: a pure function of the board's bits and the cell.

The course board shuffles each list, so that players who take the first of several equal moves do not
always play the same game. Here the shuffle is drawn from 64 bits that a board holds from its making, so
that a script repeats when `random.seed` was called, and a search counts the same nodes each time it is run.
"""

from __future__ import annotations

import random
from operator import itemgetter

WORD = 2**64 - 1

# `sorted(moves, key=column_major)` is the natural order of a list of moves: by column, then by row.
column_major = itemgetter(1, 0)


def draw_order_bits() -> int:
    """Return 64 bits from Python's `random`, for a board that is being made."""
    return random.getrandbits(64)


def shuffle_moves(moves: list[tuple[int, int]], bits: int, origin: int) -> None:
    """Bring knight's moves in their natural order into the order that `bits` give them, in place.

    `origin` is the index of the cell they start from. It is all of the position that enters: in a game a
    cell is stood on once, so each turn has a key of its own. The constants are those of the splitmix64
    generator.

    >>> moves = [(1, 0), (5, 0), (0, 1), (6, 1)]
    >>> shuffle_moves(moves, bits=2017, origin=17)
    >>> moves
    [(5, 0), (6, 1), (1, 0), (0, 1)]
    """
    count = len(moves)
    if count < 2:
        return
    mixed = bits ^ (((origin + 1) * 0x9E3779B97F4A7C15) & WORD)
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & WORD
    key = mixed ^ (mixed >> 31)
    for last in range(count - 1, 0, -1):
        key, chosen = divmod(key, last + 1)
        moves[last], moves[chosen] = moves[chosen], moves[last]

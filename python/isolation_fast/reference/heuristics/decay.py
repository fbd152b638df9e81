"""Decay: each blank cell counts r to the power of its knight distance on an empty board.

The steps of a knight from the place in the middle, on a board of 5 by 5:

     4  1  2  1  4
     1  2  3  2  1
     2  3  0  3  2
     1  2  3  2  1
     4  1  2  1  4

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1", "p", "q")
>>> [len(ring) for ring in rings_on_an_empty_board(board, (2, 2))]
[1, 8, 8, 4, 4]
>>> decay_sum(board, "p", 0.5), decay_sum(board, "q", 0.5)
(6.75, 5.5625)
>>> HEURISTICS["knight_decay_2"](board, "p"), knight_decay(0.5)(board, "q")
(1.1875, -1.1875)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from isolation_fast.reference.heuristics.endings import Heuristic, knight_steps, stuck


def knight_decay(r: float) -> Heuristic:
    """Return the heuristic D(p) - D(o) with that r."""
    return partial(knight_decay_score, r=r)


def knight_decay_score(game: Any, player: Any, r: float) -> float:
    """Return D(p) - D(o), D the sum of r to the power of d over blank cells at distance d; ending S."""
    ended = stuck(game, player)
    if ended is not None:
        return ended
    return decay_sum(game, player, r) - decay_sum(game, game.get_opponent(player), r)


def decay_sum(game: Any, player: Any, r: float) -> float:
    """Return D, in which the player's own cell counts as a blank one at distance 0.

    Cells that a knight never comes to count nothing, and neither does a player who is not placed.
    """
    location = game.get_player_location(player)
    if location is None:
        return 0.0
    counted = {location, *game.get_blank_spaces()}
    total, share = 0.0, 1.0
    for ring in rings_on_an_empty_board(game, location):
        total += len(ring & counted) * share
        share *= r
    return total


def rings_on_an_empty_board(game: Any, start: tuple[int, int]) -> Iterator[set[tuple[int, int]]]:
    """Yield the cells 0, 1, 2, ... knight's moves from a cell, whatever is blocked."""
    ring = {start}
    seen = {start}
    while ring:
        yield ring
        steps = {step for cell in ring for step in knight_steps(cell)}
        ring = {(row, column) for row, column in steps if 0 <= row < game.height and 0 <= column < game.width}
        ring -= seen
        seen |= ring


HEURISTICS: dict[str, Heuristic] = {
    f"knight_decay_{divisor}": knight_decay(1 / divisor) for divisor in range(2, 11)
}

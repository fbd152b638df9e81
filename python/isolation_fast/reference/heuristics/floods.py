"""Floods: each cell that a player can still come to counts 1 / (1 + steps), on the way through blank cells.

The steps of the player in the middle, x what is blocked or out of reach:

     4  x  2  1  4
     1  2  3  2  1
     2  3  0  3  2
     x  2  3  2  1
     4  1  2  1  4

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1", "p", "q")
>>> [len(ring) for ring in rings_through_blank_cells(board, (2, 2))]
[1, 6, 8, 4, 4]
>>> round(flood_sum(board, "p"), 3), round(flood_sum(board, "q"), 3)
(8.467, 7.167)
>>> round(bfs_score(board, "p"), 3), round(bfs_close_to_opponent_score(board, "p"), 3)
(1.3, -1.7)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from isolation_fast.reference.heuristics.distance import distance_of_players, farther_from_center
from isolation_fast.reference.heuristics.endings import Heuristic, knight_steps, stuck


def bfs_score(game: Any, player: Any) -> float:
    """Return R(p) - R(o), R the sum of 1 / (1 + d) over the cells in reach, d steps away; ending S."""
    ended = stuck(game, player)
    return flood_difference(game, player) if ended is None else ended


def bfs_close_to_opponent_score(game: Any, player: Any) -> float:
    """Return R(p) - R(o) less the distance between the players; ending S."""
    ended = stuck(game, player)
    if ended is not None:
        return ended
    return flood_difference(game, player) - distance_of_players(game, player)


def bfs_far_from_opponent_score(game: Any, player: Any) -> float:
    """Return R(p) - R(o) and the distance between the players; ending S."""
    ended = stuck(game, player)
    if ended is not None:
        return ended
    return flood_difference(game, player) + distance_of_players(game, player)


def bfs_close_to_center_score(game: Any, player: Any) -> float:
    """Return R(p) - R(o) less c(p) - c(o), c the distance from the centre; ending S."""
    ended = stuck(game, player)
    if ended is not None:
        return ended
    return flood_difference(game, player) - farther_from_center(game, player)


def bfs_far_from_center_score(game: Any, player: Any) -> float:
    """Return R(p) - R(o) and c(p) - c(o), c the distance from the centre; ending S."""
    ended = stuck(game, player)
    if ended is not None:
        return ended
    return flood_difference(game, player) + farther_from_center(game, player)


def flood_difference(game: Any, player: Any) -> float:
    """Return R(p) - R(o)."""
    return flood_sum(game, player) - flood_sum(game, game.get_opponent(player))


def flood_sum(game: Any, player: Any) -> float:
    """Return R, to which the player's own cell adds 1; 0 for a player who is not placed."""
    location = game.get_player_location(player)
    if location is None:
        return 0.0
    total = 0.0
    for steps, ring in enumerate(rings_through_blank_cells(game, location)):
        total += len(ring) / (1 + steps)
    return total


def rings_through_blank_cells(game: Any, start: tuple[int, int]) -> Iterator[set[tuple[int, int]]]:
    """Yield the cells 0, 1, 2, ... knight's moves from a cell, when only blank ones are stepped on."""
    unseen = set(game.get_blank_spaces()) - {start}
    ring = {start}
    while ring:
        yield ring
        ring = {step for cell in ring for step in knight_steps(cell) if step in unseen}
        unseen -= ring


HEURISTICS: dict[str, Heuristic] = {
    "bfs": bfs_score,
    "bfs_close_to_opponent": bfs_close_to_opponent_score,
    "bfs_far_from_opponent": bfs_far_from_opponent_score,
    "bfs_close_to_center": bfs_close_to_center_score,
    "bfs_far_from_center": bfs_far_from_center_score,
}

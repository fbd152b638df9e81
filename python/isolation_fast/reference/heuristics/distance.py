"""Distance: how far the players are from the centre, from each other, and from the cells they may come to.

All of them have ending S: a player without a move has lost, whoever's turn it is.

The steps of a knight from the place in the middle, on an empty board of 5 by 5; and through blank cells
alone, x what is blocked or out of reach:

     4  1  2  1  4        4  x  2  1  4
     1  2  3  2  1        1  2  3  2  1
     2  3  0  3  2        2  3  0  3  2
     1  2  3  2  1        x  2  3  2  1
     4  1  2  1  4        4  1  2  1  4

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1", "p", "q")
>>> close_to_center_score(board, "p"), far_from_center_score(board, "p")
(2.0, -2.0)
>>> close_to_opponent_score(board, "p"), far_from_opponent_score(board, "p")
(-3.0, 3.0)
>>> [len(ring) for ring in rings_on_an_empty_board(board, (2, 2))]
[1, 8, 8, 4, 4]
>>> decay_sum(board, "p", 0.5), decay_sum(board, "q", 0.5), knight_decay_score(board, "p", 0.5)
(6.75, 5.5625, 1.1875)
>>> [len(ring) for ring in rings_through_blank_cells(board, (2, 2))]
[1, 6, 8, 4, 4]
>>> [round(each, 3) for each in (flood_sum(board, "p"), flood_sum(board, "q"), bfs_score(board, "p"))]
[8.467, 7.167, 1.3]
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from isolation_fast.reference.heuristics.baselines import Family, knight_steps, stuck


def center_distance(game: Any, player: Any) -> float:
    """Return c = |H/2 - row| + |W/2 - column|; that centre lies half a cell off the middle."""
    location = game.get_player_location(player)
    if location is None:
        return 0.0
    row, column = location
    return float(abs(game.height / 2 - row) + abs(game.width / 2 - column))


def farther_from_center(game: Any, player: Any) -> float:
    """Return c(p) - c(o)."""
    return center_distance(game, player) - center_distance(game, game.get_opponent(player))


def distance_of_players(game: Any, player: Any) -> float:
    """Return the rows and columns between the two players, 0 unless both are placed."""
    own = game.get_player_location(player)
    other = game.get_player_location(game.get_opponent(player))
    if own is None or other is None:
        return 0.0
    return float(abs(own[0] - other[0]) + abs(own[1] - other[1]))


def close_to_center_score(game: Any, player: Any) -> float:
    """Return c(o) - c(p), by how much the player is nearer to the centre than its opponent."""
    ended = stuck(game, player)
    return farther_from_center(game, game.get_opponent(player)) if ended is None else ended


def far_from_center_score(game: Any, player: Any) -> float:
    """Return c(p) - c(o), by how much the player is farther from the centre than its opponent."""
    ended = stuck(game, player)
    return farther_from_center(game, player) if ended is None else ended


def close_to_opponent_score(game: Any, player: Any) -> float:
    """Return the negative of the distance between the two players."""
    ended = stuck(game, player)
    return 0.0 - distance_of_players(game, player) if ended is None else ended


def far_from_opponent_score(game: Any, player: Any) -> float:
    """Return the distance between the two players."""
    ended = stuck(game, player)
    return distance_of_players(game, player) if ended is None else ended


DISTANCE = Family(
    "distance",
    "the way to the centre and to the opponent",
    {
        "close_to_center": close_to_center_score,
        "far_from_center": far_from_center_score,
        "close_to_opponent": close_to_opponent_score,
        "far_from_opponent": far_from_opponent_score,
    },
)


def knight_decay_score(game: Any, player: Any, r: float) -> float:
    """Return D(p) - D(o), D the sum of r to the power of d over blank cells at distance d."""
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


DECAY = Family(
    "decay",
    "blank cells, by their distance on an empty board",
    {f"knight_decay_{divisor}": partial(knight_decay_score, r=1 / divisor) for divisor in range(2, 11)},
)


def bfs_score(game: Any, player: Any) -> float:
    """Return R(p) - R(o), R the sum of 1 / (1 + d) over the cells in reach, d steps away."""
    ended = stuck(game, player)
    return flood_difference(game, player) if ended is None else ended


def bfs_close_to_opponent_score(game: Any, player: Any) -> float:
    """Return R(p) - R(o) less the distance between the players."""
    ended = stuck(game, player)
    return flood_difference(game, player) - distance_of_players(game, player) if ended is None else ended


def bfs_far_from_opponent_score(game: Any, player: Any) -> float:
    """Return R(p) - R(o) and the distance between the players."""
    ended = stuck(game, player)
    return flood_difference(game, player) + distance_of_players(game, player) if ended is None else ended


def bfs_close_to_center_score(game: Any, player: Any) -> float:
    """Return R(p) - R(o) less c(p) - c(o), c the distance from the centre."""
    ended = stuck(game, player)
    return flood_difference(game, player) - farther_from_center(game, player) if ended is None else ended


def bfs_far_from_center_score(game: Any, player: Any) -> float:
    """Return R(p) - R(o) and c(p) - c(o), c the distance from the centre."""
    ended = stuck(game, player)
    return flood_difference(game, player) + farther_from_center(game, player) if ended is None else ended


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


FLOODS = Family(
    "floods",
    "cells in reach, by their distance through blank ones",
    {
        "bfs": bfs_score,
        "bfs_close_to_opponent": bfs_close_to_opponent_score,
        "bfs_far_from_opponent": bfs_far_from_opponent_score,
        "bfs_close_to_center": bfs_close_to_center_score,
        "bfs_far_from_center": bfs_far_from_center_score,
    },
)

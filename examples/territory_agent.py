"""A submission that beats `AB_Improved`: each blank cell counts for the player who can be on it first.

`improved` counts the moves of the next turn and no more. Cells two and more moves away decide games as well,
but only for the player who gets there in time. So both players spread over the blank cells, one knight's move
after the other and in turn, as if each could go everywhere at once, and what one has reached is closed to the
other. Who has more cells of its own will have a move for longer.

A good idea that is slow loses to a bad one that searches deeper. This one asks the board for its cells once,
and works with sets and a table from then on, so that a node costs about what one with `improved` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

STEPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))


@cache
def knight_moves(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """Give for each cell those a knight's move away; cell `row + column * height`, as in `_board_state`."""
    return tuple(
        tuple(
            row + rows + (column + columns) * height
            for rows, columns in STEPS
            if 0 <= row + rows < height and 0 <= column + columns < width
        )
        for column in range(width)
        for row in range(height)
    )


def custom_score(game: Any, player: Any) -> float:
    """Count the cells that the player can be on before its opponent, less those that the opponent can."""
    own = game.get_player_location(player)
    other = game.get_player_location(game.get_opponent(player))
    if own is None or other is None:
        return 0.0  # until both are placed there is nothing to share out
    height = game.height
    moves = knight_moves(game.width, height)
    own_cell, other_cell = own[0] + own[1] * height, other[0] + other[1] * height
    taken = game._board_state[:-3]  # 0 for a blank cell; behind the cells is who stands where
    if game.active_player == player:
        return territory(moves, taken, own_cell, other_cell)
    return -territory(moves, taken, other_cell, own_cell)


def territory(moves: Sequence[Sequence[int]], taken: list[int], mover: int, waiter: int) -> float:
    """Share the blank cells out between who is to move and who waits; -inf where the mover has lost."""
    first = {cell for cell in moves[mover] if not taken[cell]}
    if not first:
        return float("-inf")
    second = {cell for cell in moves[waiter] if not taken[cell]}
    lead = 0
    while first or second:
        # A cell that both reach with as many moves is the mover's, who is there a turn earlier.
        second -= first
        lead += len(first) - len(second)
        for cell in first:
            taken[cell] = 1
        for cell in second:
            taken[cell] = 1
        first = {near for cell in first for near in moves[cell] if not taken[near]}
        second = {near for cell in second for near in moves[cell] if not taken[near]}
    return float(lead)

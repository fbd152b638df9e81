"""A submission that beats `AB_Improved`: each blank cell counts for the player who can be on it first.

`improved` counts the moves of the next turn and no more. Cells two and more moves away decide games as well,
but only for the player who gets there in time. So both players spread over the blank cells, one knight's move
after the other and in turn, as if each could go everywhere at once, and what one has reached is closed to the
other. Who has more cells of its own will have a move for longer.

A good idea that is slow loses to a bad one that searches deeper. This one asks the board for its cells once,
and works with two lists from then on, one of which is made once, when the file is imported.
"""

from __future__ import annotations

from typing import Any

STEPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))
SIDE = 12
"""Of the largest board that the table is for; a cell is the number `row * SIDE + column`."""
NEAR = [
    [
        (row + rows) * SIDE + column + columns
        for rows, columns in STEPS
        if 0 <= row + rows < SIDE and 0 <= column + columns < SIDE
    ]
    for row in range(SIDE)
    for column in range(SIDE)
]
"""For each cell those a knight's move away. On a smaller board some of them are never blank."""


def custom_score(game: Any, player: Any) -> float:
    """Count the cells that the player can be on before its opponent, less those that the opponent can."""
    own = game.get_player_location(player)
    other = game.get_player_location(game.get_opponent(player))
    if own is None or other is None:
        return 0.0  # until both are placed there is nothing to share out
    own_cell, other_cell = own[0] * SIDE + own[1], other[0] * SIDE + other[1]
    blank = [False] * (SIDE * SIDE)
    for row, column in game.get_blank_spaces():
        blank[row * SIDE + column] = True
    if game.active_player == player:
        return territory(blank, own_cell, other_cell)
    return -territory(blank, other_cell, own_cell)


def territory(blank: list[bool], mover: int, waiter: int) -> float:
    """Share the blank cells out between who is to move and who waits; -inf where the mover has lost."""
    first, second = spread(blank, [mover]), [waiter]
    if not first:
        return float("-inf")
    lead = 0
    while first or second:
        # A cell that both reach with as many moves is the mover's, who is there a turn earlier.
        second = spread(blank, second)
        lead += len(first) - len(second)
        first = spread(blank, first)
    return float(lead)


def spread(blank: list[bool], cells: list[int]) -> list[int]:
    """Take the blank cells that are a knight's move away from these."""
    taken = []
    for cell in cells:
        for near in NEAR[cell]:
            if blank[near]:
                blank[near] = False
                taken.append(near)
    return taken

"""What the heuristics of this package share: what one is, two of the ways to end a game, a knight's steps.

| ending | value of a game that is over |
|---|---|
| T, terminal-aware | -inf where the player is to move and cannot, inf where its opponent is and cannot |
| S, stuck-aware | inf where the opponent has no move, else -inf where the player has none, at any turn |
| none | that of the formula |

A term that needs the cell of a player who is not placed counts 0.

Sums of fractions are written as loops: `sum` rounds otherwise from Python 3.12 on. They run in a fixed order,
by column or from the nearest cells outwards, since rounding depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from isolation_fast.reference.board import KNIGHT_STEPS

Heuristic = Callable[[Any, Any], float]


def finished(game: Any, player: Any) -> float | None:
    """Return what ending T makes of a game that is over, None while it goes on."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    return None


def stuck(game: Any, player: Any) -> float | None:
    """Return what ending S makes of a player without a move, None where both have one."""
    if not game.get_legal_moves(game.get_opponent(player)):
        return float("inf")
    if not game.get_legal_moves(player):
        return float("-inf")
    return None


def knight_steps(cell: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the eight places a knight's move from a cell, on the board or off it."""
    row, column = cell
    for rows, columns in KNIGHT_STEPS:
        yield row + rows, column + columns

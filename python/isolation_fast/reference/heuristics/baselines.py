"""What a heuristic is, how it may know that a game is over, the four of the course, and sums of several.

| ending | value of a game that is over |
|---|---|
| T, terminal-aware | -inf where the player is to move and cannot, inf where its opponent is and cannot |
| S, stuck-aware | inf where the opponent has no move, else -inf where the player has none, at any turn |
| none | that of the formula |

The baselines have ending T:

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1")
>>> [score(board, "player 1") for score in (null_score, open_move_score, center_score, improved_score)]
[0.0, 8.0, 2.5, 6.0]
>>> weighted_sum([(open_move_score, 0.5), (improved_score, 1.0)])(board, "player 1")
10.0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isinf
from sys import float_info
from typing import Any, NamedTuple

from isolation_fast.reference.board import KNIGHT_STEPS

Heuristic = Callable[[Any, Any], float]
LARGEST = float_info.max


class Family(NamedTuple):
    """Heuristics that are read together."""

    name: str
    about: str
    """What its heuristics measure."""
    twins: Mapping[str, Heuristic]


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


# The four of the course call no `finished`: `improved` is the unit of cost, as the course writes it.


def null_score(game: Any, player: Any) -> float:
    """Return 0 for every position in which the game goes on."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    return 0.0


def open_move_score(game: Any, player: Any) -> float:
    """Return how many moves the player has."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    return float(len(game.get_legal_moves(player)))


def center_score(game: Any, player: Any) -> float:
    """Return the squared distance from (height / 2, width / 2): the farther out, the larger.

    That point lies half a cell off the middle of the board; the course defined it so.
    """
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    location = game.get_player_location(player)
    if location is None:
        return 0.0
    row, column = location
    return float((game.height / 2 - row) ** 2 + (game.width / 2 - column) ** 2)


def improved_score(game: Any, player: Any) -> float:
    """Return how many more moves the player has than its opponent."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    own = game.get_legal_moves(player)
    other = game.get_legal_moves(game.get_opponent(player))
    return float(len(own) - len(other))


def weighted_sum(parts: Iterable[tuple[Heuristic, float]]) -> Heuristic:
    """Return the sum of heuristics, each times its weight, in the order given.

    An infinite value says that the game is won or lost, and no weight changes it: the sum is the first of
    these. What is too large for a float is the largest float.
    """
    weighted = list(parts)

    def score(game: Any, player: Any) -> float:
        total = 0.0
        for heuristic, weight in weighted:
            value = heuristic(game, player)
            if isinf(value):
                return value
            total = _bounded(total + _bounded(weight * value))
        return total

    return score


def _bounded(number: float) -> float:
    return min(max(number, -LARGEST), LARGEST)


BASELINES = Family(
    "baselines",
    "what the course itself offers",
    {"null": null_score, "open": open_move_score, "center": center_score, "improved": improved_score},
)

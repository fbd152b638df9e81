"""Mobility: the moves that the players have, now and one step on, counted or by the weight of their cells.

The weight of a cell is 1 in the middle of the board and falls by half towards each edge:

     0.25  0.38  0.50  0.38  0.25
     0.38  0.56  0.75  0.56  0.38
     0.50  0.75  1.00  0.75  0.50
     0.38  0.56  0.75  0.56  0.38
     0.25  0.38  0.50  0.38  0.25

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1", "p", "q")
>>> [len(board.get_legal_moves(player)) for player in ("p", "q")]
[6, 2]
>>> mobility_difference_score(board, "p"), aggressive_score(board, "p"), aggressive_score(board, "p", 0.5)
(4.0, 2.0, 5.0)
>>> weight(board, (0, 0)), weight(board, (1, 2)), weight(board, (2, 2))
(0.25, 0.75, 1.0)
>>> weighted_open_score(board, "p"), weighted_improved_score(board, "p")
(6.0, 5.25)
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from isolation_fast.reference.board import column_major
from isolation_fast.reference.heuristics.baselines import Family, finished, knight_steps


def mobility_difference_score(game: Any, player: Any) -> float:
    """Return |L(p)| - |L(o)|, the player's moves less the opponent's, at the end of a game too."""
    own = game.get_legal_moves(player)
    other = game.get_legal_moves(game.get_opponent(player))
    return float(len(own) - len(other))


def aggressive_score(game: Any, player: Any, factor: float = 2.0) -> float:
    """Return |L(p)| - factor · |L(o)|, the player's moves less those of the opponent, which count more."""
    own = game.get_legal_moves(player)
    other = game.get_legal_moves(game.get_opponent(player))
    return len(own) - factor * len(other)


def corner_averse_mobility_score(game: Any, player: Any) -> float:
    """Return the moves of the player that lead to no corner, less those of the opponent.

    The corners are the cells that the report prints, which takes rows up to the width and columns up to the
    height. On a board that is not square they are not its corners.
    """
    ended = finished(game, player)
    if ended is not None:
        return ended
    last_row, last_column = game.width - 1, game.height - 1
    corners = [(0, 0), (0, last_column), (last_row, 0), (last_row, last_column)]
    own_inside = [move for move in game.get_legal_moves(player) if move not in corners]
    other_inside = [move for move in game.get_legal_moves(game.get_opponent(player)) if move not in corners]
    return float(len(own_inside) - len(other_inside))


def mobility_center_distance_score(game: Any, player: Any) -> float:
    """Return |L(p)| - |L(o)| + d(o) - d(p), d the distance as the crow flies from (height / 2, width / 2)."""
    ended = finished(game, player)
    if ended is not None:
        return ended
    opponent = game.get_opponent(player)
    more_moves = mobility_difference_score(game, player)
    return more_moves + _distance_to_center(game, opponent) - _distance_to_center(game, player)


def _distance_to_center(game: Any, player: Any) -> float:
    location = game.get_player_location(player)
    if location is None:
        return 0.0
    row, column = location
    return sqrt((game.height / 2 - row) ** 2 + (game.width / 2 - column) ** 2)


def lookahead_mobility_score(game: Any, player: Any) -> float:
    """Return R(p) - R(o), R(x) the moves of x and, for each, the blank cells a knight's move on.

    The board stays as it is for the second step.
    """
    ended = finished(game, player)
    if ended is not None:
        return ended
    return float(_moves_of_two_steps(game, player) - _moves_of_two_steps(game, game.get_opponent(player)))


def _moves_of_two_steps(game: Any, player: Any) -> int:
    count = 0
    for move in game.get_legal_moves(player):
        count += 1
        count += sum(game.move_is_legal(step) for step in knight_steps(move))
    return count


def lookahead_ratio_score(game: Any, player: Any) -> float:
    """Return the mean, over the player's moves, of its moves over the opponent's after that move.

    -inf where the player has no move, inf as soon as a move leaves the opponent none. It is the side to move
    that steps to the cell, whoever it is, as `forecast_move` has it.
    """
    moves = game.get_legal_moves(player)
    if not moves:
        return float("-inf")
    opponent = game.get_opponent(player)
    total = 0.0
    for move in sorted(moves, key=column_major):
        after = game.forecast_move(move)
        other = after.get_legal_moves(opponent)
        if not other:
            return float("inf")
        total += len(after.get_legal_moves(player)) / len(other)
    return total / len(moves)


MOBILITY = Family(
    "mobility",
    "moves, now and one step on",
    {
        "mobility_difference": mobility_difference_score,
        "aggressive": aggressive_score,
        "corner_averse_mobility": corner_averse_mobility_score,
        "mobility_center_distance": mobility_center_distance_score,
        "lookahead_mobility": lookahead_mobility_score,
        "lookahead_ratio": lookahead_ratio_score,
    },
)


def weight(game: Any, cell: tuple[int, int]) -> float:
    """Return (1 - 0.5 · |row - x0| / ((W - 1) / 2)) · (1 - 0.5 · |column - y0| / ((H - 1) / 2)).

    x0 = (W + 1) / 2 - 1 and y0 = (H + 1) / 2 - 1. The report measures rows by the width and columns by the
    height, which is the same on a square board. A factor whose side is 1 counts 1.
    """
    row, column = cell
    factors = 1.0
    for place, side in ((row, game.width), (column, game.height)):
        if side > 1:
            middle = (side + 1) / 2 - 1
            factors *= 1 - 0.5 * abs(place - middle) / ((side - 1) / 2)
    return factors


def weighted_open_score(game: Any, player: Any) -> float:
    """Return |L(p)| · w(loc(p)), the player's moves by the weight of the cell it stands on."""
    location = game.get_player_location(player)
    if location is None:
        return 0.0
    # No moves times a weight below 0, as there are where the sides differ, is a zero with a sign.
    return len(game.get_legal_moves(player)) * weight(game, location) + 0.0


def weighted_improved_score(game: Any, player: Any) -> float:
    """Return |L(p)| · w(loc(p)) - |L(o)| · w(loc(o))."""
    return weighted_open_score(game, player) - weighted_open_score(game, game.get_opponent(player))


def weighted_moves_score(game: Any, player: Any) -> float:
    """Return the weights of the cells that the player can move to, less those of the opponent's."""
    return _weight_of_moves(game, player) - _weight_of_moves(game, game.get_opponent(player))


def _weight_of_moves(game: Any, player: Any) -> float:
    total = 0.0
    for move in sorted(game.get_legal_moves(player), key=column_major):
        total += weight(game, move)
    return total


WEIGHTS = Family(
    "weights",
    "moves and cells, by how near they are to the middle",
    {
        "weighted_open": weighted_open_score,
        "weighted_improved": weighted_improved_score,
        "weighted_moves": weighted_moves_score,
    },
)

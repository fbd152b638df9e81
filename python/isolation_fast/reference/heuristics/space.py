"""Space: the blank cells around a player, and the part of the board that has the most of them.

The formulas alone, at the end of a game too.

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("5x5 xxx2/xx3/2x2/x4/5 2,2 3,0 1", "p", "q")
>>> print(board)
     0   1   2   3   4
0  | - | - | - |   |   |
1  | - | - |   |   |   |
2  |   |   | 1 |   |   |
3  | 2 |   |   |   |   |
4  |   |   |   |   |   |

>>> space_score(board, "p"), space_score(board, "q"), space_difference_score(board, "p")
(7.0, 5.0, 2.0)

It is p's turn. All cells that p can go to lie at the edge; q's five stay blank unless p takes one of them:

>>> lookahead_space_score(board, "p"), lookahead_space_score(board, "q")
(5.0, 5.0)

A window here has 2 rows and 2 columns. The first that is all blank begins at (3, 1); its centre is (4, 2):

>>> least_occupied_window(board)
(4, 2)
>>> aggressive_score(board, "p"), aggressive_open_cluster_score(board, "p")
(3.0, 3.8)
"""

from __future__ import annotations

from typing import Any

from isolation_fast.reference.heuristics.baselines import Family
from isolation_fast.reference.heuristics.mobility import aggressive_score

KING_STEPS = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]


def space_score(game: Any, player: Any) -> float:
    """Return how many of the eight cells around the player are blank, 0 before it is placed."""
    location = game.get_player_location(player)
    if location is None:
        return 0.0
    row, column = location
    return float(sum(game.move_is_legal((row + rows, column + columns)) for rows, columns in KING_STEPS))


def space_difference_score(game: Any, player: Any) -> float:
    """Return the blank cells around the player less those around its opponent."""
    return space_score(game, player) - space_score(game, game.get_opponent(player))


def lookahead_space_score(game: Any, player: Any) -> float:
    """Return the most space the player has after a move of the side to move, 0 where there is no move."""
    spaces = [space_score(game.forecast_move(move), player) for move in game.get_legal_moves()]
    return max(spaces, default=0.0)


SPACE = Family(
    "space",
    "blank cells around a player",
    {
        "space": space_score,
        "space_difference": space_difference_score,
        "lookahead_space": lookahead_space_score,
    },
)


def aggressive_open_cluster_score(game: Any, player: Any) -> float:
    """Return `aggressive`, and (H + W - m) / (H + W) more once a fifth of the cells are blocked.

    m is the rows and columns between the player and the centre of the least occupied window. A player who is
    not placed gets `aggressive` alone.
    """
    aggressive = aggressive_score(game, player)
    cells = game.height * game.width
    location = game.get_player_location(player)
    if location is None or cells - len(game.get_blank_spaces()) < cells / 5:
        return aggressive
    row, column = least_occupied_window(game)
    away = abs(location[0] - row) + abs(location[1] - column)
    sides = float(game.height + game.width)
    return aggressive + float((sides - away) / sides)


def least_occupied_window(game: Any) -> tuple[int, int]:
    """Return the centre of the window that has the fewest blocked cells, of several the first.

    Windows are half as high and half as wide as the board; a half more is rounded to the even number, to 0 on
    a side of 1. They come from the top down, then one column to the right.
    """
    rows, columns = round(game.height / 2), round(game.width / 2)
    blank = set(game.get_blank_spaces())
    fewest, center = rows * columns + 1, (0, 0)
    for left in range(game.width - columns + 1):
        for top in range(game.height - rows + 1):
            window = {(top + row, left + column) for row in range(rows) for column in range(columns)}
            occupied = len(window - blank)
            if occupied < fewest:
                fewest, center = occupied, (top + rows // 2, left + columns // 2)
    return center


CLUSTERS = Family(
    "clusters",
    "the least occupied part of the board",
    {"aggressive_open_cluster": aggressive_open_cluster_score},
)

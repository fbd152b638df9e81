"""Clusters: where on the board the most cells are still blank, and how far it is to there.

>>> from isolation_fast.reference import Board
>>> board = Board.from_text("5x5 xxx2/xx3/2x2/x4/5 2,2 3,0 1", "p", "q")
>>> print(board)
     0   1   2   3   4
0  | - | - | - |   |   |
1  | - | - |   |   |   |
2  |   |   | 1 |   |   |
3  | 2 |   |   |   |   |
4  |   |   |   |   |   |

A window here has 2 rows and 2 columns. The first that is all blank begins at (3, 1); its centre is (4, 2):

>>> least_occupied_window(board)
(4, 2)
>>> aggressive_score(board, "p"), aggressive_open_cluster_score(board, "p")
(3.0, 3.8)
"""

from __future__ import annotations

from typing import Any

from isolation_fast.reference.heuristics.endings import Heuristic
from isolation_fast.reference.heuristics.mobility import aggressive_score


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


HEURISTICS: dict[str, Heuristic] = {"aggressive_open_cluster": aggressive_open_cluster_score}

"""Worked examples of clusters: the least occupied window and the way to its centre."""

from __future__ import annotations

from isolation_fast import heuristics
from isolation_fast._native import Heuristic
from isolation_fast.reference import Board
from isolation_fast.reference.heuristics import clusters
from isolation_fast.worked_examples.drawing import MOVES, beside, drawn, letters_of_moves
from isolation_fast.worked_examples.families import (
    Family,
    Step,
    Working,
    last_step,
    part,
    place,
    shown,
)
from isolation_fast.worked_examples.mobility import MOBILITY

__all__ = ["CLUSTERS"]


def draw(_heuristic: Heuristic, board: Board) -> str:
    """The players' moves and the window."""
    rows, columns = round(board.height / 2), round(board.width / 2)
    center = clusters.least_occupied_window(board)
    top, left = center[0] - rows // 2, center[1] - columns // 2
    marks = letters_of_moves(board)
    for cell in ((top + row, left + column) for row in range(rows) for column in range(columns)):
        marks[cell] = f"{marks.get(cell, '')}{'(w)' if cell == center else 'w'}"
    window = f"w: the least occupied window, {rows} by {columns}, (w): its centre"
    return f"{beside(drawn(board, marks))}\n{MOVES}\n{window}"


def work(heuristic: Heuristic, board: Board, player: str) -> Working:
    """`aggressive`, and the way to the window."""
    before, aggressive = part(MOBILITY, heuristics.aggressive, board, player)
    cells = board.height * board.width
    blocked = cells - len(board.get_blank_spaces())
    (row, column), (to_row, to_column) = place(board, player), clusters.least_occupied_window(board)
    way = f"|{row} - {to_row}| + |{column} - {to_column}|"
    away = abs(row - to_row) + abs(column - to_column)
    sides = f"({board.height} + {board.width})"
    terms = f"{shown(aggressive.value)} + ({sides[1:-1]} - {away})/{sides}"
    what = "aggressive + (H + W - m)/(H + W)"
    return [
        *before,
        aggressive,
        f"{blocked} of {cells} cells are blocked, a fifth or more",
        Step("m", way, away),
        last_step(heuristic, board, player, what, terms),
    ]


CLUSTERS = Family(
    "clusters",
    "the least occupied part of the board",
    clusters.HEURISTICS,
    draw,
    work,
    positions={"aggressive_open_cluster": ("5x5 xxx2/xx3/2x2/x4/5 2,2 3,0 1",)},
    notes={
        "aggressive_open_cluster": "The code that report E prints never passes its test of a fifth "
        "and equals `aggressive`; this is the method that it describes."
    },
)

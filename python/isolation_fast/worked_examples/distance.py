"""Worked examples of distance: from each cell to the centre, or from player 1 to each cell."""

from __future__ import annotations

from isolation_fast._native import Heuristic
from isolation_fast.reference import Board
from isolation_fast.reference.heuristics import distance
from isolation_fast.worked_examples.drawing import SIGNS, beside, drawn, each_cell
from isolation_fast.worked_examples.families import (
    Family,
    Step,
    Working,
    difference,
    last_step,
    of_both,
    place,
    shown,
)

__all__ = ["DISTANCE"]


def draw(heuristic: Heuristic, board: Board) -> str:
    """The distances that the heuristic goes by."""
    if "center" in heuristic.name:
        to_row, to_column = board.height / 2, board.width / 2
        start = f"({shown(to_row)}, {shown(to_column)}), the centre"
    else:
        to_row, to_column = place(board, "player 1")
        start = "P1"
    marks = {
        (row, column): shown(abs(to_row - row) + abs(to_column - column)) for row, column in each_cell(board)
    }
    legend = f"{SIGNS}\nin each cell the rows and columns from {start}"
    return f"{beside(drawn(board, marks))}\n{legend}"


def work(heuristic: Heuristic, board: Board, player: str) -> Working:
    """The way of both players to the centre, or to each other."""
    if "center" in heuristic.name:
        own, other = of_both(_step_of_center, board, player)
        first, second = (other, own) if heuristic.name.startswith("close") else (own, other)
        what = f"{first.what} - {second.what}"
        return [own, other, last_step(heuristic, board, player, what, difference(first, second))]
    (row, column), (to_row, to_column) = place(board, player), place(board, board.get_opponent(player))
    terms, what = f"|{row} - {to_row}| + |{column} - {to_column}|", "rows + columns"
    if heuristic.name.startswith("close"):
        terms, what = f"-({terms})", f"-({what})"
    return [last_step(heuristic, board, player, what, terms)]


def _step_of_center(board: Board, player: str, letter: str) -> Step:
    row, column = place(board, player)
    terms = f"|{shown(board.height / 2)} - {row}| + |{shown(board.width / 2)} - {column}|"
    return Step(f"c({letter})", terms, distance.center_distance(board, player))


DISTANCE = Family(
    "distance",
    "the way to the centre and to the opponent",
    distance.HEURISTICS,
    draw,
    work,
)

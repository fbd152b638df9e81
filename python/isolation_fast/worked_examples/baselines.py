"""Worked examples of the baselines: the players' moves, and the way to the centre."""

from __future__ import annotations

from isolation_fast._native import Heuristic
from isolation_fast.reference import Board
from isolation_fast.reference.heuristics import baselines
from isolation_fast.worked_examples.drawing import MOVES, SIGNS, beside, drawn, each_cell, letters_of_moves
from isolation_fast.worked_examples.families import Family, Step, Working, difference, last_step, place, shown

__all__ = ["BASELINES", "steps_of_moves", "terms_to_center"]


def draw(heuristic: Heuristic, board: Board) -> str:
    """The players' moves; of `center` the square of each cell's distance."""
    if heuristic.base != "center":
        return f"{beside(drawn(board, letters_of_moves(board)))}\n{MOVES}"
    squares = {
        (row, column): shown((board.height / 2 - row) ** 2 + (board.width / 2 - column) ** 2)
        for row, column in each_cell(board)
    }
    center = f"({shown(board.height / 2)}, {shown(board.width / 2)})"
    legend = f"{SIGNS}\nin each cell the square of its distance from {center}"
    return f"{beside(drawn(board, squares))}\n{legend}"


def work(heuristic: Heuristic, board: Board, player: str) -> Working:
    """What the players' moves or the player's cell come to."""
    if heuristic.base == "null":
        return [
            f"the game goes on: {board.active_player} is to move and can",
            last_step(heuristic, board, player, "null", "0"),
        ]
    if heuristic.base == "center":
        what = "(H/2 - row)² + (W/2 - column)²"
        return [last_step(heuristic, board, player, what, terms_to_center(board, player))]
    own, other = steps_of_moves(board, player)
    if heuristic.base == "open":
        return [last_step(heuristic, board, player, own.what, own.terms)]
    return [own, other, last_step(heuristic, board, player, "|L(p)| - |L(o)|", difference(own, other))]


def steps_of_moves(board: Board, player: str) -> tuple[Step, Step]:
    """How many moves the player and its opponent have."""
    own = len(board.get_legal_moves(player))
    other = len(board.get_legal_moves(board.get_opponent(player)))
    return Step("|L(p)|", str(own), own), Step("|L(o)|", str(other), other)


def terms_to_center(board: Board, player: str) -> str:
    """The terms of the square of a player's distance from the centre."""
    row, column = place(board, player)
    return f"({shown(board.height / 2)} - {row})² + ({shown(board.width / 2)} - {column})²"


BASELINES = Family(
    "baselines",
    "what the course itself offers",
    baselines.HEURISTICS,
    draw,
    work,
    notes={
        "center": "The centre (H/2, W/2) is the course's definition, and so that of all heuristics that go "
        "by the centre. Cells are counted from 0, so it lies half a cell below and "
        "to the right of the middle."
    },
)

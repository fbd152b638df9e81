"""Worked examples of weights: the weight of each cell."""

from __future__ import annotations

from typing import Final

from isolation_fast._native import Heuristic
from isolation_fast.reference import Board
from isolation_fast.reference.heuristics import weights
from isolation_fast.reference.ordering import column_major
from isolation_fast.worked_examples.baselines import steps_of_moves
from isolation_fast.worked_examples.drawing import MOVES, beside, drawn, each_cell, letters_of_moves
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

__all__ = ["WEIGHTS"]


def draw(_heuristic: Heuristic, board: Board) -> str:
    """The weight of each cell, and the players' moves."""
    moves = letters_of_moves(board)
    marks = {
        cell: f"{moves.get(cell, '')} {weights.weight(board, cell):.2f}".strip() for cell in each_cell(board)
    }
    return f"{beside(drawn(board, marks))}\n{MOVES}\nin each cell its weight w"


def work(heuristic: Heuristic, board: Board, player: str) -> Working:
    """The weights of the players' cells, or of their moves."""
    if heuristic.base == "weighted_moves":
        sums = of_both(_step_of_moves, board, player)
        what = "Σ w over L(p) - Σ w over L(o)"
        return [*sums, last_step(heuristic, board, player, what, difference(*sums))]
    own, other = steps_of_moves(board, player)
    here, there = of_both(_step_of_place, board, player)
    terms, what = f"{own.terms} · {shown(here.value)}", "|L(p)| · w(loc(p))"
    if heuristic.base == "weighted_open":
        return [own, here, last_step(heuristic, board, player, what, terms)]
    terms += f" - {other.terms} · {shown(there.value)}"
    what += " - |L(o)| · w(loc(o))"
    return [own, here, other, there, last_step(heuristic, board, player, what, terms)]


def _step_of_place(board: Board, player: str, letter: str) -> Step:
    row, column = place(board, player)
    factors = [
        f"(1 - |{index} - {shown((side - 1) / 2)}| / {side - 1})" if side > 1 else "1"
        for index, side in ((row, board.width), (column, board.height))
    ]
    return Step(f"w(loc({letter}))", " · ".join(factors), weights.weight(board, (row, column)))


def _step_of_moves(board: Board, player: str, letter: str) -> Step:
    moves = sorted(board.get_legal_moves(player), key=column_major)
    each = [weights.weight(board, move) for move in moves]
    return Step(f"Σ w over L({letter})", " + ".join(map(shown, each)), sum(each))


_SIDES: Final = (
    "The row goes by the width W and the column by the height H, as the report prints it. On a square board "
    "that is the same; on another the weights are not symmetric."
)

WEIGHTS = Family(
    "weights",
    "moves and cells, by how near they are to the middle",
    weights.HEURISTICS,
    draw,
    work,
    notes=dict.fromkeys(weights.HEURISTICS, _SIDES),
)

"""Worked examples of mobility: the players' moves, marked, and what is counted in each of them."""

from __future__ import annotations

from math import sqrt

from isolation_fast._native import Heuristic
from isolation_fast.reference import Board
from isolation_fast.reference.heuristics import baselines, mobility
from isolation_fast.reference.heuristics.endings import knight_steps
from isolation_fast.reference.ordering import column_major
from isolation_fast.worked_examples.baselines import steps_of_moves, terms_to_center
from isolation_fast.worked_examples.drawing import MOVES, SIGNS, Cell, beside, drawn, letters_of_moves
from isolation_fast.worked_examples.families import (
    Family,
    Step,
    Working,
    difference,
    last_step,
    of_both,
    parenthesized,
)

__all__ = ["MOBILITY"]


def draw(heuristic: Heuristic, board: Board) -> str:
    """The players' moves, with what the heuristic counts in them."""
    if heuristic.base == "lookahead_ratio":
        sides = [
            drawn(board, {move: _ratio(board, player, move) for move in _moves(board, player)}, player)
            for player in ("player 1", "player 2")
        ]
        legend = (
            f"{SIGNS}\nin each move of p the moves of p / those of o "
            f"once {board.active_player}, which is to move, is on that cell"
        )
        return f"{beside(*sides)}\n{legend}"
    marks = letters_of_moves(board)
    legend = MOVES
    if heuristic.base == "lookahead_mobility":
        marks = {move: f"{letter} {_blank_steps(board, move)}" for move, letter in marks.items()}
        legend += "\nand the blank cells a knight's move on"
    if heuristic.base == "corner_averse_mobility":
        corners = _printed_corners(board)
        marks = {move: f"({letter})" if move in corners else letter for move, letter in marks.items()}
        legend += "; (a), (b): into a corner"
    return f"{beside(drawn(board, marks))}\n{legend}"


def work(heuristic: Heuristic, board: Board, player: str) -> Working:
    """How the moves are counted."""
    own, other = steps_of_moves(board, player)
    if heuristic.base == "lookahead_ratio":
        ratios = [_ratio(board, player, move) for move in _moves(board, player)]
        terms = f"({' + '.join(ratios)}) / {len(ratios)}"
        return [own, last_step(heuristic, board, player, "the mean of the ratios", terms)]
    if heuristic.base == "corner_averse_mobility":
        counts = of_both(_step_of_corners, board, player)
        what = "those of p less those of o"
        return [*counts, last_step(heuristic, board, player, what, difference(*counts))]
    if heuristic.base == "lookahead_mobility":
        counts = of_both(_step_of_two_moves, board, player)
        return [*counts, last_step(heuristic, board, player, "R(p) - R(o)", difference(*counts))]
    if heuristic.base == "mobility_center_distance":
        near, far = of_both(_step_of_center, board, player)
        terms = f"{difference(own, other)} + {difference(far, near)}"
        what = "|L(p)| - |L(o)| + d(o) - d(p)"
        return [own, other, near, far, last_step(heuristic, board, player, what, terms)]
    if heuristic.base == "aggressive":
        factor = parenthesized(f"{heuristic.parameters['factor']:g}")
        terms = f"{own.terms} - {factor} · {other.terms}"
        return [own, other, last_step(heuristic, board, player, "|L(p)| - factor · |L(o)|", terms)]
    return [own, other, last_step(heuristic, board, player, "|L(p)| - |L(o)|", difference(own, other))]


def _moves(board: Board, player: str) -> list[Cell]:
    return sorted(board.get_legal_moves(player), key=column_major)


def _ratio(board: Board, player: str, move: Cell) -> str:
    after = board.forecast_move(move)
    return f"{len(after.get_legal_moves(player))}/{len(after.get_legal_moves(board.get_opponent(player)))}"


def _blank_steps(board: Board, cell: Cell) -> int:
    return sum(board.move_is_legal(step) for step in knight_steps(cell))


def _step_of_two_moves(board: Board, player: str, letter: str) -> Step:
    onward = [_blank_steps(board, move) for move in _moves(board, player)]
    terms = " + ".join(str(count) for count in [len(onward), *onward])
    return Step(f"R({letter})", terms, len(onward) + sum(onward))


def _printed_corners(board: Board) -> list[Cell]:
    """The corners as the report prints them; on a board that is not square they are not its corners."""
    last_row, last_column = board.width - 1, board.height - 1
    return [(0, 0), (0, last_column), (last_row, 0), (last_row, last_column)]


def _step_of_center(board: Board, player: str, letter: str) -> Step:
    value = sqrt(baselines.center_score(board, player))
    return Step(f"d({letter})", f"√({terms_to_center(board, player)})", value)


def _step_of_corners(board: Board, player: str, letter: str) -> Step:
    moves, corners = board.get_legal_moves(player), _printed_corners(board)
    inside = [move for move in moves if move not in corners]
    return Step(f"moves of {letter} to no corner", f"{len(moves)} - {len(moves) - len(inside)}", len(inside))


MOBILITY = Family(
    "mobility",
    "moves, now and one step on",
    mobility.HEURISTICS,
    draw,
    work,
    positions={
        "corner_averse_mobility": ("5x5 1x3/2x2/5/x4/5 1,2 3,0 1",),
        "lookahead_ratio": ("5x5 1x3/4x/2x2/x2x1/2x2 2,2 3,0 1",),
    },
    notes={
        "corner_averse_mobility": "The corners are the cells that report A prints. On a board that is not "
        "square they are not its corners, and the printed cells count.",
        "lookahead_ratio": "It is always the side to move that steps to the cell, whoever is scored.",
    },
)

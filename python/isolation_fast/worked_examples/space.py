"""Worked examples of space: the blank cells around the players."""

from __future__ import annotations

from typing import Final

from isolation_fast._native import Heuristic
from isolation_fast.reference import Board
from isolation_fast.reference.heuristics import space
from isolation_fast.reference.ordering import column_major
from isolation_fast.worked_examples.drawing import SIGNS, Cell, beside, drawn, letters
from isolation_fast.worked_examples.families import Family, Step, Working, last_step, place, shown

__all__ = ["SPACE", "letters_of_space"]

_AROUND: Final = f"{SIGNS}; a, b: blank cells around player 1, around player 2"


def draw(heuristic: Heuristic, board: Board) -> str:
    """The cells around the players, or what they will be after each move."""
    if heuristic.base != "lookahead_space":
        return f"{beside(drawn(board, letters_of_space(board)))}\n{_AROUND}"
    sides = []
    for player in ("player 1", "player 2"):
        after = {move: shown(value) for move, value in _spaces_after(board, player).items()}
        sides.append(drawn(board, after, f"space of {player}"))
    legend = f"{SIGNS}\nin each move of {board.active_player}, which is to move, the space after it"
    return f"{beside(*sides)}\n{legend}"


def letters_of_space(board: Board) -> dict[Cell, str]:
    """The letters of the blank cells around the players."""
    return letters(*(_around(board, player) for player in ("player 1", "player 2")))


def work(heuristic: Heuristic, board: Board, player: str) -> Working:
    """How the cells are counted."""
    if heuristic.base == "lookahead_space":
        after = [shown(value) for value in _spaces_after(board, player).values()]
        what = "the largest space(p)"
        return [last_step(heuristic, board, player, what, f"max({', '.join(after)})")]
    own, other = (space.space_score(board, side) for side in (player, board.get_opponent(player)))
    if heuristic.base == "space":
        return [last_step(heuristic, board, player, "blank cells around p", shown(own))]
    return [
        Step("space(p)", shown(own), own),
        Step("space(o)", shown(other), other),
        last_step(heuristic, board, player, "space(p) - space(o)", f"{shown(own)} - {shown(other)}"),
    ]


def _around(board: Board, player: str) -> list[Cell]:
    row, column = place(board, player)
    cells = [(row + rows, column + columns) for rows, columns in space.KING_STEPS]
    return [cell for cell in cells if board.move_is_legal(cell)]


def _spaces_after(board: Board, player: str) -> dict[Cell, float]:
    moves = sorted(board.get_legal_moves(), key=column_major)
    return {move: space.space_score(board.forecast_move(move), player) for move in moves}


SPACE = Family("space", "blank cells around a player", space.HEURISTICS, draw, work)

"""Worked examples of continuations: the tree of play below a position, and what each player counts in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from isolation_fast import heuristics
from isolation_fast._native import Heuristic
from isolation_fast.reference import Board
from isolation_fast.reference.heuristics import continuations
from isolation_fast.reference.ordering import column_major
from isolation_fast.worked_examples.drawing import SIGNS, beside, drawn
from isolation_fast.worked_examples.families import (
    Family,
    Step,
    Working,
    difference,
    last_step,
    of_both,
    shown,
)

__all__ = ["CONTINUATIONS"]

PLAYERS: Final = ("player 1", "player 2")
COUNTED: Final = "each position counts 1 and the figures right below it, 0 where that player has just lost"
LONGEST: Final = (
    "each position counts 1 and the largest figure right below it, - where that player wins nowhere"
)


def draw(heuristic: Heuristic, board: Board) -> str:
    """The board and the tree of play below it, a line for each position, with what it counts."""
    lines = list(_tree(heuristic, board, ""))
    widest = max(len(line) for line, _ in lines)
    rows = [("the tree of play", list(PLAYERS)), *lines]
    tree = [f"{line:{widest}}  {own:>9}  {other:>9}" for line, (own, other) in rows]
    legend = LONGEST if _goes_by_the_longest(heuristic) else COUNTED
    return "\n".join([beside(drawn(board, {})), SIGNS, "", *tree, legend])


def work(heuristic: Heuristic, board: Board, player: str) -> Working:
    """What the positions right below the board come to."""
    if not heuristic.name.endswith("_difference"):
        which = "largest" if _goes_by_the_longest(heuristic) else "sum"
        what = f"the {which} of the figures right below"
        return [last_step(heuristic, board, player, what, _terms(heuristic, board, player))]
    plain = heuristics.get(heuristic.name.removesuffix("_difference"))
    own, other = of_both(partial(_step, plain), board, player)
    what = f"{own.what} - {other.what}"
    return [own, other, last_step(heuristic, board, player, what, difference(own, other))]


def _step(heuristic: Heuristic, board: Board, player: str, letter: str) -> Step:
    value = continuations.HEURISTICS[heuristic.name](board, player)
    return Step(f"{heuristic.name}({letter})", _terms(heuristic, board, player), value)


def _goes_by_the_longest(heuristic: Heuristic) -> bool:
    return heuristic.name.startswith("longest_win")


def _terms(heuristic: Heuristic, board: Board, player: str) -> str:
    figures = [_figure(heuristic, after, player) for _, after in _moves(board)]
    if not _goes_by_the_longest(heuristic):
        return " + ".join(figures) or "0"
    wins = [figure for figure in figures if figure != "-"]
    return f"max({', '.join(wins)})" if len(wins) > 1 else "".join(wins) or "0"


def _figure(heuristic: Heuristic, board: Board, player: str) -> str:
    """What a position counts for a player in the position before it."""
    if not _goes_by_the_longest(heuristic):
        below = continuations.continuations_score(board, player)
        return "0" if board.is_loser(player) else shown(1 + below)
    plies = continuations.longest_win_score(board, player)
    return shown(1 + plies) if plies or board.is_winner(player) else "-"


def _moves(board: Board) -> list[tuple[str, Board]]:
    moves = sorted(board.get_legal_moves(), key=column_major)
    return [(f"{board.active_player} to {move}", board.forecast_move(move)) for move in moves]


def _tree(heuristic: Heuristic, board: Board, indent: str) -> Iterator[tuple[str, list[str]]]:
    """The positions below a board, each with what it counts for both players."""
    for line, after in _moves(board):
        lost = "" if after.get_legal_moves() else f": {after.active_player} has lost"
        yield f"{indent}{line}{lost}", [_figure(heuristic, after, player) for player in PLAYERS]
        yield from _tree(heuristic, after, f"{indent}  ")


CONTINUATIONS = Family(
    "continuations",
    "the whole tree of play below a position",
    continuations.HEURISTICS,
    draw,
    work,
    positions=dict.fromkeys(continuations.HEURISTICS, ("3x3 1x1/x2/3 0,1 1,0 1",)),
)

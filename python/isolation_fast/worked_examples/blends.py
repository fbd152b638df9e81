"""Worked examples of blends: the share of blank cells, and what it makes of mobility, space and the tree."""

from __future__ import annotations

from typing import Final

from isolation_fast import heuristics
from isolation_fast._native import Heuristic
from isolation_fast.reference import Board
from isolation_fast.reference.heuristics import blends
from isolation_fast.worked_examples.baselines import BASELINES
from isolation_fast.worked_examples.continuations import CONTINUATIONS
from isolation_fast.worked_examples.drawing import MOVES, beside, drawn, letters_of_moves
from isolation_fast.worked_examples.families import (
    POSITION,
    Family,
    Step,
    Working,
    last_step,
    parenthesized,
    part,
    shown,
)
from isolation_fast.worked_examples.mobility import MOBILITY
from isolation_fast.worked_examples.space import SPACE, letters_of_space

__all__ = ["BLENDS"]

# Of 25 cells 12, 4 and 2 are blank.
HALF_FULL: Final = "5x5 1xx1x/x1x2/2x1x/1xx1x/xx1x1 2,2 3,2 1"
NEARLY_FULL: Final = "5x5 x1xxx/xx1xx/x1xxx/xxxxx/xx1xx 0,0 2,0 1"
ALMOST_FULL: Final = "5x5 xx1xx/xxxxx/xxxx1/xxxxx/xxxxx 1,0 2,1 1"

# What q may leave standing alone, and what is blended.
BLEND: Final = "the blend"
PARTS: Final = {
    name: family for family in (BASELINES, MOBILITY, SPACE, CONTINUATIONS) for name in family.twins
}


def draw(heuristic: Heuristic, board: Board) -> str:
    """What counts on this board: moves, space, or both, or the tree."""
    only = _alone(heuristic, board)
    if only != BLEND:
        return PARTS[only].draw(heuristics.get(only), board)
    moves = drawn(board, letters_of_moves(board), "moves")
    space = drawn(board, letters_of_space(board), "space")
    return f"{beside(moves, space)}\n{MOVES}\nor the blank cells around them"


def work(heuristic: Heuristic, board: Board, player: str) -> Working:
    """The share of blank cells, the parts, and what they make together."""
    q, only = blends.blank_share(board), _alone(heuristic, board)
    lines: Working = [Step("q", f"{len(board.get_blank_spaces())}/{board.height * board.width}", q)]
    if heuristic.parameters:
        thresholds = ", ".join(f"{name} {value:g}" for name, value in heuristic.parameters.items())
        lines.append(f"with {thresholds} it is {only} that counts")
    if only != BLEND:
        before, last = part(PARTS[only], heuristics.get(only), board, player)
        return [*lines, *before, last_step(heuristic, board, player, last.what, last.terms)]
    by_q = "improved" if heuristic.name == "blend_improved" else "mobility_difference"
    counted, mobility = part(PARTS[by_q], heuristics.get(by_q), board, player)
    around, space = part(SPACE, heuristics.space_difference, board, player)
    lines += [*counted, mobility, *around, space]
    moves, cells = (parenthesized(shown(each.value)) for each in (mobility, space))
    what, terms = f"q · {by_q}", f"{shown(q)} · {moves}"
    if str(heuristic.base).startswith("balanced"):
        what, terms = f"{what} + (1 - q) · space_difference", f"{terms} + {shown(1 - q)} · {cells}"
    else:
        what, terms = f"{what} + space_difference", f"{terms} + {cells}"
    return [*lines, last_step(heuristic, board, player, what, terms)]


def _alone(heuristic: Heuristic, board: Board) -> str:
    """The heuristic that the share of blank cells leaves standing alone, or that it is the blend."""
    q, thresholds, name = blends.blank_share(board), heuristic.parameters, str(heuristic.base)
    # In the order in which the formulas ask: of a variant the stages may overlap.
    staged = name.startswith("staged")
    if staged and q > thresholds["early"]:
        return "mobility_difference"
    if q < thresholds.get("threshold", thresholds.get("late", 0.0)):
        return "continuations_difference" if name.endswith("_difference") else "continuations"
    return "space_difference" if staged else BLEND


BLENDS = Family(
    "blends",
    "mobility and space by how full the board is, and the tree near the end",
    blends.HEURISTICS,
    draw,
    work,
    positions={
        **dict.fromkeys(blends.HEURISTICS, (POSITION, NEARLY_FULL)),
        "blend": (POSITION,),
        "blend_improved": (POSITION,),
        "blend_then_continuations_10": (POSITION, ALMOST_FULL),
        "staged_continuations_difference": (POSITION, HALF_FULL, NEARLY_FULL),
        "staged_continuations": (POSITION, HALF_FULL, NEARLY_FULL),
    },
)

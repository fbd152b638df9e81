"""Worked examples of decay: the knight's moves to each blank cell on an empty board."""

from __future__ import annotations

from functools import partial
from typing import Final

from isolation_fast._native import Heuristic
from isolation_fast.reference import Board
from isolation_fast.reference.heuristics import decay
from isolation_fast.worked_examples.drawing import SIGNS, beside, drawn
from isolation_fast.worked_examples.families import (
    OF_REPORT_C,
    Family,
    Step,
    Working,
    difference,
    last_step,
    of_both,
    place,
)

__all__ = ["DECAY"]

# Below that a fraction is harder to read than its decimals.
SMALLEST_FRACTION: Final = 0.01


def draw(_heuristic: Heuristic, board: Board) -> str:
    """How far each blank cell is from each player."""
    sides = []
    for player in ("player 1", "player 2"):
        rings = decay.rings_on_an_empty_board(board, place(board, player))
        counted = {place(board, player), *board.get_blank_spaces()}
        marks = {cell: str(steps) for steps, ring in enumerate(rings) for cell in ring & counted}
        sides.append(drawn(board, marks, f"from {player}"))
    legend = f"{SIGNS}\nin each cell that counts the knight's moves to there, on an empty board"
    return f"{beside(*sides)}\n{legend}"


def work(heuristic: Heuristic, board: Board, player: str) -> Working:
    """What the cells at each distance come to."""
    r = heuristic.parameters["r"]
    own, other = of_both(partial(_sum, r=r), board, player)
    return [own, other, last_step(heuristic, board, player, "D(p) - D(o)", difference(own, other))]


def _sum(board: Board, player: str, letter: str, r: float) -> Step:
    start = place(board, player)
    counted = {start, *board.get_blank_spaces()}
    counts = [len(ring & counted) for ring in decay.rings_on_an_empty_board(board, start)]
    divisor = round(1 / r) if r >= SMALLEST_FRACTION else 0
    if divisor and r == 1 / divisor:
        terms = [f"{count}/{divisor**steps}" for steps, count in enumerate(counts)]
    else:
        terms = [f"{count} · {r**steps:.6g}" for steps, count in enumerate(counts)]
    return Step(f"D({letter})", " + ".join(terms), decay.decay_sum(board, player, r))


DECAY = Family(
    "decay",
    "blank cells, by their distance on an empty board",
    decay.HEURISTICS,
    draw,
    work,
    positions=dict.fromkeys(decay.HEURISTICS, (OF_REPORT_C,)),
    notes={
        "knight_decay_2": "Report C works an example of 5 by 5 and prints 5.25 for player 1, 4.1875 for "
        "player 2, and 1.0625 for the difference. The second figure is a slip: its definition gives 4.6875, "
        "and so 0.5625. Its board is not known here; this is one that has the sums of the definition.",
    },
)

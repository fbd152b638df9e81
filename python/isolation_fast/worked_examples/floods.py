"""Worked examples of floods: the moves to each cell in reach."""

from __future__ import annotations

from isolation_fast import heuristics
from isolation_fast._native import Heuristic
from isolation_fast.reference import Board
from isolation_fast.reference.heuristics import floods
from isolation_fast.worked_examples.distance import DISTANCE
from isolation_fast.worked_examples.drawing import SIGNS, beside, drawn
from isolation_fast.worked_examples.families import (
    OF_REPORT_C,
    Family,
    Step,
    Working,
    difference,
    last_step,
    of_both,
    parenthesized,
    part,
    place,
    shown,
)

__all__ = ["FLOODS"]


def draw(_heuristic: Heuristic, board: Board) -> str:
    """How many moves each cell is from each player."""
    sides = []
    for player in ("player 1", "player 2"):
        rings = floods.rings_through_blank_cells(board, place(board, player))
        marks = {cell: str(steps) for steps, ring in enumerate(rings) for cell in ring}
        sides.append(drawn(board, marks, f"from {player}"))
    return f"{beside(*sides)}\n{SIGNS}\nin each cell in reach the moves to there, through blank cells"


def work(heuristic: Heuristic, board: Board, player: str) -> Working:
    """What the cells at each distance come to, and the distance that is added."""
    own, other = of_both(_sum, board, player)
    flood = last_step(heuristics.bfs, board, player, "R(p) - R(o)", difference(own, other))
    if heuristic.base == "bfs":
        return [own, other, flood]
    added = heuristics.get(heuristic.name.removeprefix("bfs_"))
    before, way = part(DISTANCE, added, board, player)
    terms = f"{shown(flood.value)} + {parenthesized(shown(way.value))}"
    flood = flood._replace(what=f"bfs = {flood.what}")
    return [
        own,
        other,
        flood,
        *before,
        way,
        last_step(heuristic, board, player, f"bfs + {added.name}", terms),
    ]


def _sum(board: Board, player: str, letter: str) -> Step:
    rings = floods.rings_through_blank_cells(board, place(board, player))
    terms = " + ".join(f"{len(ring)}/{1 + steps}" for steps, ring in enumerate(rings))
    return Step(f"R({letter})", terms, floods.flood_sum(board, player))


FLOODS = Family(
    "floods",
    "cells in reach, by their distance through blank ones",
    floods.HEURISTICS,
    draw,
    work,
    positions=dict.fromkeys(floods.HEURISTICS, (OF_REPORT_C,)),
    notes={
        "bfs": "Report C works this one on the same board as `knight_decay_2`, and prints 6.65 for player 1, "
        "5.033 for player 2 (its own printed grid sums to 6.283), and 1.62 for the difference. The second "
        "figure is a slip: its definition gives 6.2, and so 0.45.",
    },
)

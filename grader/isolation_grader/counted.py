"""Which heuristics are counted: those that are read as programs, and agree with their Python.

A program's work is counted by a price list, so its games are a function of text, seed and version. Before
they are played, Python is asked once about positions of a probe, in the process that has loaded the
submission. Where the two differ, that is a defect of ours, and the heuristic is timed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from random import Random
from typing import Final, TypeAlias

from isolation_fast import Board
from isolation_fast.compiled import Refusal
from isolation_fast.jail import Fault, JailedProcess
from isolation_fast.programs import Program, in_one_order
from isolation_grader.report import WhyTimed

START: Final = "7x7 7/7/7/7/7/7/7 - - 1"
PROBED: Final = 2_000
"""Positions that a program is run for: Python is asked about each that enters a part which has hardly run."""
ALWAYS_ASKED: Final = 40
"""So many of them Python is asked about in any case."""
MOST_ASKED: Final = 300
MOST_READ: Final = 16
MOST_SHOWN: Final = 80
"""Letters of the name of an exception."""


Form: TypeAlias = Program | WhyTimed
"""How a heuristic is graded: counted as a program, or timed."""


def forms_of(read: Mapping[str, Program | Refusal]) -> dict[str, Form]:
    """The form of each heuristic, by what was read of it."""
    return {
        name: WhyTimed(each.message, each.line or None, each.filename) if isinstance(each, Refusal) else each
        for name, each in read.items()
    }


def compared(process: JailedProcess, forms: Mapping[str, Form], heuristics: Iterable[str]) -> dict[str, Form]:
    """The forms, where Python has agreed; asked once the submission is loaded."""
    known = set(heuristics)
    return {
        name: _difference(process, name, form) or form
        if isinstance(form, Program) and name in known
        else form
        for name, form in forms.items()
    }


def _difference(process: JailedProcess, name: str, program: Program) -> WhyTimed | None:
    """Why the program is not used: another value than Python's for some position."""
    asked: dict[str, float | None] = {}
    for number, board in enumerate(_positions()):
        value, is_new = program.probe(board)
        if (is_new or number < ALWAYS_ASKED) and len(asked) < MOST_ASKED:
            asked[board.to_text()] = value
    try:
        values = process.evaluate(name, tuple(asked))
    except Fault as fault:
        return WhyTimed(f"Python does not answer for some position: {fault.ending}: {fault.detail}")
    for (position, value), own in zip(asked.items(), values, strict=True):
        if value is not None and value.hex() != own:
            return WhyTimed(
                f"as it was read it gives {value!r} for {position!r}, where Python gives {_shown(own)}: "
                "when it is imported it becomes something else, or isolation_fast has a defect"
            )
    return None


def _shown(own: str) -> str:
    """What a process says that it computed, which may be any text.

    >>> _shown("0x1.8p+0"), _shown("IndexError"), _shown("-inf"), _shown("no number")
    ('1.5', 'IndexError', '-inf', 'no number')
    """
    if own.isidentifier() and len(own) <= MOST_SHOWN:
        return own
    try:
        return repr(float.fromhex(own))
    except (ValueError, OverflowError):
        return "no number"


@cache
def _positions() -> list[Board]:
    """All positions of some random games, from the first move to the end."""
    chance, boards = Random(0), list[Board]()
    while len(boards) < PROBED:
        board = Board.from_text(START)
        while moves := board.get_legal_moves():
            board.apply_move(chance.choice(moves))
            boards.append(board.copy())
    return boards


def preferred(program: Program, board: Board) -> tuple[int, int] | None:
    """The move that a program values highest if it looks one move ahead: of equal ones the upper left."""
    best: tuple[float, tuple[int, int]] | None = None
    board = in_one_order(board.to_text())
    player = board.active_player
    for move in sorted(board.get_legal_moves()):
        value = program.run(board.forecast_move(move), player)
        if value is None:
            return None
        if best is None or value > best[0]:
            best = value, move
    return None if best is None else best[1]

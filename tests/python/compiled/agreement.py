"""Whether a program gives what its function gives, to the bit, on positions of all sizes and stages."""

import math
import struct
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from isolation_fast import Board
from isolation_fast.compiled.programs import lower
from isolation_fast.compiled.source import Refusal, Source

PLAYERS = ("ann", "ben")
SIZES = [(7, 7), (7, 7), (5, 5), (4, 6), (6, 3), (3, 3), (9, 8), (11, 12), (1, 1), (2, 1)]
PLIES = [0, 1, 2, 3, 5, 8, 12, 20, 30, 40]
LARGEST_IN_MACHINE_CODE = 128


def positions(count: int, seed: int) -> Iterator[Board]:
    """Random positions, some with players who are not placed, some at their end."""
    chance = Random(seed)
    for number in range(count):
        width, height = SIZES[number % len(SIZES)]
        board = Board(*PLAYERS, width, height)
        board._order_bits = chance.getrandbits(64)
        for _ in range(chance.choice(PLIES)):
            moves = board.get_legal_moves()
            if not moves:
                break
            board.apply_move(chance.choice(moves))
        yield board


@cache
def boards() -> list[Board]:
    return list(positions(80, 1))


def word(value: float) -> bytes:
    return struct.pack("<d", value)


def expected(function: Callable[[Any, Any], Any], board: Board, player: str) -> float | None:
    """What Python gives; None where it raises, or gives what the engine does not take as it is."""
    try:
        value = function(board.copy(), player)
        return None if value is None or isinstance(value, (tuple, list)) else float(value)
    except Exception:  # noqa: BLE001 - whatever it raises, the program has to bail
        return None


def agree(
    function: Callable[[Any, Any], Any],
    *,
    bails: bool = False,
    as_python_has_it: Callable[[Any, Any], Any] | None = None,
) -> None:
    """The program gives the same bits, and bails where Python raises; nowhere else, unless it may.

    `as_python_has_it` is what another version of Python has.
    """
    program = lower(Source.of(function))
    values = needless = 0
    for board in boards():
        for player in PLAYERS:
            got, want = program.run(board, player), expected(as_python_has_it or function, board, player)
            if board.width * board.height <= LARGEST_IN_MACHINE_CODE:
                assert repr(got) == repr(program.run(board, player, machine_code=True)), board
            shown = f"{board!r} for {player}: {got} where Python has {want}"
            if got is not None:
                assert want is not None, shown
                assert word(got) == word(want) or (math.isnan(got) and math.isnan(want)), shown
                values += 1
            elif want is not None:
                needless += 1
    assert bails or not needless, f"{needless} bails where Python has a value"
    assert values or bails, "it never has a value"


def agree_or_be_refused(function: Callable[[Any, Any], Any]) -> None:
    """Python's value, a bail or a refusal: what compiles may change, a value may not."""
    try:
        lower(Source.of(function))
    except Refusal:
        return
    agree(function, bails=True)


def refusal(function: Callable[[Any, Any], Any]) -> Refusal:
    """Why a function is not compiled."""
    with pytest.raises(Refusal) as refused:
        lower(Source.of(function))
    return refused.value

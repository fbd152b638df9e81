"""Programs as Python makes them: what they compute, and that an unsound one is refused with the reason."""

from __future__ import annotations

import math
import operator
import random
import struct
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from isolation_fast import Board, heuristics

ENGINE: Any = sys.modules["isolation_fast._native"]

ENTRY = (2, 0, 0), (0, 1, 0)
Counts = tuple[int, int, int]


def code(*lines: str) -> list[tuple[int, ...]]:
    """Instructions from texts such as `AddI i2 i0 i1`."""
    instructions = []
    for line in lines:
        name, *operands = line.split()
        instructions.append((ENGINE.OPCODES[name][0], *(int(each.lstrip("ifm")) for each in operands)))
    return instructions


def program(
    *lines: str,
    registers: Counts = (8, 8, 8),
    integers: Sequence[int] = (),
    floats: Sequence[float] = (),
    data: Sequence[int] = (),
) -> Any:
    """A program of one function."""
    return ENGINE.Program([(registers, *ENTRY, code(*lines))], integers, floats, data)


IMPROVED = (
    "IsLoser i2 i0 i1",
    "JumpIf i2 11",
    "IsWinner i2 i0 i1",
    "JumpIf i2 13",
    "ConstI i2 1",
    "SubI i2 i2 i1",
    "Mobility i3 i0 i1",
    "Mobility i4 i0 i2",
    "SubI i3 i3 i4",
    "IToF f0 i3",
    "Ret",
    "ConstF f0 0",
    "Ret",
    "ConstF f0 1",
    "Ret",
)


def improved() -> Any:
    return program(*IMPROVED, floats=[float("-inf"), float("inf")])


def test_a_program_gives_the_value_of_the_heuristic_that_it_is() -> None:
    board = Board()
    for move in [(2, 3), (0, 5), (4, 4), (2, 4), (3, 6)]:
        for player in (board.active_player, board.inactive_player):
            assert improved().run(board, player) == heuristics.improved(board, player)
        board = board.forecast_move(move)


@pytest.mark.parametrize("lines", ["Bail", "Jump 0", "ConstI i2 0; IToF f0 i2; DivF f0 f0 f0; Ret"])
def test_a_program_that_bails_gives_none(lines: str) -> None:
    board = Board()
    assert program(*lines.split("; ")).run(board, board.active_player) is None


def test_every_instruction_has_a_number_and_operands_of_known_kinds() -> None:
    assert [number for number, _ in ENGINE.OPCODES.values()] == list(range(len(ENGINE.OPCODES)))
    kinds = {kind for _, kinds in ENGINE.OPCODES.values() for kind in kinds}
    assert kinds == {"i", "f", "m", "I", "F", "M", "Ii", "Mm", "n", "k", "q", "l", "p"}


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ((), "function 0: 0 instructions are not from 1 to 16384"),
        (("ConstI i2 1",), "instruction 0 (ConstI): the last instruction must be Ret, Jump or Bail"),
        (("Ret",), "instruction 0 (Ret): f0 is read, and not written on every way there"),
        (("AddI i2 i0 i3", "Bail"), "instruction 0 (AddI): i3 is read, and not written on every way there"),
        (("MovI i8 i0", "Bail"), "instruction 0 (MovI): there is no i8 among 8 registers"),
        (("MovI i256 i0", "Bail"), "instruction 0: 256 is no operand `I`"),
        (("MovI i-1 i0", "Bail"), "instruction 0: -1 is no operand `I`"),
        (("Jump 2", "Bail"), "instruction 0 (Jump): there is no 2 among 2 instructions"),
        (("ConstF f0 0", "Ret"), "instruction 0 (ConstF): there is no 0 among 0 float constants"),
        (("ConstK i2 1", "Bail"), "instruction 0 (ConstK): there is no 1 among 1 integer constants"),
        (("Call 1 0 0 0", "Bail"), "instruction 0 (Call): there is no 1 among 1 functions"),
        (("Call 0 7 0 0", "Bail"), "instruction 0 (Call): the callee needs 2 registers from i7 on, of 8"),
        (("ListNew i2 0", "Bail"), "instruction 0 (ListNew): an element has at least 1 word"),
        (("MovI i2", "Bail"), "instruction 0: MovI takes 2 operands, not 1"),
        (
            ("JumpIf i1 2", "ConstI i2 1", "MovI i3 i2", "Bail"),
            "instruction 2 (MovI): i2 is read, and not written on every way there",
        ),
        (
            ("MaskEmpty m0", "MaskPop i2 m0 2", "MovI i3 i2", "Bail"),
            "instruction 2 (MovI): i2 is read, and not written on every way there",
        ),
    ],
)
def test_an_unsound_program_is_refused_with_the_reason(lines: tuple[str, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=r"^function 0") as error:
        program(*lines, integers=[5])
    assert reason in str(error.value)


def test_an_unknown_instruction_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^function 0, instruction 0: there is no instruction 999$"):
        ENGINE.Program([((8, 8, 8), *ENTRY, [(999,)])], [], [], [])
    with pytest.raises(ValueError, match=r"^function 0, instruction 0: 18446744073709551616 is no integer"):
        ENGINE.Program([((8, 8, 8), *ENTRY, [(2**64,)])], [], [], [])
    with pytest.raises(ValueError, match=r"^18446744073709551616 is no word of 64 bits$"):
        program("Bail", data=[2**64])


def test_a_program_of_wrong_sizes_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^a program has at least one function$"):
        ENGINE.Program([], [], [], [])
    with pytest.raises(ValueError, match=r"^257 functions are more than 256$"):
        ENGINE.Program([((8, 8, 8), *ENTRY, code("Bail"))] * 257, [], [], [])
    with pytest.raises(ValueError, match=r"^function 0: the entry has the parameters \(2, 0, 0\)"):
        ENGINE.Program([((8, 8, 8), (1, 0, 0), (0, 1, 0), code("Bail"))], [], [], [])
    with pytest.raises(ValueError, match=r"^function 0: 257 registers of a class are more than 256$"):
        program("Bail", registers=(257, 1, 0))
    with pytest.raises(ValueError, match=r"^function 0: parameters and results need more than 0 registers$"):
        program("Bail", registers=(2, 0, 0))


ONE: tuple[str, ...] = (
    "exp",
    "log",
    "log2",
    "log10",
    "log1p",
    "expm1",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
)
ONE += ("tanh", "degrees", "radians")
TWO = ("atan2", "fmod", "copysign", "hypot", "log")
ON_ONE: dict[str, Callable[[float], float]] = {
    **{f"MathF f0 f1 {number}": getattr(math, name) for number, name in enumerate(ONE)},
    "SqrtF f0 f1": math.sqrt,
    "AbsF f0 f1": abs,
    "NegF f0 f1": operator.neg,
    "CeilI i2 f1; IToF f0 i2": lambda a: float(math.ceil(a)),
    "FloorI i2 f1; IToF f0 i2": lambda a: float(math.floor(a)),
    "TruncI i2 f1; IToF f0 i2": lambda a: float(int(a)),
    "RoundI i2 f1; IToF f0 i2": lambda a: float(round(a)),
}
ON_TWO: dict[str, Callable[[float, float], Any]] = {
    **{f"Math2F f0 f1 f2 {number}": getattr(math, name) for number, name in enumerate(TWO)},
    "PowF f0 f1 f2": operator.pow,
    "ModF f0 f1 f2": operator.mod,
    "FloorDivF f0 f1 f2": operator.floordiv,
    "DivF f0 f1 f2": operator.truediv,
    "AddF f0 f1 f2": operator.add,
    "SubF f0 f1 f2": operator.sub,
    "MulF f0 f1 f2": operator.mul,
}
ODD: tuple[float, ...] = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    0.1,
    2.5,
    3.5,
    1e16,
    5e-324,
    1.7e308,
    710.0,
    -745.0,
)
ODD += (math.inf, -math.inf, math.nan)
# The instructions that bail where it is not certain, and not only where Python raises.
UNCERTAIN = ("Math2F f0 f1 f2 3", "PowF", "CeilI", "FloorI", "TruncI", "RoundI", "MathF f0 f1 15")


def any_float(chance: random.Random) -> float:
    """Small numbers, full mantissas, any bits."""
    bits: float = struct.unpack("<d", chance.randbytes(8))[0]
    small, full = float(chance.randrange(-20, 21)), chance.uniform(-10, 10)
    return chance.choice((chance.choice(ODD), small, full, bits, full * 10 ** chance.uniform(-10, 10)))


@pytest.mark.parametrize("instruction", [*ON_ONE, *ON_TWO])
def test_floats_are_those_of_this_python_to_the_bit(instruction: str) -> None:
    chance = random.Random(instruction)
    function: Callable[..., Any] = ON_ONE.get(instruction) or ON_TWO[instruction]
    board, count = Board(), 1 if instruction in ON_ONE else 2
    found = 0
    for _ in range(1000):
        arguments = [any_float(chance) for _ in range(count)]
        lines = [f"ConstF f{number + 1} {number}" for number in range(count)]
        value = program(*lines, *instruction.split("; "), "Ret", floats=arguments).run(
            board, board.active_player
        )
        try:
            meant = function(*arguments)
        except (ArithmeticError, ValueError):
            assert value is None, arguments
            continue
        if value is None:
            assert isinstance(meant, complex) or meant != meant or instruction.startswith(UNCERTAIN), (
                arguments
            )
        else:
            assert struct.pack("<d", value) == struct.pack("<d", meant), arguments
            found += 1
    assert found > 100

"""Code as it is written down while a function is compiled, and the numbers that become of it.

A register belongs to one function: an instruction of another one that names it is a defect of the compiler,
and is found where it is written.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from isolation_fast import _native

OPCODES: Final = _native.OPCODES
CLASSES: Final = "ifm"
MOVES: Final = {"i": "MovI", "f": "MovF", "m": "MovM"}
SMALL: Final = 2**31
WORD: Final = 2**63

READS: Final = {
    name: tuple(place for place, kind in enumerate(kinds) if kind in ("i", "f", "m", "Ii", "Mm"))
    for name, (_, kinds) in OPCODES.items()
}
WRITES: Final = {
    name: tuple(place for place, kind in enumerate(kinds) if kind in ("I", "F", "M", "Ii", "Mm"))
    for name, (_, kinds) in OPCODES.items()
}
LABELS: Final = {name: kinds.index("l") for name, (_, kinds) in OPCODES.items() if "l" in kinds}
REGISTERS: Final = {name: tuple(sorted({*READS[name], *WRITES[name]})) for name in OPCODES}
Place = TypeVar("Place")
ENDS: Final = frozenset({"Jump", "Ret", "Bail"})


class Register:
    """A register of a function, of one class. There are as many as are wanted: `finishing` finds places."""

    __slots__ = ("kind", "number", "owner")

    def __init__(self, owner: object, kind: str, number: int) -> None:
        self.owner, self.kind, self.number = owner, kind, number


class Label:
    """A place in the code."""

    __slots__ = ("place",)

    def __init__(self) -> None:
        self.place = -1


class Instruction:
    """An instruction. `Call` has its instance, its arguments and its results, `Ret` the results."""

    __slots__ = ("line", "name", "operands", "pure")

    def __init__(self, name: str, operands: list[Any], *, pure: bool = False, line: int = 0) -> None:
        self.name, self.operands = name, operands
        self.pure = pure
        """It may be left out where nobody reads what it writes."""
        self.line = line
        """The line of the source that it is for."""

    def reads(self) -> Sequence[Any]:
        """The registers that it reads."""
        if self.name == "Call":
            return self.operands[1]  # type: ignore[no-any-return]
        if self.name == "Ret":
            return self.operands[0]  # type: ignore[no-any-return]
        return [self.operands[place] for place in READS[self.name]]

    def writes(self) -> Sequence[Any]:
        """The registers that it writes."""
        if self.name == "Call":
            return self.operands[2]  # type: ignore[no-any-return]
        if self.name == "Ret":
            return ()
        return [self.operands[place] for place in WRITES[self.name]]

    def label(self) -> Label | None:
        """Where it may go to."""
        place = LABELS.get(self.name)
        return None if place is None else self.operands[place]


Line: TypeAlias = "Instruction | Label | list[Any]"
"""A list stands for the lines in it; it may be filled later."""
Code: TypeAlias = list[Line]
Lines: TypeAlias = "list[Instruction | Label]"


def flat(code: Code) -> Iterator[Instruction | Label]:
    """The lines of code, those of lists inside it too."""
    waiting = [iter(code)]
    while waiting:
        for line in waiting[-1]:
            if isinstance(line, list):
                waiting.append(iter(line))
                break
            yield line
        else:
            waiting.pop()


def in_parallel(
    moves: Iterable[tuple[Place, Place]], aside: Callable[[Place], Place]
) -> Iterator[tuple[Place, Place]]:
    """Copies meant to be done all at once, as (to, from), one after the other; a ring needs a place aside."""
    waiting = {to: source for to, source in moves if to != source}
    while waiting:
        needed = set(waiting.values())
        free = [to for to in waiting if to not in needed]
        for to in free:
            yield to, waiting.pop(to)
        if not free:
            source = next(iter(waiting.values()))
            kept = aside(source)
            yield kept, source
            waiting = {to: kept if each == source else each for to, each in waiting.items()}


class Pool:
    """The constants of a program, each once."""

    def __init__(self) -> None:
        self._places: dict[Any, int] = {}
        self.values: list[Any] = []

    def place(self, value: float) -> int:
        """Where a constant stands. Floats are told apart by their bits."""
        key = value if isinstance(value, int) else struct.pack("<d", value)
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(value)
        return self._places[key]


def bits(value: float) -> int:
    """The word of a float, as a signed integer."""
    word: int = struct.unpack("<q", struct.pack("<d", value))[0]
    return word


Counts: TypeAlias = tuple[int, int, int]
Encoded: TypeAlias = tuple[Counts, Counts, Counts, list[tuple[int, ...]]]


def counted(layout: str) -> Counts:
    """How many registers of each class a layout has."""
    return layout.count("i"), layout.count("f"), layout.count("m")


class Encoder:
    """Writes allocated code as the numbers that the engine reads."""

    def __init__(self, function: Callable[[Any], int]) -> None:
        self.integers, self.floats = Pool(), Pool()
        self._function = function
        """The number of the function that an instance is."""

    def encode(self, lines: Lines) -> list[tuple[int, ...]]:
        """The instructions, their labels replaced by places."""
        place = 0
        for line in lines:
            if isinstance(line, Label):
                line.place = place
            else:
                place += 1
        return [self._encoded(line) for line in lines if isinstance(line, Instruction)]

    def _encoded(self, line: Instruction) -> tuple[int, ...]:
        name, operands = line.name, line.operands
        if name == "ConstI" and not -SMALL <= operands[1] < SMALL:
            name, operands = "ConstK", [operands[0], self.integers.place(operands[1])]
        number, kinds = OPCODES[name]
        out = [number]
        for kind, operand in zip(kinds, operands, strict=True):
            if kind == "l":
                out.append(operand.place)
            elif kind == "q":
                out.append(self.floats.place(operand))
            elif kind == "p":
                out.append(self._function(operand))
            else:
                out.append(operand)
        return tuple(out)

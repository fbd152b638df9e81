"""The registers of a function: which of the few each of the many becomes.

Two registers can be one where neither is written while the other is still needed. What is copied is put where it is
copied to, if that can be; then each takes the lowest place that is free. Sets of registers are integers, a bit for each.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from isolation_fast.compiled.code import (
    CLASSES,
    ENDS,
    MOVES,
    REGISTERS,
    Counts,
    Instruction,
    Label,
    Lines,
    Register,
)

MOST: Final = 256
COPIES: Final = frozenset(MOVES.values())


class TooManyRegisters(Exception):  # noqa: N818 - the function is refused for it
    """A function needs more registers than there are."""


def allocated(lines: Lines, parameters: tuple[Register, ...]) -> tuple[Lines, Counts]:
    """The code with places for registers, with the copies that calls and returns need; how many there are."""
    classes = _Classes(lines, parameters)
    places, sizes = classes.colored()
    most = dict(sizes)
    out: Lines = []
    for line in lines:
        if isinstance(line, Label):
            out.append(line)
        elif line.name == "Call":
            _call(line, places, sizes, most, out)
        elif line.name == "Ret":
            _return(line, places, most, out)
        else:
            operands = list(line.operands)
            for place in REGISTERS[line.name]:
                operands[place] = places[operands[place]]
            if line.name not in COPIES or operands[0] != operands[1]:
                out.append(Instruction(line.name, operands, line=line.line))
    if max(most.values()) > MOST:
        raise TooManyRegisters
    return out, (most["i"], most["f"], most["m"])


def _call(
    line: Instruction, places: dict[Register, int], sizes: dict[str, int], most: dict[str, int], out: Lines
) -> None:
    """Arguments go above all other registers, and results come from there."""
    instance, arguments, results = line.operands
    above = dict(sizes)
    for each in arguments:
        out.append(Instruction(MOVES[each.kind], [above[each.kind], places[each]], line=line.line))
        above[each.kind] += 1
    most.update({kind: max(most[kind], above[kind]) for kind in CLASSES})
    out.append(Instruction("Call", [instance, *(sizes[kind] for kind in CLASSES)], line=line.line))
    above = dict(sizes)
    for each in results:
        out.append(Instruction(MOVES[each.kind], [places[each], above[each.kind]], line=line.line))
        above[each.kind] += 1
    most.update({kind: max(most[kind], above[kind]) for kind in CLASSES})


def _return(line: Instruction, places: dict[Register, int], most: dict[str, int], out: Lines) -> None:
    """Results go to the first registers of each class, all at once."""
    for kind in CLASSES:
        sources = [places[each] for each in line.operands[0] if each.kind == kind]
        most[kind] = max(most[kind], len(sources))
        aside = most[kind]
        for to, source in in_parallel(list(enumerate(sources)), aside):
            most[kind] = max(most[kind], to + 1)
            out.append(Instruction(MOVES[kind], [to, source], line=line.line))
    out.append(Instruction("Ret", [], line=line.line))


def in_parallel(moves: list[tuple[int, int]], aside: int) -> list[tuple[int, int]]:
    """Copies that are meant to be done all at once, as (to, from), one after the other; a ring needs a place aside."""
    waiting = {to: source for to, source in moves if to != source}
    done: list[tuple[int, int]] = []
    while waiting:
        needed = set(waiting.values())
        free = [to for to in waiting if to not in needed]
        if free:
            done += [(to, waiting.pop(to)) for to in free]
        else:
            source = next(iter(waiting.values()))
            done.append((aside, source))
            waiting = {to: aside if each == source else each for to, each in waiting.items()}
    return done


class _Classes:
    """Registers that are put into one place, and which classes cannot be one."""

    def __init__(self, lines: Lines, parameters: tuple[Register, ...]) -> None:
        self._lines = lines
        self._registers: list[Register] = list(parameters)
        self._numbers = {each: number for number, each in enumerate(parameters)}
        for line in lines:
            if isinstance(line, Instruction):
                for each in (*line.reads(), *line.writes()):
                    if each not in self._numbers:
                        self._numbers[each] = len(self._registers)
                        self._registers.append(each)
        self._clashes = [0] * len(self._registers)
        self._copies: list[tuple[int, int]] = []
        everything = self._find_clashes()
        # All parameters are written at once, before anything else.
        for number in range(len(parameters)):
            self._clashes[number] |= everything | ((1 << len(parameters)) - 1)
        self._parameters = len(parameters)
        self._members = [1 << number for number in range(len(self._registers))]
        self._leader = list(range(len(self._registers)))

    def _mask(self, registers: Iterable[Register]) -> int:
        mask = 0
        for each in registers:
            mask |= 1 << self._numbers[each]
        return mask

    def _find_clashes(self) -> int:
        """Go through the blocks from their ends, until what is needed at each label is known; what is at the start."""
        reads: list[int] = []
        writes: list[int] = []
        for line in self._lines:
            is_label = isinstance(line, Label)
            reads.append(0 if is_label else self._mask(line.reads()))  # type: ignore[union-attr]
            writes.append(0 if is_label else self._mask(line.writes()))  # type: ignore[union-attr]
        at_label: dict[Label | None, int] = {}
        while True:
            before = dict(at_label)
            needed = 0
            for place in range(len(self._lines) - 1, -1, -1):
                line = self._lines[place]
                if isinstance(line, Label):
                    at_label[line] = needed
                    continue
                if line.name in ENDS:
                    needed = 0
                label = line.label()
                if label is not None:
                    needed |= at_label.get(label, 0)
                needed = (needed & ~writes[place]) | reads[place]
            if at_label == before:
                break
        self._note_clashes(at_label, reads, writes)
        return needed

    def _note_clashes(self, at_label: dict[Label | None, int], reads: list[int], writes: list[int]) -> None:
        needed = 0
        for place in range(len(self._lines) - 1, -1, -1):
            line = self._lines[place]
            if isinstance(line, Label):
                needed = at_label[line]
                continue
            if line.name in ENDS:
                needed = 0
            label = line.label()
            if label is not None:
                needed |= at_label[label]
            others = needed
            if line.name in COPIES:
                to, source = (self._numbers[each] for each in line.operands)
                self._copies.append((to, source))
                others &= ~(1 << source)
            for each in line.writes():
                self._clashes[self._numbers[each]] |= others | writes[place]
            needed = (needed & ~writes[place]) | reads[place]

    def _clash(self, one: int, other: int) -> bool:
        return bool(self._clashes[one] & self._members[other] or self._clashes[other] & self._members[one])

    def _of(self, number: int) -> int:
        while self._leader[number] != number:
            number = self._leader[number]
        return number

    def colored(self) -> tuple[dict[Register, int], dict[str, int]]:
        """The place of each register, and how many places each class of them needs."""
        for to, source in self._copies:
            one, other = sorted((self._of(to), self._of(source)))
            if one != other and other >= self._parameters and not self._clash(one, other):
                self._leader[other] = one
                self._members[one] |= self._members[other]
                self._clashes[one] |= self._clashes[other]
        places: dict[Register, int] = {}
        taken: dict[str, list[tuple[int, int]]] = {kind: [] for kind in CLASSES}
        found: dict[int, int] = {}
        for number, register in enumerate(self._registers):
            leader = self._of(number)
            if leader not in found:
                found[leader] = self._place(leader, taken[register.kind], number < self._parameters)
            places[register] = found[leader]
        return places, {kind: len(taken[kind]) for kind in CLASSES}

    def _place(self, leader: int, taken: list[tuple[int, int]], is_parameter: bool) -> int:
        """The lowest place in which nothing is that clashes."""
        members, clashes = self._members[leader], self._clashes[leader]
        for place, (inside, unwanted) in enumerate(taken):
            if not (is_parameter or clashes & inside or unwanted & members):
                taken[place] = inside | members, unwanted | clashes
                return place
        taken.append((members, clashes))
        return len(taken) - 1

"""Code made shorter, then put into the few registers that the engine has.

Lowering writes what is simplest to write: a comparison gives a truth, a truth is jumped on; each way out of a
test has a place for copies. Here a comparison and a jump become one, and what nobody reads goes.

Two registers can be one where neither is written while the other is still needed. What is copied is put where
it is copied to, if that can be; then each takes the lowest free place. A set of them is an integer of bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from isolation_fast.compiled.code import (
    CLASSES,
    ENDS,
    LABELS,
    MOVES,
    READS,
    REGISTERS,
    SMALL,
    Counts,
    Instruction,
    Label,
    Lines,
    Register,
    in_parallel,
)

MOST: Final = 256
COPIES: Final = frozenset(MOVES.values())
COMPARISONS: Final = frozenset({"EqI", "NeI", "LtI", "LeI", "EqF", "NeF", "LtF", "LeF"})
_OPPOSITES: Final = [
    *(("JumpIf", "JumpIfNot"), ("JumpEqI", "JumpNeI"), ("JumpLtI", "JumpLeI"), ("JumpEqN", "JumpNeN")),
    *(("JumpLtN", "JumpGeN"), ("JumpLeN", "JumpGtN"), ("JumpEqF", "JumpNeF")),
    *(("JumpLtF", "JumpNotLtF"), ("JumpLeF", "JumpNotLeF")),
]
OPPOSITE: Final = {**dict(_OPPOSITES), **{other: one for one, other in _OPPOSITES}}
"""A jump the other way."""
SWAPPED: Final = frozenset({"JumpLtI", "JumpLeI"})
"""The jumps whose operands change places in the opposite one."""
WITH_CONSTANT: Final = {
    "JumpEqI": ("JumpEqN", "JumpEqN"),
    "JumpNeI": ("JumpNeN", "JumpNeN"),
    "JumpLtI": ("JumpLtN", "JumpGtN"),
    "JumpLeI": ("JumpLeN", "JumpGeN"),
}
"""A jump that compares with a constant on its right, on its left."""


class TooManyRegisters(Exception):  # noqa: N818 - the function is refused for it
    """A function needs more registers than there are."""


def tidied(lines: Lines) -> Lines:
    """The same code, shorter."""
    lines = _straightened(lines)
    _fuse(lines)
    lines = _without_copies(lines)
    return _straightened(_without_unread(lines))


def _straightened(lines: Lines) -> Lines:
    """Without jumps to jumps or to the next line, and without what is never reached."""
    while True:
        targets = _targets(lines)
        for line in lines:
            if isinstance(line, Instruction):
                label = line.label()
                if label in targets:
                    line.operands[LABELS[line.name]] = targets[label]
        kept = _inverted(_reached(lines))
        if len(kept) == len(lines):
            return kept
        lines = kept


def _targets(lines: Lines) -> dict[Label | None, Label]:
    """For each label before a jump, where that goes in the end."""
    targets: dict[Label | None, Label] = {}
    waiting: list[Label] = []
    for line in lines:
        if isinstance(line, Label):
            waiting.append(line)
            continue
        if line.name == "Jump" and waiting:
            to: Label = line.operands[0]
            seen = set(waiting)
            while to in targets and to not in seen:
                seen.add(to)
                to = targets[to]
            targets.update((label, to) for label in waiting if label is not to)
        elif len(waiting) > 1:
            # Several labels in one place are one.
            targets.update((label, waiting[-1]) for label in waiting[:-1])
        waiting = []
    return targets


def _reached(lines: Lines) -> Lines:
    used = {line.label() for line in lines if isinstance(line, Instruction)}
    kept: Lines = []
    live = True
    for line in lines:
        if isinstance(line, Label):
            if line in used:
                live = True
                before = kept[-1] if kept else None
                if isinstance(before, Instruction) and before.name == "Jump" and before.operands[0] is line:
                    kept.pop()
                kept.append(line)
        elif live:
            kept.append(line)
            live = line.name not in ENDS
    return kept


def _inverted(lines: Lines) -> Lines:
    """A jump over a jump becomes the opposite one."""
    kept: Lines = []
    for line in lines:
        over, before = (kept[-1], kept[-2]) if isinstance(line, Label) and len(kept) > 1 else (None, None)
        if not isinstance(over, Instruction) or not isinstance(before, Instruction):
            pass
        elif over.name == "Jump" and before.name in OPPOSITE and before.label() is line:
            kept[-2:] = [_opposite(before.name, before.operands[:-1], over.operands[0])]
        kept.append(line)
    return kept


def _opposite(name: str, operands: list[Any], label: Label) -> Instruction:
    return Instruction(OPPOSITE[name], [*(operands[::-1] if name in SWAPPED else operands), label])


def _counts(lines: Lines) -> tuple[Counter[Any], Counter[Any]]:
    reads: Counter[Any] = Counter()
    writes: Counter[Any] = Counter()
    for line in lines:
        if isinstance(line, Instruction):
            reads.update(line.reads())
            writes.update(line.writes())
    return reads, writes


def _fuse(lines: Lines) -> None:
    """A comparison that is only jumped on becomes part of the jump."""
    _, writes = _counts(lines)
    constants = {
        line.operands[0]: line.operands[1]
        for line in lines
        if isinstance(line, Instruction)
        and line.name == "ConstI"
        and writes[line.operands[0]] == 1
        and -SMALL <= line.operands[1] < SMALL
    }
    before: Instruction | None = None
    for line in lines:
        if isinstance(line, Label):
            before = None
            continue
        tested = line.operands[0] if line.name in ("JumpIf", "JumpIfNot") else None
        if before is not None and before.operands[:1] == [tested] and tested not in before.operands[1:]:
            _take_in(before, line)
        if line.name in WITH_CONSTANT:
            _put_constant(line, constants)
        before = line


def _take_in(comparison: Instruction, jump: Instruction) -> None:
    label, jump_if = jump.operands[-1], "Jump" + comparison.name
    if comparison.name == "IsZero":
        jump.name, jump.operands = OPPOSITE[jump.name], [comparison.operands[1], label]
    elif comparison.name in COMPARISONS and jump.name == "JumpIf":
        jump.name, jump.operands = jump_if, [*comparison.operands[1:], label]
    elif comparison.name in COMPARISONS:
        opposite = _opposite(jump_if, comparison.operands[1:], label)
        jump.name, jump.operands = opposite.name, opposite.operands


def _put_constant(jump: Instruction, constants: dict[int, int]) -> None:
    one, other, label = jump.operands
    right, left = WITH_CONSTANT[jump.name]
    if other in constants:
        jump.name, jump.operands = right, [one, constants[other], label]
    elif one in constants:
        jump.name, jump.operands = left, [other, constants[one], label]
    if jump.name in ("JumpEqN", "JumpNeN") and jump.operands[1] == 0:
        jump.name = "JumpIfNot" if jump.name == "JumpEqN" else "JumpIf"
        del jump.operands[1]


def _without_copies(lines: Lines) -> Lines:
    """What is copied right after it was computed, and not read else, is computed into its place."""
    reads, writes = _counts(lines)
    kept: Lines = []
    for line in lines:
        if isinstance(line, Instruction) and line.name in COPIES and kept:
            before, (to, source) = kept[-1], line.operands
            if (
                isinstance(before, Instruction)
                and reads[source] == 1
                and writes[source] == 1
                and source != to
                and _writes_alone(before, source)
            ):
                _redirect(before, source, to)
                before.pure = before.pure and line.pure
                continue
        kept.append(line)
    return kept


def _writes_alone(line: Instruction, register: int) -> bool:
    if line.name == "Call":
        return register in line.operands[2]
    if line.name in LABELS or line.name == "Ret":
        return False
    # What is read and written stands in one place.
    return line.writes() == [register] and not set(READS[line.name]) & {0}


def _redirect(line: Instruction, source: int, to: int) -> None:
    if line.name == "Call":
        line.operands[2] = [to if each == source else each for each in line.operands[2]]
    else:
        line.operands[0] = to


def _without_unread(lines: Lines) -> Lines:
    """Without the instructions that do nothing but write registers nobody reads."""
    reads, _ = _counts(lines)
    writers: dict[int, list[Instruction]] = {}
    for line in lines:
        if isinstance(line, Instruction) and line.pure:
            writers.setdefault(line.operands[0], []).append(line)
    gone: set[int] = set()
    waiting = [register for register in writers if not reads[register]]
    while waiting:
        for line in writers.get(waiting.pop(), ()):
            if id(line) in gone:
                continue
            gone.add(id(line))
            for each in line.reads():
                reads[each] -= 1
                if not reads[each]:
                    waiting.append(each)
    return [line for line in lines if id(line) not in gone]


# ---- registers


def allocated(lines: Lines, parameters: tuple[Register, ...]) -> tuple[Lines, Counts]:
    """The code with places for registers, with the copies that calls and returns need; how many there are."""
    places, sizes = _Classes(lines, parameters).colored()
    most = dict(sizes)
    out: Lines = []
    for line in lines:
        if isinstance(line, Label):
            out.append(line)
        elif line.name == "Call":
            out += _call(line, places, sizes, most)
        elif line.name == "Ret":
            out += _return(line, places, most)
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
    line: Instruction, places: dict[Register, int], sizes: dict[str, int], most: dict[str, int]
) -> Lines:
    """Arguments go above all other registers, and results come from there."""

    def above(registers: Iterable[Register]) -> list[tuple[str, int, int]]:
        free, found = dict(sizes), []
        for each in registers:
            found.append((MOVES[each.kind], free[each.kind], places[each]))
            free[each.kind] += 1
        most.update({kind: max(most[kind], free[kind]) for kind in CLASSES})
        return found

    instance, arguments, results = line.operands
    code: Lines = [Instruction(name, [top, place], line=line.line) for name, top, place in above(arguments)]
    code.append(Instruction("Call", [instance, *(sizes[kind] for kind in CLASSES)], line=line.line))
    code += [Instruction(name, [place, top], line=line.line) for name, top, place in above(results)]
    return code


def _return(line: Instruction, places: dict[Register, int], most: dict[str, int]) -> Lines:
    """Results go to the first registers of each class, all at once."""
    code: Lines = []
    for kind in CLASSES:
        sources = [places[each] for each in line.operands[0] if each.kind == kind]
        aside = most[kind] = max(most[kind], len(sources))
        for to, source in in_parallel(enumerate(sources), lambda _, aside=aside: aside):  # type: ignore[misc]
            most[kind] = max(most[kind], to + 1)
            code.append(Instruction(MOVES[kind], [to, source], line=line.line))
    return [*code, Instruction("Ret", [], line=line.line)]


class _Classes:
    """Registers that are put into one place, and which classes cannot be one."""

    def __init__(self, lines: Lines, parameters: tuple[Register, ...]) -> None:
        self._parameters = len(parameters)
        self._numbers: dict[Register, int] = {}
        self._copies: list[tuple[int, int]] = []
        self._mask(parameters)
        rows = [
            (line, 0, 0)
            if isinstance(line, Label)
            else (line, self._mask(line.reads()), self._mask(line.writes()))
            for line in lines
        ]
        self._clashes = [0] * len(self._numbers)
        everything = self._find_clashes(rows)
        # All parameters are written at once, before anything else.
        for number in range(len(parameters)):
            self._clashes[number] |= everything | ((1 << len(parameters)) - 1)
        self._members = [1 << number for number in range(len(self._numbers))]
        self._leader = list(range(len(self._numbers)))

    def _mask(self, registers: Iterable[Register]) -> int:
        mask = 0
        for each in registers:
            mask |= 1 << self._numbers.setdefault(each, len(self._numbers))
        return mask

    def _find_clashes(self, rows: Sequence[tuple[Instruction | Label, int, int]]) -> int:
        """Go through the code from its end until what each label needs is known; what the start needs."""
        at_label: dict[Label | None, int] = {}
        while True:
            before, needed = dict(at_label), 0
            self._copies.clear()
            for line, reads, writes in reversed(rows):
                if isinstance(line, Label):
                    at_label[line] = needed
                    continue
                needed = (0 if line.name in ENDS else needed) | at_label.get(line.label(), 0)
                self._note(line, needed, writes)
                needed = (needed & ~writes) | reads
            if at_label == before:
                return needed

    def _note(self, line: Instruction, needed: int, writes: int) -> None:
        """What is written clashes with what is needed after it; a copy does not with what it copies."""
        if line.name in COPIES:
            to, source = (self._numbers[each] for each in line.operands)
            self._copies.append((to, source))
            needed &= ~(1 << source)
        for each in line.writes():
            self._clashes[self._numbers[each]] |= needed | writes

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
        for register, number in self._numbers.items():
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

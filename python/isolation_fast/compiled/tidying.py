"""Code made shorter, without a change of what it does.

Lowering writes what is simplest to write: a comparison gives a truth, a truth is jumped on; each way out of
a test has a place where copies can be put. Here comparisons and jumps become one, jumps to jumps too, and
what nobody reads goes.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from isolation_fast.compiled.code import ENDS, LABELS, READS, SMALL, Instruction, Label, Lines

# A jump the other way, and whether its first two operands change places.
OPPOSITE: Final = {
    "JumpIf": ("JumpIfNot", False),
    "JumpIfNot": ("JumpIf", False),
    "JumpEqI": ("JumpNeI", False),
    "JumpNeI": ("JumpEqI", False),
    "JumpLtI": ("JumpLeI", True),
    "JumpLeI": ("JumpLtI", True),
    "JumpEqN": ("JumpNeN", False),
    "JumpNeN": ("JumpEqN", False),
    "JumpLtN": ("JumpGeN", False),
    "JumpGeN": ("JumpLtN", False),
    "JumpLeN": ("JumpGtN", False),
    "JumpGtN": ("JumpLeN", False),
    "JumpEqF": ("JumpNeF", False),
    "JumpNeF": ("JumpEqF", False),
    "JumpLtF": ("JumpNotLtF", False),
    "JumpNotLtF": ("JumpLtF", False),
    "JumpLeF": ("JumpNotLeF", False),
    "JumpNotLeF": ("JumpLeF", False),
}
COMPARISONS: Final = frozenset({"EqI", "NeI", "LtI", "LeI", "EqF", "NeF", "LtF", "LeF"})
# A jump that compares with a constant on its right, on its left.
WITH_CONSTANT: Final = {
    "JumpEqI": ("JumpEqN", "JumpEqN"),
    "JumpNeI": ("JumpNeN", "JumpNeN"),
    "JumpLtI": ("JumpLtN", "JumpGtN"),
    "JumpLeI": ("JumpLeN", "JumpGeN"),
}


def tidied(lines: Lines) -> Lines:
    """The same code, shorter."""
    lines = straightened(lines)
    _fuse(lines)
    lines = without_copies(lines)
    return straightened(without_unread(lines))


def straightened(lines: Lines) -> Lines:
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
        if isinstance(line, Label) and len(kept) > 1:
            over, before = kept[-1], kept[-2]
            if (
                isinstance(over, Instruction)
                and over.name == "Jump"
                and isinstance(before, Instruction)
                and before.name in OPPOSITE
                and before.label() is line
            ):
                name, swapped = OPPOSITE[before.name]
                operands = [*before.operands[:-1], over.operands[0]]
                if swapped:
                    operands[0], operands[1] = operands[1], operands[0]
                kept[-2:] = [Instruction(name, operands)]
        kept.append(line)
    return kept


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
    label = jump.operands[-1]
    if comparison.name in COMPARISONS:
        name, swapped = "Jump" + comparison.name, False
        if jump.name == "JumpIfNot":
            name, swapped = OPPOSITE[name]
        one, other = comparison.operands[1:]
        jump.name = name
        jump.operands = [other, one, label] if swapped else [one, other, label]
    elif comparison.name == "IsZero":
        jump.name = OPPOSITE[jump.name][0]
        jump.operands = [comparison.operands[1], label]


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


def without_copies(lines: Lines) -> Lines:
    """What is copied right after it was computed, and not read else, is computed into its place."""
    reads, writes = _counts(lines)
    kept: Lines = []
    for line in lines:
        if isinstance(line, Instruction) and line.name in ("MovI", "MovF", "MovM") and kept:
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


def without_unread(lines: Lines) -> Lines:
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

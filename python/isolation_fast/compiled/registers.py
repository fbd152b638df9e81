"""The registers of a function: which of the few each of the many becomes.

A register is taken from where its value is first written to where it is last read, over the whole of each
loop that it is needed in. Then each takes the lowest that is free; what is copied takes the place of what
it is copied from, if that is not needed any more.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Final

from isolation_fast.compiled.assembly import CLASSES, MOVES, OPCODES, Instruction, Label

MOST: Final = 256


class TooManyRegisters(Exception):  # noqa: N818 - the function is refused for it
    """A function needs more registers than there are."""


Lines = list[Instruction | Label]


def allocated(
    lines: Lines, classes: dict[int, str], parameters: tuple[int, ...]
) -> tuple[Lines, tuple[int, int, int]]:
    """The code with real registers, with the copies that calls and returns need; how many there are."""
    homes, sizes = _homes(lines, classes, parameters)
    base = dict(zip(CLASSES, sizes, strict=True))
    most = dict(base)
    out: Lines = []
    for line in lines:
        if isinstance(line, Label):
            out.append(line)
        elif line.name == "Call":
            _call(line, classes, homes, base, most, out)
        elif line.name == "Ret":
            _return(line, classes, homes, most, out)
        else:
            operands = [
                homes[operand] if kind else operand
                for kind, operand in zip(_are_registers(line), line.operands, strict=True)
            ]
            if line.name in ("MovI", "MovF", "MovM") and operands[0] == operands[1]:
                continue
            out.append(Instruction(line.name, operands))
    if max(most.values()) > MOST:
        raise TooManyRegisters
    return out, (most["i"], most["f"], most["m"])


def _are_registers(line: Instruction) -> list[bool]:
    return [kind not in ("n", "k", "q", "l", "p") for kind in OPCODES[line.name][1]]


def _call(
    line: Instruction,
    classes: dict[int, str],
    homes: dict[int, int],
    base: dict[str, int],
    most: dict[str, int],
    out: Lines,
) -> None:
    """Arguments go above all other registers, and results come from there."""
    instance, arguments, results = line.operands
    places = dict(base)
    for each in arguments:
        kind = classes[each]
        out.append(Instruction(MOVES[kind], [places[kind], homes[each]]))
        places[kind] += 1
    for kind in CLASSES:
        most[kind] = max(most[kind], places[kind])
    out.append(Instruction("Call", [instance, base["i"], base["f"], base["m"]]))
    places = dict(base)
    for each in results:
        kind = classes[each]
        if each in homes:
            out.append(Instruction(MOVES[kind], [homes[each], places[kind]]))
        places[kind] += 1
    for kind in CLASSES:
        most[kind] = max(most[kind], places[kind])


def _return(
    line: Instruction, classes: dict[int, str], homes: dict[int, int], most: dict[str, int], out: Lines
) -> None:
    """Results go to the first registers of each class, all at once."""
    for kind in CLASSES:
        sources = [homes[each] for each in line.operands[0] if classes[each] == kind]
        waiting = {to: source for to, source in enumerate(sources) if to != source}
        most[kind] = max(most[kind], len(sources))
        while waiting:
            free = next((to for to in waiting if to not in waiting.values()), None)
            if free is None:
                # A ring: one of them is kept aside.
                source = next(iter(waiting.values()))
                aside = max(most[kind], *waiting, *waiting.values()) + 1
                most[kind] = aside + 1
                out.append(Instruction(MOVES[kind], [aside, source]))
                waiting = {t: aside if s == source else s for t, s in waiting.items()}
            else:
                out.append(Instruction(MOVES[kind], [free, waiting.pop(free)]))
    out.append(Instruction("Ret", []))


def _homes(
    lines: Lines, classes: dict[int, str], parameters: tuple[int, ...]
) -> tuple[dict[int, int], list[int]]:
    first, last, copied = _spans(lines, parameters)
    order = sorted(first, key=first.__getitem__)
    homes: dict[int, int] = {}
    free: dict[str, set[int]] = {kind: set() for kind in CLASSES}
    sizes = dict.fromkeys(CLASSES, 0)
    active: list[tuple[int, int]] = []
    for register in order:
        while active and active[0][0] < first[register]:
            ended = heappop(active)[1]
            free[classes[ended]].add(homes[ended])
        kind = classes[register]
        wanted = homes.get(copied.get(register, -1), -1)
        if wanted not in free[kind]:
            wanted = min(free[kind], default=sizes[kind])
        free[kind].discard(wanted)
        homes[register] = wanted
        sizes[kind] = max(sizes[kind], wanted + 1)
        heappush(active, (last[register], register))
    return homes, [sizes[kind] for kind in CLASSES]


def _spans(
    lines: Lines, parameters: tuple[int, ...]
) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
    """First and last place of each register, and of what each copy is one. Reading comes before writing."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    copied: dict[int, int] = {}
    for number, each in enumerate(parameters):
        first[each] = number - len(parameters)
        last[each] = 0
    places: dict[Label, int] = {}
    loops: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        at = 2 * number
        if isinstance(line, Label):
            places[line] = at
            continue
        for each in line.reads():
            first.setdefault(each, at)
            last[each] = at
        written = line.writes()
        for each in written:
            first.setdefault(each, at + 1)
            last[each] = max(last.get(each, 0), at + 1)
        if line.name in ("MovI", "MovF", "MovM"):
            copied.setdefault(line.operands[0], line.operands[1])
        label = line.label()
        if label in places:
            loops.append((places[label], at))
    _over_loops(first, last, loops)
    return first, last, copied


def _over_loops(first: dict[int, int], last: dict[int, int], loops: list[tuple[int, int]]) -> None:
    """What is written before a loop and read in it is needed to its end."""
    for head, end in loops:
        for each, start in first.items():
            if start < head <= last[each] < end:
                last[each] = end

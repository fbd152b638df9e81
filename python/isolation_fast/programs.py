"""Programs that heuristics are compiled to: as objects that can be played, as text, and what each line costs.

A program is what a heuristic computes, and nothing else: it reads nothing outside, and it ends. So it can be
played by anyone, and its work is counted by the price list: `isolation_fast.cost`.

>>> from isolation_fast import Board
>>> def mobility(game, player):
...     return len(game.get_legal_moves(player))
>>> program = program_of(mobility)
>>> program_in(program_text(program)) == program
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from struct import pack
from types import FunctionType
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

from isolation_fast._native import OPCODES, Board, Program, board_in_order
from isolation_fast.compiled import Refusal, form_of
from isolation_fast.cost import GROWING, OF_INSTRUCTIONS
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.text import described

__all__ = [
    "Program",
    "digest_of_program",
    "in_one_order",
    "price_of_lines",
    "program_in",
    "program_of",
    "program_text",
]

FIRST_LINE: Final = "isolation-fast program 1"
"""What every text of a program begins with. Another number is another meaning of the lines."""
COUNTS: Final = ("registers", "parameters", "results")
CLASSES: Final = "ifm"
LETTERS: Final[Mapping[str, str]] = {
    **{kind: kind.lower()[0] for kind in ("i", "f", "m", "I", "F", "M", "Ii", "Mm")},
    "n": "",
    "k": "k",
    "q": "q",
    "l": "@",
    "p": "p",
}
"""What is written before an operand: of a register its class, of a constant k or q, of a label @."""
_Counts: TypeAlias = tuple[int, int, int]
NAMES: Final = {number: (name, kinds) for name, (number, kinds) in OPCODES.items()}


_known: WeakKeyDictionary[Callable[[Any, Any], float], tuple[Program, Callable[[], bool]]] = (
    WeakKeyDictionary()
)
"""Each with what says whether all that it was made of still holds."""


def program_of(heuristic: Callable[[Any, Any], float]) -> Program:
    """The program of a function of a board and a player; a `Refusal` where it is left to Python.

    >>> program_of(max)
    Traceback (most recent call last):
    ...
    isolation_fast.compiled.source.Refusal: line 0: a builtin_function_or_method is no plain function: ...
    """
    is_kept = type(heuristic) in (FunctionType, partial)
    known = _known.get(heuristic) if is_kept else None
    if known is not None and known[1]():
        return known[0]
    made = form_of(heuristic)
    if isinstance(made, Refusal):
        raise made
    _known[heuristic] = made
    program: Program = made[0]
    return program


def in_one_order(text: str) -> Board:
    """The board of a position, which lists its moves in the same order each time: a value may depend on it.

    >>> in_one_order("3x3 3/3/3 - - 1").get_legal_moves() == in_one_order("3x3 3/3/3 - - 1").get_legal_moves()
    True
    """
    return board_in_order(text, "player 1", "player 2", 0)


def digest_of_program(program: Program) -> str:
    """SHA-256 of what a program computes: the lines that its instructions come from make no difference."""
    numbers = pack(f"<{len(program.floats)}d", *program.floats).hex()
    parts = repr((program.functions, program.integers, numbers, program.data))
    return sha256(parts.encode()).hexdigest()


# ---- as text


def program_text(program: Program) -> str:
    """A program as text, which people can read, and `program_in` too.

    >>> print(program_text(program_of(lambda game, player: 1.5)))
    isolation-fast program 1
    integers
    floats 0x1.8000000000000p+0
    data
    function registers=2,1,0 parameters=2,0,0 results=0,1,0
    @0 line=1 ConstF f0 q0 # 1 ns
    @1 line=1 Ret # 2 ns
    <BLANKLINE>
    """
    return "\n".join(_lines_of(program)) + "\n"


def _lines_of(program: Program) -> Iterator[str]:
    yield FIRST_LINE
    yield " ".join(["integers", *map(str, program.integers)])
    yield " ".join(["floats", *(each.hex() for each in program.floats)])
    yield " ".join(["data", *map(str, program.data)])
    lines = program.lines
    for place, (*counts, code) in enumerate(program.functions):
        shown = (f"{name}={','.join(map(str, each))}" for name, each in zip(COUNTS, counts, strict=True))
        yield " ".join(["function", *shown])
        for at, (number, *operands) in enumerate(code):
            name, kinds = NAMES[number]
            words = [LETTERS[kind] + str(value) for kind, value in zip(kinds, operands, strict=True)]
            line = [] if lines is None else [f"line={lines[place][at]}"]
            more = " and more by size" if name in GROWING else ""
            yield f"{' '.join([f'@{at}', *line, name, *words])} # {OF_INSTRUCTIONS[name]} ns{more}"


def program_in(text: str) -> Program:
    """The program of a text, which is checked as every program is. What stands after a # is for people.

    >>> program_in("a poem")
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: line 1 of the program: it is not 'isolation-fast ...
    """
    if not isinstance(text, str):
        raise TypeError(f"a program is read from a str, not {described(text)}")
    reader = _Reader()
    try:
        for line in text.splitlines():
            reader.read(line)
        return reader.program()
    except InvalidArgumentError:
        raise
    except (ValueError, KeyError, OverflowError) as error:
        raise InvalidArgumentError(f"line {reader.number} of the program: {error}") from None


class _Reader:
    """What was read of a text so far."""

    def __init__(self) -> None:
        self._functions: list[tuple[_Counts, _Counts, _Counts, list[tuple[int, ...]]]] = []
        self._lines: list[list[int]] = []
        self._has_begun = False
        self.number = 0
        """Of the line that is being read."""
        self._parts: dict[str, list[str]] = {}

    def read(self, line: str) -> None:
        self.number += 1
        words = line.partition("#")[0].split()
        if not words:
            return
        if not self._has_begun:
            if words != FIRST_LINE.split():
                raise ValueError(f"it is not {FIRST_LINE!r}")
            self._has_begun = True
        elif words[0] in ("integers", "floats", "data"):
            if words[0] in self._parts:
                raise ValueError(f"{words[0]} are there twice")
            self._parts[words[0]] = words[1:]
        elif words[0] == "function":
            registers, parameters, results = _counts_in(words[1:])
            self._functions.append((registers, parameters, results, []))
            self._lines.append([])
        else:
            self._instruction(words)

    def _instruction(self, words: list[str]) -> None:
        if not self._functions:
            raise ValueError("an instruction stands before the first function")
        code = self._functions[-1][-1]
        if words[0] != f"@{len(code)}":
            raise ValueError(f"it begins with {words[0]!r}, not with '@{len(code)}'")
        has_line = len(words) > 1 and words[1].startswith("line=")
        name, *operands = words[2:] if has_line else words[1:] or [""]
        if name not in OPCODES:
            raise ValueError(f"there is no instruction {name!r}")
        number, kinds = OPCODES[name]
        if len(operands) != len(kinds):
            raise ValueError(f"{name} takes {len(kinds)} operands, not {len(operands)}")
        code.append((number, *(_operand(kind, word) for kind, word in zip(kinds, operands, strict=True))))
        if has_line:
            self._lines[-1].append(int(words[1].removeprefix("line=")))

    def program(self) -> Program:
        if not self._has_begun:
            raise ValueError(f"it is not {FIRST_LINE!r}")
        given = [self._parts.get(name, []) for name in ("integers", "floats", "data")]
        numbers = [int(each) for each in given[0]], [float.fromhex(each) for each in given[1]]
        lines = self._lines if any(self._lines) else None
        return Program(self._functions, *numbers, [int(each) for each in given[2]], lines=lines)


def _counts_in(words: list[str]) -> list[_Counts]:
    named = [word.partition("=")[::2] for word in words]
    if tuple(name for name, _ in named) != COUNTS:
        raise ValueError(f"a function has {'=, '.join(COUNTS)}=, in that order")
    found = []
    for name, value in named:
        counts = [int(each) for each in value.split(",")]
        if len(counts) != len(CLASSES) or not all(0 <= each < 1 << 16 for each in counts):
            raise ValueError(f"{name} are three counts, not {value!r}")
        found.append((counts[0], counts[1], counts[2]))
    return found


def _operand(kind: str, word: str) -> int:
    letter = LETTERS[kind]
    if not word.startswith(letter):
        raise ValueError(f"the operand {word!r} does not begin with {letter!r}")
    return int(word[len(letter) :])


# ---- prices


def price_of_lines(program: Program) -> dict[int, tuple[int, bool]]:
    """What the instructions of each line of the source cost in all, and whether some cost more by size.

    A line that runs again costs that much each time; one of which a part runs costs less.
    """
    found: dict[int, tuple[int, bool]] = {}
    for (*_, code), lines in zip(program.functions, program.lines or [], strict=False):
        for (number, *_), line in zip(code, lines, strict=True):
            name, _ = NAMES[number]
            price, sized = found.get(line, (0, False))
            found[line] = price + OF_INSTRUCTIONS[name], sized or name in GROWING
    return dict(sorted(found.items()))

"""Compares a program in CPython with what it was compiled to: the same bits, or a bail."""

from __future__ import annotations

import signal
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any, Final, TypeAlias

from program_spots import Spot

from isolation_fast import Board

# A function of Python's, by which its module is found.
Heuristic: TypeAlias = Any
# What a program was compiled to: its value, or None for a bail.
Compiled: TypeAlias = Callable[[Board, Any], "float | None"]
# What compiles: a function, or the text of a refusal.
Compiler: TypeAlias = Callable[[Heuristic], "Compiled | str"]

# Processor time that a program has for one position.
SECONDS: Final = 0.5
HUGE: Final = "no number"
# After so many positions something changes that the program may read, if its text says what.
UNCHANGED: Final = 6


class TooSlowError(BaseException):
    """A program took too long: no exception that it catches itself."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a compiled program said something else than Python, and the positions asked until then."""

    text: str
    spots: tuple[Spot, ...]
    python: str
    compiled: str
    trial: str = ""
    """What was tried: empty for a value."""

    @property
    def spot(self) -> Spot:
        """The position that they differ in."""
        return self.spots[-1]

    def __str__(self) -> str:
        lines = [
            "# A compiled heuristic differs from Python.",
            "from isolation_fast import Board",
            self.text.strip(),
            self.spot.code(),
            *([f"# {self.trial}"] if self.trial else []),
            *([f"# after {len(self.spots) - 1} other positions"] if len(self.spots) > 1 else []),
            f"# Python:   {self.python}",
            f"# compiled: {self.compiled}",
        ]
        return "\n".join(lines)


@dataclass(slots=True)
class Tally:
    """What came of comparing programs."""

    programs: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    same: int = 0
    bails: int = 0
    needless: int = 0
    raising: int = 0
    slow: int = 0
    wholes: int = 0
    """Searches, games and rows of boards that came out the same."""
    differences: list[Difference] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add what came of others."""
        for name in ("programs", "same", "bails", "needless", "raising", "slow", "wholes"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.refused |= other.refused
        self.differences += other.differences

    @property
    def asked(self) -> int:
        """On how many positions programs were compared."""
        wrong = sum(not each.trial for each in self.differences)
        return self.same + self.bails + self.needless + wrong

    def __str__(self) -> str:
        return (
            f"{self.programs:,} programs, {len(self.refused):,} refused; {self.asked:,} evaluations: "
            f"{self.same:,} the same, {self.bails:,} bails where Python gives no number, "
            f"{self.needless:,} needless bails, {len(self.differences):,} differences; "
            f"{self.wholes:,} searches and games the same; {self.slow:,} too slow for Python"
        )


def load(text: str, folder: Path, name: str = "random_program") -> Heuristic:
    """The `custom_score` of a program, which is written to a file, so that its source is found."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    module = ModuleType(name)
    module.__file__ = str(path)
    exec(compile(text, str(path), "exec"), module.__dict__)
    function: Heuristic = module.custom_score
    if not isinstance(function, FunctionType):
        raise TypeError
    return function


def change(functions: Iterable[Heuristic], number: int) -> None:
    """Run the change of that number that a program defines, in the module of each of these."""
    for names in {id(each.__globals__): each.__globals__ for each in functions}.values():
        changes = [each for name, each in names.items() if name.startswith("change_")]
        # What cannot be changed stays as it is.
        with suppress(Exception):
            changes[number % len(changes)]()


@contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Ends what runs by a TooSlowError after so much processor time."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_: int, __: FrameType | None) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGVTALRM, ring)
    # Again and again: a program may catch all that is raised.
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 0.05)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def in_python(function: Heuristic, board: Board, player: Any) -> float | str:
    """What Python makes of a position: its value as the engine reads it, or why there is none."""
    try:
        answer = function(board, player)
    except Exception as error:  # noqa: BLE001 - whatever it is, the program has to bail
        return f"raises {type(error).__name__}"
    # Numbers of numpy have no extent.
    if not isinstance(answer, (int, float)) and getattr(answer, "shape", None) != ():
        return f"{type(answer).__name__} is {HUGE}"
    try:
        number = float(answer)
    except OverflowError:
        return "an int beyond floats"
    return number if number == number else "nan"


def bits(number: float) -> bytes:
    """A float by its bits, so that 0.0 is not -0.0."""
    return struct.pack("<d", number)


def compare(
    text: str, spots: Sequence[Spot], folder: Path, compiler: Compiler, tally: Tally | None = None
) -> Tally:
    """Compare a program on positions, in Python and compiled; ends at its first difference."""
    tally = tally or Tally()
    tally.programs += 1
    try:
        with limited():
            function = load(text, folder)
    except TooSlowError:
        tally.slow += 1
        return tally
    except Exception:  # noqa: BLE001 - a module that raises has no heuristic
        tally.raising += 1
        return tally
    compare_function(function, spots, compiler, tally, text)
    return tally


def compare_function(
    function: Heuristic, spots: Sequence[Spot], compiler: Compiler, tally: Tally, text: str = ""
) -> None:
    """Compare a function on positions; ends at its first difference. `text` is how it is shown."""
    text = text or getattr(function, "__name__", "a heuristic")
    compiled = compiler(function)
    if isinstance(compiled, str):
        tally.refused[text] = compiled
        return
    has_changed = getattr(compiled, "has_changed", str)
    for number, spot in enumerate(spots):
        if number and number % UNCHANGED == 0:
            change([function, getattr(compiled, "function", function)], number // UNCHANGED - 1)
        # Before Python, which may change what the program reads; where it does, the program has to bail.
        found = compiled(spot.board(), spot.scored)
        try:
            with limited():
                expected = in_python(function, spot.board(), spot.scored)
        except TooSlowError:
            # The other positions of such a program would cost as much.
            tally.slow += 1
            return
        if found is None:
            tally.bails += isinstance(expected, str)
            tally.needless += not isinstance(expected, str)
        elif isinstance(expected, str) or bits(found) != bits(expected) or has_changed():
            shown = expected if isinstance(expected, str) else f"{expected} ({expected.hex()})"
            shown += f"; {changed}" if (changed := has_changed()) else ""
            asked = tuple(spots[: number + 1])
            tally.differences.append(Difference(text, asked, shown, f"{found} ({found.hex()})"))
            return
        else:
            tally.same += 1

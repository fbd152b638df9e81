"""Reading a rubric, a TOML file: each error names the line, the key, and what is allowed there."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Final, TypeAlias

from isolation_fast.numbers import integer, number
from isolation_fast.output import visible
from isolation_fast.text import unknown_word
from isolation_grader.classes.marks import (
    BYS,
    MOVES,
    Conformance,
    Difference,
    Floats,
    Leaderboard,
    Loading,
    Opponent,
    Part,
    Rubric,
    Verdict,
    opponents_by_roster,
)
from isolation_grader.exceptions import UsageError
from isolation_grader.options import MOST_VALUE_WORK

if sys.version_info >= (3, 11):
    import tomllib
else:  # the same module, under the name that it had before Python took it
    import tomli as tomllib

DEFAULT: Final = Path(__file__).with_name("rubric.toml")
MOST_BYTES: Final = 2**16
MOST_POINTS: Final = 10_000
MOST_PARTS: Final = 50

Check: TypeAlias = Callable[[Any], Any]
"""Gives the value, or raises a ValueError that says what is allowed."""


def _points(value: Any) -> float:
    return float(number("it", value, least=0, most=MOST_POINTS))


def _percent(value: Any) -> float:
    return float(number("it", value, least=0, below=100))


def _difference(value: Any) -> float:
    return float(number("it", value, least=-100, most=100))


def _nodes(value: Any) -> int:
    return integer("it", value, 1, MOST_VALUE_WORK)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"it must be true or false, not {value!r}")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError(f"it must be a text of a line, not {value!r}")
    return value


def _word(*allowed: str) -> Check:
    def word(value: Any) -> Any:
        if value not in allowed:
            raise ValueError(f"it must be one of {', '.join(map(repr, allowed))}, not {value!r}")
        return value

    return word


def _opponent(value: Any) -> str:
    known = list(dict.fromkeys(each for names in opponents_by_roster().values() for each in names))
    if value not in known:
        raise ValueError(unknown_word("opponent", str(value), known))
    return str(value)


def _bonus(value: Any) -> tuple[float, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError(
            f"it must be a list of points, one for each place, such as [10, 6, 3], not {value!r}"
        )
    return tuple(map(_points, value))


CHECKS: Final[Mapping[str, Check]] = {
    "points": _points,
    "better": _points,
    "undecided": _points,
    "not_better": _points,
    "above": _percent,
    "none_at": _difference,
    "all_at": _difference,
    "name": _opponent,
    "by": _word(*BYS),
    "bonus": _bonus,
    "games": _flag,
    "visible": _flag,
}
"""What each key of a part may be."""
PARTS: Final[Mapping[str, type[Part]]] = {
    "loading": Loading,
    "floats": Floats,
    "conformance": Conformance,
    "opponent": Opponent,
    "verdict": Verdict,
    "difference": Difference,
    "leaderboard": Leaderboard,
}
OWN: Final[Mapping[str, Check]] = {
    "title": _text,
    "not_graded": _word("open", "zero"),
    "moves": _points,
    "value_work": _nodes,
}
"""Keys outside of any part."""


def default_rubric() -> Rubric:
    """The rubric of the course's question.

    >>> next(default_rubric().explained())
    'Does it beat AB_Improved? 100 points.'
    """
    return read_rubric(DEFAULT)


def read_rubric(path: Path) -> Rubric:
    """The rubric in a file; a `UsageError` says in which line it is wrong."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or error
        raise UsageError(f"the rubric cannot be read: {path}: {why}") from error
    if len(content) > MOST_BYTES:
        raise UsageError(f"the rubric has more than {MOST_BYTES:,} bytes: {path}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"the rubric is not UTF-8: {path}: {error.reason}") from error
    return rubric_of(text, path.name)


def rubric_of(text: str, name: str) -> Rubric:
    """The rubric in the text of a file of that name."""
    return _Reader(text, name).rubric()


def require_opponents(rubric: Rubric, roster: str) -> None:
    """Refuse a rubric with an opponent whom nobody plays: its part would stay open for all."""
    known = opponents_by_roster()[roster]
    parts = [each for each in rubric.parts if isinstance(each, Opponent)]
    for number_, each in enumerate(parts):
        if each.name not in known:
            problem = f"{each.name!r} does not play in the {roster} roster, which has {', '.join(known)}"
            raise _Reader(rubric.text, rubric.name).refused(("opponent", number_, "name"), problem)


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name

    def rubric(self) -> Rubric:
        """The rubric, once all of it is known to be right."""
        try:
            content = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{self._name} is no TOML: {error}{self._there(str(error))}") from error
        allowed = [*OWN, *PARTS]
        for key in content:
            if key not in allowed:
                raise self.refused((key,), unknown_word("key", key, allowed))
        own = {
            key: self._checked((key,), content[key], check) for key, check in OWN.items() if key in content
        }
        parts = tuple(self._parts(content))
        if not any(each.most for each in parts):
            raise UsageError(f"{self._name} gives no points", f"parts: {', '.join(PARTS)}")
        title, not_graded = own.get("title", "Points."), own.get("not_graded", "open")
        moves, value_work = own.get("moves", MOVES), own.get("value_work")
        return Rubric(title, parts, not_graded, moves, value_work, self._text, self._name)

    def _there(self, error: str) -> str:
        """The line that an error of TOML names, as it is written: it says neither key nor value."""
        place, lines = re.search(r"line (\d+)", error), self._text.splitlines()
        line = lines[int(place[1]) - 1].strip() if place and int(place[1]) <= len(lines) else ""
        return f": {visible(line)}" if line else ""

    def _parts(self, content: dict[str, Any]) -> Iterator[Part]:
        labels = set[str]()
        # In the order in which they are written.
        for kind in (each for each in content if each in PARTS):
            found = content[kind]
            is_list = kind == "opponent"
            if not isinstance(found, list if is_list else dict):
                raise self.refused((kind,), f"it is written as {f'[[{kind}]]' if is_list else f'[{kind}]'}")
            for number_, table in enumerate(found if is_list else [found]):
                place = (kind, number_) if is_list else (kind,)
                part = self._part(place, table, PARTS[kind])
                if part.label in labels or len(labels) >= MOST_PARTS:
                    same = f"there is such a part already: {part.label}"
                    raise self.refused(place, same if part.label in labels else "there are too many parts")
                labels.add(part.label)
                yield part

    def _part(self, place: tuple[str | int, ...], table: Any, kind: type[Part]) -> Part:
        if not isinstance(table, dict):
            raise self.refused(place, f"it must be a table, not {table!r}")
        known = {each.name: each for each in fields(kind)}  # type: ignore[arg-type] # each part is a dataclass
        for key in table:
            if key not in known:
                raise self.refused((*place, key), unknown_word("key", key, list(known)))
        for key, each in known.items():
            if key not in table and each.default is MISSING:
                raise self.refused(place, f"{key} is missing; its keys are {', '.join(known)}")
        values = {key: self._checked((*place, key), value, CHECKS[key]) for key, value in table.items()}
        if kind is Difference and values["none_at"] >= values["all_at"]:
            raise self.refused((*place, "all_at"), f"it must be above none_at, {values['none_at']:g}")
        return kind(**values)

    def _checked(self, place: tuple[str | int, ...], value: Any, check: Check) -> Any:
        try:
            return check(value)
        except ValueError as error:
            raise self.refused(place, str(error)) from None

    def refused(self, place: tuple[str | int, ...], problem: str) -> UsageError:
        """The error for what stands at a place."""
        # Without their number: the line says which of several is meant.
        *above, key = [each for each in place if isinstance(each, str)]
        what = f"[{'.'.join(above)}] {key}" if above else key
        return UsageError(f"{self._name}, line {self._line(place)}: {what}: {problem}")

    def _line(self, place: tuple[str | int, ...]) -> int:
        """Where a key is written: the first line up to which the text says something of it.

        A value of several lines begins after the last line up to which all can be read.
        """
        lines, before = self._text.splitlines(), 0
        for count in range(1, len(lines) + 1):
            try:
                content: Any = tomllib.loads("\n".join(lines[:count]))
            except tomllib.TOMLDecodeError:
                continue
            if _has(content, place):
                return before + 1
            before = count
        return max(len(lines), 1)


def _has(content: Any, place: tuple[str | int, ...]) -> bool:
    for each in place:
        if isinstance(content, list):
            content = dict(enumerate(content))
        if not isinstance(content, dict) or each not in content:
            return False
        content = content[each]
    return True

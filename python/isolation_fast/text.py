"""Text for people and from people: what a value is, what a mistyped word meant, where a text is wrong."""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from isolation_fast.exceptions import InvalidArgumentError

__all__ = ["counted", "unknown_word"]

# A longer list would hide the word that was probably meant.
MOST_LISTED: Final = 20
NEAREST: Final = 12
LONGEST_QUOTED: Final = 200
MOST_DIGITS: Final = 40
DIGITS: Final = re.compile(r"-?[0-9]+")
LONGEST: Final = 300
LOOKED_AT: Final = 10_000
"""Only so many characters of a text are read."""
ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
COPY: Final = re.compile(r"isolation-fast-(?:[a-z0-9_]{8}|[a-z0-9_]{0,7}\Z)")
"""The name of the folder that a submission is copied to: another one each time."""


def described(value: object) -> str:
    """The type of a value as people import it, with an article, and the value too if it is built in.

    >>> described("7x7"), described(None), described(str)
    ("a str: '7x7'", 'None', 'the class str')
    >>> from isolation_fast import reference
    >>> described(reference.Board())
    'an isolation_fast.reference.Board'
    """
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {_public_name(value)}"
    name = _public_name(type(value))
    article = "an" if name[0].lower() in "aeiou" else "a"
    # The text of anything else may be that of another class (a reference board's reads like the engine's).
    return f"{article} {name}" if "." in name else f"{article} {name}: {value!r}"


def _public_name(kind: type) -> str:
    name, module = kind.__qualname__, str(kind.__module__)
    if module == "builtins":
        return name
    package = module
    while package := package.rpartition(".")[0]:
        if getattr(sys.modules.get(package), name, None) is kind:
            module = package
    return f"{module}.{name}"


def counted(number: int, noun: str) -> str:
    """So many of something.

    >>> counted(1, "move"), counted(1200, "node")
    ('1 move', '1,200 nodes')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def unknown_word(what: str, word: str, allowed: Sequence[str], candidates: Iterable[str] = ()) -> str:
    """The message for a word that is not among those allowed.

    Of many allowed words only the nearest are listed, if some are near. `candidates` are all words that may
    have been meant, if the list of allowed ones is shorter.

    >>> unknown_word("mode", "x", ["plain", "fast"])
    "unknown mode 'x'. Allowed: 'plain', 'fast'"
    >>> unknown_word("player", "ab_open", ["Random", "AB:heuristic"], ["AB:open", "AB:bfs"])
    "unknown player 'ab_open', did you mean 'AB:open'? Allowed: 'Random', 'AB:heuristic'"
    >>> unknown_word("heuristic of game_agent.py", "mine", [])
    "unknown heuristic of game_agent.py 'mine'. There is none"
    >>> unknown_word("step", "stp 3", [f"step {number}" for number in range(48)])
    "unknown step 'stp 3', did you mean 'step 3'? Allowed: 'step 3', ..., and 36 others"
    """
    few = len(allowed) <= MOST_LISTED or not get_close_matches(word.lower(), allowed)
    shown = allowed if few else get_close_matches(word.lower(), allowed, NEAREST, cutoff=0.0)
    listed = ", ".join(map(repr, shown)) + ("" if few else f", and {len(allowed) - NEAREST} others")
    # Lower case and without the classic suffix, so that `Improved` and `improved_score` find `improved`.
    simplified = word.lower().removesuffix("_score")
    meant = {each.lower(): each for each in (candidates or allowed)}
    close = get_close_matches(simplified, meant, n=1)
    hint = f", did you mean {meant[close[0]]!r}?" if close else "."
    return f"unknown {what} {word!r}{hint} {f'Allowed: {listed}' if allowed else 'There is none'}"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text that knows where it stands, so that an error can say it.

    >>> first, second = whole_piece("depth=3, nods=5", "budget", "such as 'nodes=2000'").split()
    >>> [side.text for side in second.sides()]
    ['nods', '5']
    >>> raise second.refused("there is no 'nods'")
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: in 'depth=3, nods=5' at character 10: there is no 'nods'
    """

    whole: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """The piece itself."""
        return self.whole[self.start : self.end]

    def part(self, start: int, end: int) -> "Piece":
        """A part of this piece, without the spaces around it."""
        within = self.text[start:end]
        start += len(within) - len(within.lstrip())
        return Piece(self.whole, self.start + start, self.start + start + len(within.strip()))

    def split(self) -> "Iterator[Piece]":
        """The parts between the commas; a comma inside brackets separates nothing."""
        depth = start = 0
        for place, character in enumerate(self.text):
            depth += (character == "(") - (character == ")")
            if character == "," and depth == 0:
                yield self.part(start, place)
                start = place + 1
        yield self.part(start, len(self.text))

    def sides(self) -> "tuple[Piece, Piece]":
        """The parts before and after the last `=`, which stands after the last closing bracket."""
        place = self.text.rfind("=")
        if place <= self.text.rfind(")"):
            raise self.refused(f"{self.text!r} has no value" if self.text else "something is missing here")
        return self.part(0, place), self.part(place + 1, len(self.text))

    def number(self, name: str, *, whole: bool = False) -> float:
        """The number that the piece is, an int where it has only digits."""
        if DIGITS.fullmatch(self.text):
            if len(self.text) > MOST_DIGITS:  # Python refuses to read very long ones
                raise self.refused(f"{name} is too large")
            return int(self.text)
        if whole:
            raise self.refused(f"{name} must be a whole number, not {self.text!r}")
        try:
            return float(self.text)
        except ValueError:
            raise self.refused(f"{name} must be a number, not {self.text!r}") from None

    def refused(self, problem: str) -> InvalidArgumentError:
        """The error for a problem with this piece, with its place unless it is the whole text."""
        if self.text == self.whole.strip():
            return InvalidArgumentError(problem)
        cut = "..." if len(self.whole) > LONGEST_QUOTED else ""
        shown = repr(self.whole[:LONGEST_QUOTED] + cut)
        return InvalidArgumentError(f"in {shown} at character {self.start + 1}: {problem}")


def whole_piece(text: object, what: str, example: str) -> Piece:
    """The whole text, without the spaces around it; an error where there is nothing."""
    if not isinstance(text, str):
        raise TypeError(f"a {what} is written as a str {example}, not {described(text)}")
    piece = Piece(text, 0, len(text)).part(0, len(text))
    if not piece.text:
        raise InvalidArgumentError(f"a {what} is missing, {example}: the text is empty")
    return piece


def named_from(text: str, folder: str) -> str:
    """A text with the files of a submission's folder named relative to that folder.

    >>> named_from("/home/eve/game_agent.py is not in /home/eve but in /home/everybody", "/home/eve")
    'game_agent.py is not in submission but in /home/everybody'
    """
    if folder.strip(os.sep):
        text = text.replace(f"{folder}{os.sep}", "")
        text = re.sub(rf"{re.escape(folder)}(?![\w.-])", "submission", text)
    return COPY.sub("isolation-fast", text)


def named_from_anywhere(text: str, folder: str) -> str:
    """The same, with files of modules named relative to the place in `sys.path` that has them.

    >>> import json
    >>> named_from_anywhere(f"no 'x' in 'json' ({json.__file__})", "/home/eve")
    "no 'x' in 'json' (json/__init__.py)"
    """
    text = named_from(text, folder)
    if not folder:  # Errors of our own keep their paths: their reader can do something about what lies there.
        return text
    # Inner folders first. The root of all files is in every path.
    places = {each.rstrip(os.sep) for each in sys.path if isinstance(each, str) and each.startswith(os.sep)}
    for place in sorted(filter(None, places), key=len, reverse=True):
        text = text.replace(f"{place}{os.sep}", "")
    return text


def error_line(error: BaseException, folder: str = "") -> str:
    """An exception as in the last line of a traceback; `folder` is that of the submission which raised it.

    >>> error_line(KeyError("Eve")), error_line(AssertionError())
    ("KeyError: 'Eve'", 'AssertionError')
    """
    try:
        text = named_from_anywhere(ADDRESS.sub("", str(error)[:LOOKED_AT]), folder)
    except BaseException:  # noqa: BLE001 - a submission's own exception may do anything
        text = ""
    name = type(error).__name__
    return _cut(f"{name}: {text}" if text else name)


def value_line(value: object, folder: str = "") -> str:
    """A value as `repr` shows it; `folder` is that of the submission which made it.

    >>> value_line([3, 3]), value_line(object())
    ('[3, 3]', '<object object>')
    """
    try:
        return _cut(named_from_anywhere(ADDRESS.sub("", repr(value)[:LOOKED_AT]), folder))
    except BaseException as error:  # noqa: BLE001 - as above
        return f"a {type_name(type(value))} whose repr raises {type(error).__name__}"


def type_name(kind: type) -> str:
    """The name of a class, with its module unless it is built in.

    >>> type_name(int), type_name(re.Pattern)
    ('int', 're.Pattern')
    """
    module = kind.__module__
    return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."

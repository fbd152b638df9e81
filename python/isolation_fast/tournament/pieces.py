"""Texts taken apart into pieces that know where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.text import described

__all__ = ["Piece", "whole"]

LONGEST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text that knows where it stands, so that an error can say it.

    >>> first, second = whole("depth=3, nods=5", "budget", "such as 'nodes=2000'").split()
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

    def part(self, start: int, end: int) -> Piece:
        """A part of this piece, without the spaces around it."""
        within = self.text[start:end]
        start += len(within) - len(within.lstrip())
        return Piece(self.whole, self.start + start, self.start + start + len(within.strip()))

    def split(self) -> Iterator[Piece]:
        """What stands between the commas, those inside brackets left aside."""
        depth = start = 0
        for place, character in enumerate(self.text):
            depth += (character == "(") - (character == ")")
            if character == "," and depth == 0:
                yield self.part(start, place)
                start = place + 1
        yield self.part(start, len(self.text))

    def sides(self) -> tuple[Piece, Piece]:
        """What stands before and behind the last `=`, if no bracket closes behind it."""
        place = self.text.rfind("=")
        if place <= self.text.rfind(")"):
            raise self.refused(f"{self.text!r} has no value" if self.text else "something is missing here")
        return self.part(0, place), self.part(place + 1, len(self.text))

    def refused(self, problem: str) -> InvalidArgumentError:
        """What is wrong with this piece; where it stands, if it is not all there is."""
        if self.text == self.whole.strip():
            return InvalidArgumentError(problem)
        shown = repr(self.whole if len(self.whole) <= LONGEST_SHOWN else self.whole[:LONGEST_SHOWN] + "...")
        return InvalidArgumentError(f"in {shown} at character {self.start + 1}: {problem}")


def whole(text: object, what: str, example: str) -> Piece:
    """All of a text, without the spaces around it; an error where there is nothing.

    >>> whole(" nodes=5 ", "budget", "such as 'nodes=2000'").text
    'nodes=5'
    """
    if not isinstance(text, str):
        raise TypeError(f"a {what} is written as a str {example}, not {described(text)}")
    piece = Piece(text, 0, len(text)).part(0, len(text))
    if not piece.text:
        raise InvalidArgumentError(f"a {what} is missing, {example}: the text is empty")
    return piece

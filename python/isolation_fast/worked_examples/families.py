"""What a family of worked examples consists of, and how a line of the working is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from isolation_fast._native import Heuristic
from isolation_fast.reference import HEURISTICS, Board

__all__ = [
    "OF_REPORT_C",
    "POSITION",
    "Family",
    "Step",
    "Working",
    "difference",
    "last_step",
    "of_both",
    "parenthesized",
    "part",
    "place",
    "shown",
]

POSITION: Final = "5x5 1x3/5/2x2/x4/5 2,2 3,0 1"
"""The position that most examples are worked on."""

OF_REPORT_C: Final = "5x5 x1x2/1x1x1/2x2/1x3/3x1 0,2 0,0 2"
"""A position with the sums that report C's own example has by its definitions."""


class Step(NamedTuple):
    """A line of the working: what is worked out, its terms in numbers, and what the twin says they come to.

    >>> print(Step("|L(p)| - |L(o)|", "6 - 2", 4.0))
    |L(p)| - |L(o)| = 6 - 2 = 4
    >>> print(Step("|L(p)|", "6", 6.0))
    |L(p)| = 6
    """

    what: str
    terms: str
    value: float

    def __str__(self) -> str:
        value = shown(self.value)
        return " = ".join([self.what, value] if self.terms == value else [self.what, self.terms, value])


Working: TypeAlias = list[Step | str]
"""Steps, and remarks between them."""


@dataclass(frozen=True)
class Family:
    """The heuristics of one module of the twin, and how an example of each is drawn and worked."""

    name: str
    about: str
    """What its heuristics measure."""
    twins: Mapping[str, Callable[[Any, Any], float]]
    draw: Callable[[Heuristic, Board], str]
    work: Callable[[Heuristic, Board, str], Working]
    """The working for a player of the board, as far as the line of `last_step`."""
    positions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What the heuristics of these names are worked on; the others are on `POSITION`."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """What else is to be said of some of them."""


def last_step(heuristic: Heuristic, board: Board, player: str, what: str, terms: str) -> Step:
    """The line that ends in the heuristic's value, as its twin gives it."""
    twin: Any = HEURISTICS[str(heuristic.base)]
    return Step(what, terms, twin(board, player, **heuristic.parameters))


def of_both(step: Callable[[Board, str, str], Step], board: Board, player: str) -> tuple[Step, Step]:
    """A step for the player, whose letter is p, and the same for its opponent, whose letter is o."""
    return step(board, player, "p"), step(board, board.get_opponent(player), "o")


def difference(first: Step, second: Step) -> str:
    """The terms of the one less the other.

    >>> difference(Step("R(p)", "1/1 + 2/2", 2.0), Step("R(o)", "1/1", 1.0))
    '2 - 1'
    """
    return f"{shown(first.value)} - {parenthesized(shown(second.value))}"


def part(family: Family, heuristic: Heuristic, board: Board, player: str) -> tuple[Working, Step]:
    """The working of a heuristic that is part of another, its last line apart, which bears its name."""
    *before, last = family.work(heuristic, board, player)
    assert isinstance(last, Step)
    return before, last._replace(what=f"{heuristic.name} = {last.what}")


def parenthesized(number: str) -> str:
    """A number as it stands behind a sign.

    >>> parenthesized("2"), parenthesized("-2")
    ('2', '(-2)')
    """
    return f"({number})" if number.startswith("-") else number


def shown(number: float) -> str:
    """A number to four places, without what is not needed.

    >>> shown(2.0), shown(-0.0), shown(2 / 3), shown(0.45)
    ('2', '0', '0.6667', '0.45')
    """
    text = f"{number:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def place(board: Board, player: str) -> tuple[int, int]:
    """The cell of a player. In a worked example both stand on one."""
    location = board.get_player_location(player)
    assert location is not None
    return location

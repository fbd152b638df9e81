"""Openings and who wins them: of each board, and which are alike.

Openings are alike where turns and mirrorings of the board make one of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

from isolation_fast.reports import Move

Replies: TypeAlias = Literal["every", "one", "image"]
"""Which answers to a first placement are looked at: every one, one after the other until one wins, or the
image under the half turn alone, of which the theorem says that it wins."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Two placements and who wins from there: player 1, who placed first, is to move.

    - `first`, `second`: the cells.
    - `winner`: 1 or 2.
    - `alike`: how many openings turns and mirrorings make of it, itself included.
    - `nodes`: the positions that it took.

    >>> print(Opening((3, 3), (1, 2), 1, 8, 3))
    player 1 on (3, 3), player 2 on (1, 2): player 1 wins
    """

    first: Move
    second: Move
    winner: Literal[1, 2]
    alike: int
    nodes: int

    @property
    def follows_colours(self) -> bool:
        """Whether player 1 wins if, and only if, both knights stand on the same colour."""
        return (self.winner == 1) == (is_dark(self.first) == is_dark(self.second))

    def __str__(self) -> str:
        return f"player 1 on {self.first}, player 2 on {self.second}: player {self.winner} wins"


@dataclass(frozen=True, slots=True)
class FirstPlacement:
    """A first placement and how it is answered.

    - `cell`: where player 1 begins.
    - `alike`: how many cells turns and mirrorings make of it, itself included.
    - `replies`: the cells on which player 2 wins, of those that were looked at.
    - `winner`: player 2 if any reply wins; None where none was found, and not all were looked at.
    - `openings`: what was solved, one opening of each class.
    """

    cell: Move
    alike: int
    replies: tuple[Move, ...]
    winner: Literal[1, 2] | None
    openings: tuple[Opening, ...]


@dataclass(frozen=True, slots=True)
class Theory:
    """Who wins on an empty board.

    - `width`, `height`: the board.
    - `looked_at`: `"every"` answer to a first placement, `"one"` that wins, or by the theorem its `"image"`.
    - `placements`: one first placement of each class.
    - `nodes`: the positions that it took.

    >>> from isolation_fast.theory import prove
    >>> print(prove(5, 5))
    5x5: player 2 wins; player 1 wins 296 openings, player 2 304, of which 8 are exceptions to the colour rule
    >>> print(prove(30, 30))
    30x30: player 2 wins by answering every move with its image under the half turn
    """

    width: int
    height: int
    looked_at: Replies
    placements: tuple[FirstPlacement, ...]
    nodes: int

    @property
    def winner(self) -> Literal[1, 2] | None:
        """Who wins with best play: player 1 if any first placement wins; None if not all were looked at."""
        if any(each.winner == 1 for each in self.placements):
            return 1
        seen = sum(each.alike for each in self.placements if each.winner == 2)
        return 2 if seen == self.width * self.height else None

    @property
    def openings(self) -> tuple[Opening, ...]:
        """What was solved, one opening of each class."""
        return tuple(opening for each in self.placements for opening in each.openings)

    @property
    def won(self) -> tuple[int, int]:
        """How many of the openings that were looked at player 1 wins, and how many player 2."""
        counts = [sum(each.alike for each in self.openings if each.winner == winner) for winner in (1, 2)]
        return counts[0], counts[1]

    @property
    def exceptions(self) -> tuple[Opening, ...]:
        """The openings, one of each class, that the colours of the two cells do not decide."""
        return tuple(each for each in self.openings if not each.follows_colours)

    def __str__(self) -> str:
        wins = "not proven who wins" if self.winner is None else f"player {self.winner} wins"
        text = f"{self.width}x{self.height}: {wins}"
        if self.looked_at == "image":
            return f"{text} by answering every move with its image under the half turn"
        if self.looked_at == "one":
            return f"{text}; {len(self.openings):,} openings were solved"
        exceptions = sum(each.alike for each in self.exceptions)
        return (
            f"{text}; player 1 wins {self.won[0]:,} openings, player 2 {self.won[1]:,}, "
            f"of which {exceptions:,} are exceptions to the colour rule"
        )


def is_dark(cell: Move) -> bool:
    """The colour of a cell: row + column is odd. A knight's move changes it."""
    return sum(cell) % 2 == 1


def images(width: int, height: int, cells: tuple[Move, ...]) -> set[tuple[Move, ...]]:
    """What turns and mirrorings of the board make of some cells.

    >>> sorted(images(7, 7, ((0, 1),)))[:3]
    [((0, 1),), ((0, 5),), ((1, 0),)]
    >>> len(images(7, 5, ((0, 1),)))
    4
    """
    found = set()
    for down, right, turned in product((False, True), (False, True), {False, width == height}):
        moved = [
            (height - 1 - row if down else row, width - 1 - column if right else column)
            for row, column in cells
        ]
        found.add(tuple(cell[::-1] if turned else cell for cell in moved))
    return found


def half_turned(width: int, height: int, cell: Move) -> Move:
    """The image of a cell under the half turn of the board."""
    return height - 1 - cell[0], width - 1 - cell[1]


def first_placements(width: int, height: int) -> Iterator[Move]:
    """One first placement of each class.

    >>> len([*first_placements(7, 7)])
    10
    """
    for cell in product(range(height), range(width)):
        if (cell,) == min(images(width, height, (cell,))):
            yield cell


def second_placements(width: int, height: int, first: Move) -> Iterator[Move]:
    """One answer of each class to a first placement.

    >>> len([*second_placements(7, 7, (3, 3))]), len([*second_placements(7, 7, (0, 1))])
    (9, 48)
    """
    for cell in product(range(height), range(width)):
        if cell != first and cell == min(answers_alike(width, height, first, cell)):
            yield cell


def answers_alike(width: int, height: int, first: Move, second: Move) -> list[Move]:
    """The answers that are images of one where the first placement is its own image."""
    return sorted(pair[1] for pair in images(width, height, (first, second)) if pair[0] == first)

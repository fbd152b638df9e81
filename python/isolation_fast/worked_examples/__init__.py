"""Worked examples of the native heuristics: a drawn board, the figures filled in, and the values.

The values are the engine's, each line of the working is of the twin in `isolation_fast.reference`.

>>> from isolation_fast import heuristics
>>> for example in worked_examples(heuristics.improved):
...     print(example)
5x5 1x3/5/2x2/x4/5 2,2 3,0 1, player 1 is to move
<BLANKLINE>
       0    1    2    3    4
0 |    |  - |    |  a |    |
1 |  a |  b |    |    |  a |
2 |    |    | P1 |    |    |
3 | P2 |    |    |    |  a |
4 |    |  a |  b |  a |    |
P1, P2: the players; -: blocked; a, b: moves of player 1, of player 2
<BLANKLINE>
improved is 4 for player 1:
    |L(p)| = 6
    |L(o)| = 2
    |L(p)| - |L(o)| = 6 - 2 = 4
improved is -4 for player 2:
    |L(p)| = 2
    |L(o)| = 6
    |L(p)| - |L(o)| = 2 - 6 = -4
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from isolation_fast import reference
from isolation_fast._native import Board, Heuristic
from isolation_fast.evaluating import evaluate
from isolation_fast.exceptions import WalkTooLongError
from isolation_fast.worked_examples.baselines import BASELINES
from isolation_fast.worked_examples.blends import BLENDS
from isolation_fast.worked_examples.clusters import CLUSTERS
from isolation_fast.worked_examples.continuations import CONTINUATIONS
from isolation_fast.worked_examples.decay import DECAY
from isolation_fast.worked_examples.distance import DISTANCE
from isolation_fast.worked_examples.families import POSITION, Family, Step, Working, shown
from isolation_fast.worked_examples.floods import FLOODS
from isolation_fast.worked_examples.mobility import MOBILITY
from isolation_fast.worked_examples.space import SPACE
from isolation_fast.worked_examples.weights import WEIGHTS
from isolation_fast.worked_examples.words import (
    ENDINGS,
    LETTERS,
    cost_in_words,
    ending_in_words,
    letters_of,
    source_in_words,
)

__all__ = [
    "ENDINGS",
    "FAMILIES",
    "LETTERS",
    "Family",
    "Step",
    "WorkedExample",
    "Working",
    "cost_in_words",
    "ending_in_words",
    "family_of",
    "letters_of",
    "note_of",
    "shown",
    "source_in_words",
    "worked_examples",
]

FAMILIES: Final = (
    BASELINES,
    MOBILITY,
    WEIGHTS,
    DISTANCE,
    DECAY,
    FLOODS,
    SPACE,
    CONTINUATIONS,
    BLENDS,
    CLUSTERS,
)
"""All families, in the order of the registry."""

PLAYERS: Final = ("player 1", "player 2")

# A larger tree is nothing to look at.
MOST_WALKED: Final = 100


@dataclass(frozen=True)
class WorkedExample:
    """What a heuristic says of one position, and how it comes to it."""

    heuristic: str
    position: str
    """In the notation of `Board.to_text`."""
    drawing: str
    values: Mapping[str, float]
    """What the engine says, by player."""
    working: Mapping[str, Working]
    """How the twin comes to it, by player."""

    def to_dict(self) -> dict[str, object]:
        """The same in plain values, for JSON."""
        return {
            "position": self.position,
            "values": dict(self.values),
            "drawing": self.drawing,
            "working": {player: [str(step) for step in working] for player, working in self.working.items()},
        }

    def __str__(self) -> str:
        mover = Board.from_text(self.position).active_player
        lines = [f"{self.position}, {mover} is to move", "", self.drawing, ""]
        for player, working in self.working.items():
            lines.append(f"{self.heuristic} is {shown(self.values[player])} for {player}:")
            lines += [f"    {step}" for step in working]
        return "\n".join(lines)


def worked_examples(heuristic: Heuristic) -> list[WorkedExample]:
    """The examples of a registered heuristic or a variant of one: more than one where stages differ.

    >>> from isolation_fast import heuristics
    >>> [example.values["player 1"] for example in worked_examples(heuristics.aggressive.variant(factor=1.5))]
    [3.0]
    """
    family = family_of(heuristic)
    examples = []
    for position in family.positions.get(str(heuristic.base), (POSITION,)):
        board, twin = Board.from_text(position), reference.Board.from_text(position)
        try:
            values = {player: evaluate(board, heuristic, player, nodes=MOST_WALKED) for player in PLAYERS}
        except WalkTooLongError:
            continue
        working = {player: family.work(heuristic, twin, player) for player in PLAYERS}
        examples.append(
            WorkedExample(heuristic.name, position, family.draw(heuristic, twin), values, working)
        )
    return examples


def note_of(heuristic: Heuristic) -> str | None:
    """What else is to be said of a heuristic and its example.

    >>> from isolation_fast import heuristics
    >>> note_of(heuristics.lookahead_ratio)
    'It is always the side to move that steps to the cell, whoever is scored.'
    """
    return family_of(heuristic).notes.get(heuristic.name)


def family_of(heuristic: Heuristic) -> Family:
    """The family of a registered heuristic or a variant of one.

    >>> from isolation_fast import heuristics
    >>> family_of(heuristics.bfs).name
    'floods'
    """
    return next(family for family in FAMILIES if heuristic.base in family.twins)

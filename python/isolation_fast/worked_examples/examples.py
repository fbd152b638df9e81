"""The native heuristics in words, and for each an example: a drawn board, the working, and the value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from isolation_fast import heuristics, reference
from isolation_fast._native import Board, Heuristic
from isolation_fast.cost import band_in_words, of
from isolation_fast.exceptions import WalkTooLongError
from isolation_fast.games import seeded_random
from isolation_fast.reference.heuristics import FAMILIES, Family
from isolation_fast.searching import evaluate
from isolation_fast.worked_examples.drawing import PLAYERS, draw
from isolation_fast.worked_examples.working import Step, shown, working_of

# A larger tree is nothing to look at.
MOST_WALKED: Final = 100

POSITION: Final = "5x5 1x3/5/2x2/x4/5 2,2 3,0 1"
# Of its 25 cells 12, 4 and 2 are blank.
HALF_FULL: Final = "5x5 1xx1x/x1x2/2x1x/1xx1x/xx1x1 2,2 3,2 1"
NEARLY_FULL: Final = "5x5 x1xxx/xx1xx/x1xxx/xxxxx/xx1xx 0,0 2,0 1"
ALMOST_FULL: Final = "5x5 xx1xx/xxxxx/xxxx1/xxxxx/xxxxx 1,0 2,1 1"
# The sums here are those that report C's own example has by its definitions.
OF_REPORT_C: Final = "5x5 x1x2/1x1x1/2x2/1x3/3x1 0,2 0,0 2"
POSITIONS: Final = {
    "corner_averse_mobility": ("5x5 1x3/2x2/5/x4/5 1,2 3,0 1",),
    "lookahead_ratio": ("5x5 1x3/4x/2x2/x2x1/2x2 2,2 3,0 1",),
    "decay": (OF_REPORT_C,),
    "floods": (OF_REPORT_C,),
    "continuations": ("3x3 1x1/x2/3 0,1 1,0 1",),
    "blend": (POSITION,),
    "blend_improved": (POSITION,),
    "blend_then_continuations_10": (POSITION, ALMOST_FULL),
    "staged_continuations_difference": (POSITION, HALF_FULL, NEARLY_FULL),
    "staged_continuations": (POSITION, HALF_FULL, NEARLY_FULL),
    "blends": (POSITION, NEARLY_FULL),
    "clusters": ("5x5 xxx2/xx3/2x2/x4/5 2,2 3,0 1",),
}
"""What a heuristic, or a family, is worked on. All others are on `POSITION`."""

NOTES: Final = {
    "center": "The centre (H/2, W/2) is the course's definition, and so that of all heuristics that go by "
    "the centre. Cells are counted from 0, so it lies half a cell below and to the right of the middle.",
    "corner_averse_mobility": "The corners are the cells that report A prints. On a board that is not square "
    "they are not its corners, and the printed cells count.",
    "lookahead_ratio": "It is always the side to move that steps to the cell, whoever is scored.",
    "weights": "The row goes by the width W and the column by the height H, as the report prints it. On a "
    "square board that is the same; on another the weights are not symmetric.",
    "knight_decay_2": "Report C works an example of 5 by 5 and prints 5.25 for player 1, 4.1875 for player "
    "2, and 1.0625 for the difference. The second figure is a slip: its definition gives 4.6875, and so "
    "0.5625. Its board is not known here; this is one that has the sums of the definition.",
    "bfs": "Report C works this one on the same board as `knight_decay_2`, and prints 6.65 for player 1, "
    "5.033 for player 2 (its own printed grid sums to 6.283), and 1.62 for the difference. The second figure "
    "is a slip: its definition gives 6.2, and so 0.45.",
}
"""What else there is to say of a heuristic, or of a family."""

LETTERS: Final = {
    "p": "the player that is scored",
    "o": "its opponent",
    "x": "p or o",
    "L(x)": "the legal moves of x, whoever is to move (all blank cells before x is placed); |L(x)|: how many",
    "loc(x)": "the cell of x; a term that needs it counts 0 before x is placed",
    "row, column": "those of a cell, counted from 0; of a player who is not placed the term counts 0",
    "H, W": "height and width of the board",
    "q": "the blank cells over all cells",
    "Σ": "the sum of",
}
"""What a letter of a formula stands for."""
ENDINGS: Final = {
    "T": "-inf where p is to move and cannot, inf where o is to move and cannot, else the formula",
    "S": "inf where o has no move, else -inf where p has none, whoever's turn it is, else the formula",
    None: "the formula alone, at the end of a game too",
}
"""The value when the game is over."""


@dataclass(frozen=True)
class WorkedExample:
    """The value of a heuristic in one position, and how it comes about."""

    heuristic: str
    position: str
    """In the notation of `Board.to_text`."""
    drawing: str
    values: Mapping[str, float]
    """The engine's values, by player."""
    working: Mapping[str, Sequence[Step | str]]
    """The twin's working, by player: steps, and the conditions between them."""

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

    >>> (example,) = worked_examples(heuristics.improved)
    >>> print(example.drawing)
           0    1    2    3    4
    0 |    |  - |    |  a |    |
    1 |  a |  b |    |    |  a |
    2 |    |    | P1 |    |    |
    3 | P2 |    |    |    |  a |
    4 |    |  a |  b |  a |    |
    P1, P2: the players; -: blocked; a, b: moves of player 1, of player 2
    >>> print(*example.working["player 1"])
    |L(p)| - |L(o)| = 6 - 2 = 4
    """
    base, family = str(heuristic.base), family_of(heuristic).name
    examples = []
    for position in POSITIONS.get(base, POSITIONS.get(family, (POSITION,))):
        board = Board.from_text(position)
        with seeded_random(0):  # the order of moves is drawn, and the terms follow it
            twin = reference.Board.from_text(position)
        try:
            values = {player: evaluate(board, heuristic, player, nodes=MOST_WALKED) for player in PLAYERS}
        except WalkTooLongError:
            continue
        working = {player: working_of(base, dict(heuristic.parameters), twin, player) for player in PLAYERS}
        drawing = draw(family, base, twin, " ".join(map(str, working[PLAYERS[0]])))
        examples.append(WorkedExample(heuristic.name, position, drawing, values, working))
    return examples


def note_of(heuristic: Heuristic) -> str | None:
    """What else there is to say of a heuristic and its example.

    >>> note_of(heuristics.lookahead_ratio)
    'It is always the side to move that steps to the cell, whoever is scored.'
    """
    return NOTES.get(heuristic.name, NOTES.get(family_of(heuristic).name))


def family_of(heuristic: Heuristic) -> Family:
    """The family of a registered heuristic or a variant of one.

    >>> family_of(heuristics.bfs).name
    'floods'
    """
    return next(family for family in FAMILIES if heuristic.base in family.twins)


def letters_of(formula: str) -> dict[str, str]:
    """The letters and the names of other heuristics in a formula, each with what it stands for.

    >>> list(letters_of("|L(p)| - |L(o)|"))
    ['p', 'o', 'L(x)']
    >>> letters_of("q · mobility_difference + space_difference")["mobility_difference"]
    "that heuristic: the player's moves less the opponent's, at the end of a game too"
    """
    words = set(re.findall(r"\w+", formula))
    found = {}
    for letter, meaning in LETTERS.items():
        calls = letter.endswith("(x)") and f"{letter.removesuffix('x)')}" in formula
        if calls or words & set(letter.split(", ")) or letter == "Σ" in formula:
            found[letter] = meaning
    others = [heuristics.get(name) for name in heuristics.names() if name in words]
    return found | {each.name: f"that heuristic: {each.summary}" for each in others}


def ending_in_words(heuristic: Heuristic) -> str:
    """The value of a heuristic at the end of a game, with the letter of that ending.

    >>> ending_in_words(heuristics.aggressive)
    'the formula alone, at the end of a game too (–)'
    """
    return f"{ENDINGS[heuristic.ending]} ({heuristic.ending or '–'})"


def cost_in_words(heuristic: Heuristic) -> str:
    """The cost of a node with a heuristic, by the table of the package.

    >>> cost_in_words(heuristics.aggressive.variant(factor=1.5)).rpartition(", ")[2]
    'counted with aggressive'
    """
    cost = of(heuristic)
    words = f"{cost.value:.4g}"
    if cost.bands is not None:
        stages = (f"{value:.4g} at {band_in_words(band)}" for band, value in enumerate(cost.bands))
        words += f" ({', '.join(stages)})"
    if heuristic.name != heuristic.base:
        words += f", counted with {heuristic.base}"
    if heuristic.walks and not heuristic.parameters:
        words += "; but each position that it walks is a node too, so a budget may end before depth 1"
    return words


def source_in_words(heuristic: Heuristic) -> str:
    """Where a heuristic is from, and its name there.

    >>> [source_in_words(each) for each in (heuristics.aggressive, heuristics.bfs, heuristics.improved)]
    ['report E, AB_Custom', 'report C', 'the course']
    """
    if heuristic.report is None:
        return "the course"
    return f"report {heuristic.report}" + (f", {heuristic.label}" if heuristic.label else "")

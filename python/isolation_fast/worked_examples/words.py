"""What the letters of the formulas mean, how games end, and what a heuristic costs, in words."""

from __future__ import annotations

import re
from typing import Final

from isolation_fast import heuristics
from isolation_fast._native import Heuristic
from isolation_fast.cost import of
from isolation_fast.cost.definition import band_in_words

__all__ = ["ENDINGS", "LETTERS", "cost_in_words", "ending_in_words", "letters_of", "source_in_words"]

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

_SEEN_AS: Final = {
    "p": r"\bp\b",
    "o": r"\bo\b",
    "x": r"\bx\b",
    "L(x)": r"\bL\(",
    "loc(x)": r"\bloc\(",
    "row, column": r"\brow\b|\bcolumn\b",
    "H, W": r"\b[HW]\b",
    "q": r"\bq\b",
    "Σ": "Σ",
}

ENDINGS: Final = {
    "T": "-inf where p is to move and cannot, inf where o is to move and cannot, else the formula",
    "S": "inf where o has no move, else -inf where p has none, whoever's turn it is, else the formula",
    None: "the formula alone, at the end of a game too",
}
"""What becomes of a formula when the game is over."""


_WALKED: Final = "each position that it walks is a node too, so a budget may end before depth 1"


def letters_of(formula: str) -> dict[str, str]:
    """The letters and the names of other heuristics in a formula, each with what it stands for.

    >>> list(letters_of("|L(p)| - |L(o)|"))
    ['p', 'o', 'L(x)']
    >>> letters_of("q · mobility_difference + space_difference")["mobility_difference"]
    "that heuristic: the player's moves less the opponent's, at the end of a game too"
    """
    found = {letter: LETTERS[letter] for letter, sign in _SEEN_AS.items() if re.search(sign, formula)}
    words = re.findall(r"\w+", formula)
    for name in heuristics.names():
        if name in words:
            found[name] = f"that heuristic: {heuristics.get(name).summary}"
    return found


def ending_in_words(heuristic: Heuristic) -> str:
    """What becomes of a heuristic at the end of a game, with the letter of that ending.

    >>> ending_in_words(heuristics.aggressive)
    'the formula alone, at the end of a game too (–)'
    """
    return f"{ENDINGS[heuristic.ending]} ({heuristic.ending or '–'})"


def cost_in_words(heuristic: Heuristic) -> str:
    """What a node costs with a heuristic, by the table of the package.

    >>> cost_in_words(heuristics.improved)
    '1'
    >>> cost_in_words(heuristics.aggressive.variant(factor=1.5)).partition(", ")[2]
    'measured with aggressive'
    """
    cost = of(heuristic)
    words = f"{cost.value:.4g}"
    if cost.bands is not None:
        stages = (f"{value:.4g} at {band_in_words(band)}" for band, value in enumerate(cost.bands))
        words += f" ({', '.join(stages)})"
    if heuristic.name != heuristic.base:
        words += f", measured with {heuristic.base}"
    return words + (f"; but {_WALKED}" if heuristic.walks and not heuristic.parameters else "")


def source_in_words(heuristic: Heuristic) -> str:
    """Where a heuristic is from, and what it is called there.

    >>> source_in_words(heuristics.aggressive), source_in_words(heuristics.bfs)
    ('report E, AB_Custom', 'report C')
    >>> source_in_words(heuristics.improved)
    'the course'
    """
    if heuristic.report is None:
        return "the course"
    return f"report {heuristic.report}" + (f", {heuristic.label}" if heuristic.label else "")

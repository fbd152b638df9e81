"""Worked examples of the native heuristics: a drawn board, the figures filled in, and the values.

The values are the engine's. The working is that of the twin in `isolation_fast.reference`, as it runs.
"""

from isolation_fast.reference.heuristics import FAMILIES, Family
from isolation_fast.worked_examples.examples import (
    ENDINGS,
    LETTERS,
    WorkedExample,
    cost_in_words,
    ending_in_words,
    family_of,
    letters_of,
    note_of,
    source_in_words,
    worked_examples,
)
from isolation_fast.worked_examples.working import Step, shown

__all__ = [
    "ENDINGS",
    "FAMILIES",
    "LETTERS",
    "Family",
    "Step",
    "WorkedExample",
    "cost_in_words",
    "ending_in_words",
    "family_of",
    "letters_of",
    "note_of",
    "shown",
    "source_in_words",
    "worked_examples",
]

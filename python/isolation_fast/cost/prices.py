"""What is paid for work that is counted: the price list of the engine, and the costs that it foretells.

Prices are whole nanoseconds of a reference machine. The list stands in the engine, in `program/prices.rs`.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import Final

from isolation_fast._native import PRICES
from isolation_fast.cost.definition import Cost, are_even

PRICES_VERSION: Final[int] = PRICES["version"]
"""The version of the price list by which work is counted."""
NODE: Final[int] = PRICES["node"]
"""What a node of a search costs without its heuristic, in nanoseconds of the reference machine."""
WITH_IMPROVED: Final[tuple[int, ...]] = tuple(PRICES["with improved"])
"""What a node with `improved` takes there, by bands: as much as a unit of work buys."""
OF_INSTRUCTIONS: Final[dict[str, int]] = PRICES["instructions"]
"""What each instruction of a program costs, but for what depends on the size of what it works on."""
GROWING: Final[frozenset[str]] = frozenset(PRICES["growing"])
"""The instructions that cost more by the size of what they work on."""
OF_SIZES: Final[dict[str, int]] = PRICES["sizes"]
"""What each element of a list or set, each move of an answer, and so on, costs besides."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What searches with a compiled heuristic came to in each band of blank cells."""

    nodes: tuple[int, ...]
    fuel: tuple[int, ...]
    """What the values of its program cost, in nanoseconds as `PRICES` has them."""


def counted(counts: Counts) -> Cost:
    """The cost that counts foretell: the same on every machine.

    >>> counted(Counts((1_000,) * 5, tuple(1_000 * (each - NODE) for each in WITH_IMPROVED)))
    Cost(1.0)
    """
    exact = (
        (NODE + fuel / nodes) / improved
        for nodes, fuel, improved in zip(counts.nodes, counts.fuel, WITH_IMPROVED, strict=True)
    )
    # As many digits as measured costs have.
    bands = tuple(float(f"{each:.4g}") for each in exact)
    return Cost(float(f"{fmean(bands):.4g}"), None if are_even(bands) else bands)

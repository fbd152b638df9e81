"""What is paid for work that is counted: the price list of the engine.

Prices are whole nanoseconds of a reference machine. The list stands in the engine, in `program/prices.rs`.
"""

from __future__ import annotations

from typing import Final

from isolation_fast._native import PRICES

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

"""What is asked of each heuristic: by how much it must be better, and how often the answer may be wrong."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.statistics import BlockTest

__all__ = ["Question"]

FEWEST_BLOCKS = 10
"""A test does not decide on fewer."""
MOST_BLOCKS = 1_000_000
FEWEST_POINTS = 0.1
"""Fewer than the baseline is known to, and not to be told apart by anybody's games."""


@dataclass(frozen=True, slots=True)
class Question:
    """Whether a heuristic is better than the baseline by so many points.

    >>> Question()
    Question(points=5.0, alpha=0.05, beta=0.1, blocks=120)
    >>> Question().alpha_of_each(3)
    0.016666666666666666
    >>> Question(points=0)
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: points must be at least 0.1 and below 100, not 0
    """

    points: float = 5.0
    """What is to be recognised: so many points of a hundred above the baseline's rate."""
    alpha: float = 0.05
    """How often, at most, any heuristic of a submission may be called better when none is."""
    beta: float = 0.1
    """How often a heuristic that is better by so many points may be called not better."""
    blocks: int = 120
    """After so many blocks without a decision it is undecided."""

    def __post_init__(self) -> None:
        if not FEWEST_POINTS <= self.points < 100:
            raise InvalidArgumentError(
                f"points must be at least {FEWEST_POINTS} and below 100, not {self.points!r}"
            )
        BlockTest(0.4, 0.6, alpha=self.alpha, beta=self.beta)  # says what is wrong with them
        if not isinstance(self.blocks, int) or not FEWEST_BLOCKS <= self.blocks <= MOST_BLOCKS:
            raise InvalidArgumentError(
                f"blocks must be an integer from {FEWEST_BLOCKS} to {MOST_BLOCKS:,}, not {self.blocks!r:.30}"
            )

    def alpha_of_each(self, heuristics: int) -> float:
        """What each of so many tests may have, so that all together keep `alpha`."""
        return self.alpha / heuristics

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        return asdict(self)

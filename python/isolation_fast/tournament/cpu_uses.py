"""What searches with a jailed heuristic take while it plays, and whether that is what was measured.

A heuristic may be quick while its cost is measured, and slow when it plays. So its referee adds up the CPU
time of its process and what was asked of boards, chunk by chunk, beside the nodes of our searches with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, TypeAlias

from isolation_fast._native import Board
from isolation_fast.cost.definition import BANDS, Cost, band_of

__all__ = ["CpuUse", "ObservedCost", "observed_cost"]

TOLERATED: Final = 1.5
"""As `jailed.measuring` has it: what is measured twice on a busy machine lies that far apart."""

TURN_SECONDS: Final = 0.0002
"""CPU time of a turn without its nodes: the request is read, the board made, the answer written."""

PerCall: TypeAlias = Sequence[float]
"""Seconds for a node, by bands of blank cells: CPU time, with what is asked of boards (`weighed_seconds`)."""


@dataclass(slots=True)
class CpuUse:
    """What a player's searches took in a chunk.

    >>> use = CpuUse()
    >>> use.add(Board(), nodes=2000, seconds=0.0042)
    >>> use.nodes
    [0, 0, 0, 0, 2000]
    >>> round(use.over([1e-6] * 5), 3)
    2.0
    """

    turns: int = 0
    nodes: list[int] = field(default_factory=lambda: [0] * len(BANDS))
    """By bands of blank cells."""
    seconds: float = 0.0
    """CPU time of its process, with what its heuristic asked of boards."""

    def add(self, board: Board, nodes: int, seconds: float) -> None:
        """A search of this board took that."""
        self.turns += 1
        self.nodes[band_of(len(board.get_blank_spaces()), board.width * board.height)] += nodes
        self.seconds += seconds

    def over(self, per_call: PerCall) -> float | None:
        """So many times what was measured it took; None where it did not search."""
        expected = sum(nodes * seconds for nodes, seconds in zip(self.nodes, per_call, strict=True))
        return (self.seconds - self.turns * TURN_SECONDS) / expected if expected else None

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ObservedCost:
    """A heuristic that took longer when it played than when it was measured.

    >>> print(ObservedCost("mine", Cost(2.0), 3.0, chunks=4, of=5))
    mine took 3.0 times the CPU time per call that was measured, in 4 of 5 chunks: observed cost 6, not 2
    """

    name: str
    measured: Cost
    ratio: float
    """So many times as long did a call take, in the chunks in which that was too long."""
    chunks: int
    of: int

    @property
    def cost(self) -> float:
        """What a node costs at that: the cost times the ratio."""
        return self.measured.value * self.ratio

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "name": self.name,
            "measured": self.measured.to_dict(),
            "observed_cost": self.cost,
            "ratio": self.ratio,
            "chunks": self.chunks,
            "of": self.of,
        }

    def __str__(self) -> str:
        costs = f"observed cost {self.cost:.3g}, not {self.measured.value:.3g}"
        return (
            f"{self.name} took {self.ratio:.1f} times the CPU time per call that was measured, "
            f"in {self.chunks} of {self.of} chunks: {costs}"
        )


def observed_cost(name: str, cost: Cost, per_call: PerCall, uses: Iterable[CpuUse]) -> ObservedCost | None:
    """What the chunks of a player come to: None where each took what was measured, or little more.

    >>> quick, slow = CpuUse(10, [2000] * 5, 0.012), CpuUse(10, [2000] * 5, 0.042)
    >>> observed_cost("mine", Cost(2.0), [1e-6] * 5, [quick]) is None
    True
    >>> observed_cost("mine", Cost(2.0), [1e-6] * 5, [quick, slow]).ratio
    4.0
    """
    ratios = [ratio for use in uses if (ratio := use.over(per_call)) is not None]
    over = [ratio for ratio in ratios if ratio > TOLERATED]
    if not over:
        return None
    return ObservedCost(name, cost, max(over), len(over), len(ratios))

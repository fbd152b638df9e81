"""The cost that a heuristic plays at, and whether play shows another one.

A heuristic may be quick while its cost is measured, and slow in games. So the referee of a jailed heuristic
adds up, chunk by chunk, the nodes of our searches with it, the CPU time of its process, and what it asked of
boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from isolation_fast._native import Board
from isolation_fast.cost import BANDS, TOLERANCE, Cost, band_of, checked_cost, settled

TURN_SECONDS: Final = 0.0002
"""CPU time of a turn without its nodes: the request is read, the board made, the answer written."""

CERTAIN_SHARE: Final = 0.25
CERTAIN_RATIO: Final = 3.0
"""On a busy machine an honest chunk takes half as long again now and then. So a higher cost is certain if a
quarter of the chunks exceed the tolerance, or one of them takes three times as long as measured."""

QUICK_THERE: Final = "quick on the board it is measured on alone: its cost is that of its calls in games"
"""The words for a heuristic whose measured cost is not consistent."""

CostSource: TypeAlias = Literal["given", "stored", "measured", "observed"]
PerCall: TypeAlias = Sequence[float]
"""Seconds for a node, by bands of blank cells: CPU time, with what is asked of boards (`weighed_seconds`)."""


@dataclass(frozen=True, slots=True)
class MeasuredCost:
    """A cost as it was measured in the jail, and the seconds for a node of the native search, by bands.

    Nearly every node there is one call of the heuristic. The seconds are CPU time, and what the call asked of
    boards (`weighed_seconds`). In the `quick_bands` the heuristic was quick on the reference board alone: by
    what its calls took and asked on the native board, they must take more than 1.5 times as long. The cost of
    such a band is that of a node without a heuristic and of one such call.
    """

    cost: Cost
    cpu_per_call: tuple[float, ...]
    quick_bands: tuple[int, ...] = ()

    @property
    def is_consistent(self) -> bool:
        """Whether both boards show the same cost."""
        return not self.quick_bands


@dataclass(frozen=True, slots=True)
class CostInPlay:
    """The cost that budgets of a heuristic are divided by, and where it is from."""

    cost: Cost
    source: CostSource
    measured: MeasuredCost | None = None
    """What the referee compares play with; None if nothing is known of that."""
    raw: float | None = None
    """The cost as it was measured this time, before it was rounded."""


def cost_in_play(
    measure: Callable[[], MeasuredCost | None],
    *,
    given: Cost | float | None = None,
    stored: CostInPlay | None = None,
    again: bool = False,
) -> CostInPlay | None:
    """The cost that a heuristic plays at: the given one as it is, else the stored one, else one measured now.

    A measured cost is rounded to steps. `again` measures although a cost is stored, which keeps its steps
    unless the new cost is clearly outside. None if `measure` finds a player, which has no cost.

    >>> measured = MeasuredCost(Cost(2.1), (1e-6,) * 5)
    >>> cost_in_play(lambda: measured).cost, cost_in_play(lambda: measured, given=2.1).cost
    (Cost(1.953), Cost(2.1))
    """
    if given is not None:
        return CostInPlay(checked_cost(given), "given", stored.measured if stored else None)
    if stored is not None and not again:
        return stored
    measured = measure()
    if measured is None:
        return None
    cost = settled(measured.cost, stored.cost if stored else None)
    return CostInPlay(cost, "measured", measured, measured.cost.value)


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
        """Add a search of this board."""
        self.turns += 1
        self.nodes[band_of(len(board.get_blank_spaces()), board.width * board.height)] += nodes
        self.seconds += seconds

    def over(self, per_call: PerCall) -> float | None:
        """The ratio of what it took to what was measured; None if it did not search."""
        expected = sum(nodes * seconds for nodes, seconds in zip(self.nodes, per_call, strict=True))
        return (self.seconds - self.turns * TURN_SECONDS) / expected if expected else None


@dataclass(frozen=True, slots=True)
class ObservedCost:
    """A heuristic that took longer in play than when its cost was measured.

    >>> print(ObservedCost("mine", Cost(2.0), 3.0, chunks=4, of=5))
    mine took 3.0 times the CPU time per call that was measured, in 4 of 5 chunks: observed cost 6, not 2
    """

    name: str
    measured: Cost
    ratio: float
    """How many times as long as measured a call took, at most."""
    chunks: int
    """The chunks in which calls took too long."""
    of: int

    @property
    def cost(self) -> float:
        """The measured cost times the ratio."""
        return self.measured.value * self.ratio

    @property
    def is_certain(self) -> bool:
        """Whether the heuristic took longer, and not the machine for a moment."""
        return self.chunks >= CERTAIN_SHARE * self.of or self.ratio >= CERTAIN_RATIO

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
    """What the chunks of a player show; None if none took more than the tolerance above what was measured.

    >>> quick, slow = CpuUse(10, [2000] * 5, 0.012), CpuUse(10, [2000] * 5, 0.042)
    >>> observed_cost("mine", Cost(2.0), [1e-6] * 5, [quick]) is None
    True
    >>> observed_cost("mine", Cost(2.0), [1e-6] * 5, [quick, slow]).ratio
    4.0
    """
    ratios = [ratio for use in uses if (ratio := use.over(per_call)) is not None]
    over = [ratio for ratio in ratios if ratio > TOLERANCE]
    if not over:
        return None
    return ObservedCost(name, cost, max(over), len(over), len(ratios))

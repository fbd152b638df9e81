"""How long a tournament took: apart from its result, which is the same on every machine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from isolation_fast.tournament.cpu_uses import ObservedCost
from isolation_fast.tournament.outcomes import NOT_PLAYED, ChunkResult

__all__ = ["Timings"]


@dataclass(frozen=True, slots=True)
class Timings:
    """Figures of one run; another run of the same plan has others.

    >>> chunk = ChunkResult(0, 0, 0, bytes([1, 0]), nodes=(600, 400), cpu_seconds=0.5)
    >>> timings = Timings.of([chunk], seconds=0.4)
    >>> print(timings)
    2 games in 0.4 s: 5 games/s, 2,000 nodes/s of processor time
    """

    seconds: float
    """From the beginning to the end of the run."""
    cpu_seconds: float
    """Processor time of all workers together."""
    games: int
    """Games that were played, also those that do not count."""
    nodes: int
    """Positions that all players searched in them."""
    observed_costs: tuple[ObservedCost, ...] = ()
    """Heuristics that took longer in the jail when they played than when their cost was measured."""

    @classmethod
    def of(
        cls, results: Iterable[ChunkResult], seconds: float, observed: tuple[ObservedCost, ...] = ()
    ) -> Timings:
        """The timings of a run that took so long and played these chunks."""
        cpu_seconds, games, nodes = 0.0, 0, 0
        for each in results:
            cpu_seconds += each.cpu_seconds
            games += len(each.outcomes) - each.outcomes.count(NOT_PLAYED)
            nodes += sum(each.nodes)
        return cls(seconds, cpu_seconds, games, nodes, observed)

    @property
    def games_per_second(self) -> float | None:
        """None where no time had passed."""
        return self.games / self.seconds if self.seconds else None

    @property
    def nodes_per_cpu_second(self) -> float | None:
        """None where no processor time was measured."""
        return self.nodes / self.cpu_seconds if self.cpu_seconds else None

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it."""
        rates = ("games_per_second", "nodes_per_cpu_second")
        observed = [each.to_dict() for each in self.observed_costs]
        return {**asdict(self), "observed_costs": observed, **{name: getattr(self, name) for name in rates}}

    def __str__(self) -> str:
        told = f"{self.games:,} games in {self.seconds:.1f} s"
        if self.games_per_second is not None:
            told += f": {self.games_per_second:,.0f} games/s"
        if self.nodes_per_cpu_second is not None:
            told += f", {self.nodes_per_cpu_second:,.0f} nodes/s of processor time"
        return told

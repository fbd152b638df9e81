"""How long grading took: apart from the report, which is the same on every run."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from isolation_grader.findings import MemberTimings

__all__ = ["GradingTimings", "MemberGrading"]


@dataclass(frozen=True, slots=True)
class MemberGrading:
    """What a heuristic took."""

    name: str
    measuring: float = 0.0
    """Seconds by the wall clock in which its cost was measured."""
    playing: float = 0.0
    """Seconds by the wall clock in which its games were played."""
    moves: MemberTimings | None = None
    """Processor time of its moves; None where it made none in the jail."""
    flag: str | None = None
    """What the referee saw: that it was quick where its cost is measured, or took more in play than that."""
    measured: float | None = None
    """The cost as it was measured, before it was rounded to a step."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        return {**asdict(self), "moves": None if self.moves is None else self.moves.to_dict()}


@dataclass(frozen=True, slots=True)
class GradingTimings:
    """Seconds by the wall clock; another run has others."""

    seconds: float = 0.0
    """All together."""
    loading: float = 0.0
    baseline: float = 0.0
    """Nearly nothing where it was known already."""
    members: tuple[MemberGrading, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        return {**asdict(self), "members": [each.to_dict() for each in self.members]}

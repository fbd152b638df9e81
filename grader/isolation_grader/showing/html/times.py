"""Where the time went: parts of the wall clock's, and the processor's of a move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from isolation_grader.showing.html.charts import share
from isolation_grader.showing.html.words import NOTHING, seconds
from isolation_grader.timings import GradingTimings, MemberGrading

__all__ = ["MoveTime", "Part", "TimeView", "time_view"]


@dataclass(frozen=True)
class Part:
    """What took so long."""

    name: str
    seconds: str
    share: float
    """Of the longest part, from 0 to 100."""


@dataclass(frozen=True)
class MoveTime:
    """The moves of a heuristic."""

    name: str
    moves: str
    each: str
    longest: str
    measured: str
    flag: str | None


@dataclass(frozen=True)
class TimeView:
    """Both tables."""

    total: str
    parts: tuple[Part, ...]
    moves: tuple[MoveTime, ...]


def time_view(timings: GradingTimings) -> TimeView:
    """What the page shows of the timings."""
    parts = list(_parts(timings))
    longest = max(took for _, took in parts)
    return TimeView(
        total=seconds(timings.seconds),
        parts=tuple(Part(name, seconds(took), share(took, longest)) for name, took in parts),
        moves=tuple(map(_moves, timings.members)),
    )


def _parts(timings: GradingTimings) -> Iterator[tuple[str, float]]:
    yield "loading the submission", timings.loading
    yield "measuring the baseline", timings.baseline
    for each in timings.members:
        if each.measuring:
            yield f"{each.name}: measuring its cost", each.measuring
        yield f"{each.name}: playing", each.playing


def _moves(member: MemberGrading) -> MoveTime:
    moves = member.moves
    a_move = moves.cpu_seconds_a_move if moves else None
    return MoveTime(
        name=member.name,
        moves=f"{moves.moves:,}" if moves else NOTHING,
        each=_milliseconds(a_move),
        longest=_milliseconds(moves.longest if moves else None),
        measured=NOTHING if member.measured is None else f"{member.measured:.3g}",
        flag=member.flag,
    )


def _milliseconds(number: float | None) -> str:
    return NOTHING if number is None else f"{1000 * number:.3g} ms"

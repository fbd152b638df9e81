"""What a heuristic of a submission costs, measured in the jail and by its referee's clock.

Two processes take turns. One never loads the submission: there the yardstick is measured, which a submission
would slow down if it could. The other asks the heuristic in the plain search on the reference board, which is
what a cost is. It also asks it in the native search that plays games, by the same frames as in a game, so
that the submission cannot tell one from the other. CPU time is read from outside. A machine that is busy for
a moment looks like a heuristic that is quick on one board alone, so such a band is measured again.

A submission can tell the boards apart, and answer at once on the reference board. So the engine counts what a
heuristic asks of boards in a native search, out of Python's reach, in the time that it takes on the reference
board. With the heuristic's own time that is what a call must take there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final, TypeAlias

from isolation_fast.budgets import Budget
from isolation_fast.cost import BANDS, NODES, ROUNDS, TOLERANCE, node_alone
from isolation_fast.endings import Fault
from isolation_fast.exceptions import WorkerError
from isolation_fast.jail.pool import Pool
from isolation_fast.jail.process import Assignment, JailedProcess, Limits, weighed_seconds
from isolation_fast.measuring import MeasuredCost, Sample, Timing, from_samples, positions
from isolation_fast.measuring.nodes import band_of_text, in_rounds
from isolation_fast.process import Output
from isolation_fast.searching import seed_bits

SECONDS: Final = 60.0
"""CPU time that a measurement may take. With `improved` it takes a few seconds."""

NATIVE_SECONDS: Final = 0.06
FEWEST_NATIVE: Final = 100
MOST_NATIVE: Final = 4
"""The native search has as many nodes as the reference board has in that time, from a hundred to four times
as many as there: more quick calls are timed, and slow calls are not timed for longer."""

NOISE: Final = 1.25
"""A call is what is left of a node without the search. So a node too must take this many times as long."""

TRIES: Final = 3
"""How often a band that looks quick is measured, each time on other positions."""

Triple: TypeAlias = tuple[str, str, str]
"""Three positions of one band, one for each search: on the reference board, timed and counted natively."""


def measure_cost(
    assignment: Assignment,
    limits: Limits | None = None,
    *,
    pool: Pool | None = None,
    rounds: int | None = None,
    nodes: int = NODES,
    seed: int = 0,
    seconds: float = SECONDS,
    progress: Callable[[int, int], object] | None = None,
    interrupted: Callable[[], bool] | None = None,
    on_output: Callable[[Output], object] | None = None,
) -> MeasuredCost | None:
    """Measure what a node costs with a heuristic of a submission; None if its member is a player.

    Without `rounds` there are 15, or fewer if they take long. A heuristic that cannot
    be loaded or measured, or takes longer than `seconds` of CPU time, raises a `Fault`. `progress(done, of)`
    is called after each position, and `of` grows when bands are measured again. `on_output` is called with
    what the submission has printed.
    """
    limits, seed = limits or Limits(), seed_bits(seed)
    with ExitStack() as stack:
        yardstick, own = (
            stack.enter_context(JailedProcess.start(assignment, limits, pool=pool, interrupted=interrupted))
            for _ in range(2)
        )
        if on_output is not None:
            stack.callback(lambda: on_output(own.output))
        if own.load(stream=seed).member_is != "heuristic":
            return None
        measuring = _Measuring(yardstick, own, nodes, seed, own.cpu_seconds + seconds)
        return by_bands(measuring.at, seed, rounds, progress)


@dataclass(frozen=True, slots=True)
class Found(Sample):
    """What was found at one triple: on the reference board, and on the native one."""

    native: Timing
    asked: float = 0.0
    """What a call asks of boards in a native search, in nodes with `improved` on the reference board."""


@dataclass(frozen=True, slots=True)
class _Measuring:
    yardstick: JailedProcess
    own: JailedProcess
    nodes: int
    seed: int
    until: float
    """The CPU time at which the submission's process must have finished."""

    def at(self, number: int, triple: Triple) -> Found:
        """Both boards, at the positions of a triple."""
        text, timed, counted = triple
        improved = self._improved(text)
        heuristic = self.own.measure(text, self.nodes, self.seed, self._left())
        wanted = int(NATIVE_SECONDS * heuristic.nodes / heuristic.seconds)
        native, _ = self._native(timed, min(max(wanted, FEWEST_NATIVE), MOST_NATIVE * self.nodes))
        # With more nodes a search goes deeper, where there is less to be asked.
        same, asked = self._native(counted, heuristic.nodes)
        return Found(number, band_of_text(text), improved, heuristic, native, asked / same.nodes)

    def _native(self, text: str, nodes: int) -> tuple[Timing, float]:
        self.own.begin_game(text, self.seed, self.seed, 0 if text.endswith("1") else 1)
        answer = self.own.search([], text, Budget(nodes=nodes), cpu_limit=self._left())
        report = answer.report
        if report is None or not 1 <= report.nodes <= nodes:
            raise Fault("protocol broken", "what it reports is no search of ours")
        return Timing(report.nodes, answer.cpu_seconds), answer.asked

    def _improved(self, text: str) -> Timing:
        try:
            return self.yardstick.measure(text, self.nodes, self.seed, SECONDS)
        except Fault as fault:
            raise WorkerError(f"the yardstick could not be measured: {fault.detail}") from fault

    def _left(self) -> float:
        left = self.until - self.own.cpu_seconds
        if left <= 0:
            raise Fault("timeout", "measuring it takes too much CPU time", by_clock=True)
        return left


def by_bands(
    at: Callable[[int, Triple], Found],
    seed: int,
    rounds: int | None,
    progress: Callable[[int, int], object] | None = None,
) -> MeasuredCost:
    """What `at(round, triple)` finds; bands where it looks quick are measured again, on other positions.

    The last measurement of each band counts, which is the first consistent one, if any is.
    """
    bands: dict[int, _Band] = {}
    wanted: Collection[int] = range(len(BANDS))
    done, count = 0, rounds or ROUNDS
    for again in range(TRIES):
        found = in_rounds(
            _triples(seed, count, again, wanted),
            at,
            ends_early=rounds is None and not again,
            progress=progress,
            before=done,
        )
        done, count = done + len(found), found[-1].round + 1
        bands |= {band: _Band(band, [each for each in found if each.band == band]) for band in wanted}
        wanted = [band for band in wanted if bands[band].is_quick]
        if not wanted:
            break
    listed = [bands[band] for band in range(len(BANDS))]
    return MeasuredCost(
        from_samples(sample for band in listed for sample in band.samples()),
        tuple(band.weighed for band in listed),
        tuple(wanted),
    )


def _triples(seed: int, rounds: int, again: int, bands: Collection[int]) -> list[list[Triple]]:
    """The triples of each round in those bands, without any position of an earlier measurement.

    So a heuristic that remembers positions has seen none of them.
    """
    texts = positions(seed, 3 * rounds * (again + 1))[3 * rounds * again :]
    return [
        [
            each
            for each in zip(*texts[3 * number : 3 * number + 3], strict=True)
            if band_of_text(each[0]) in bands
        ]
        for number in range(rounds)
    ]


@dataclass(frozen=True, slots=True)
class _Band:
    number: int
    found: Sequence[Found]

    @property
    def per_call(self) -> float:
        return _per_node(each.native for each in self.found)

    @property
    def asked(self) -> float:
        return fmean(each.asked for each in self.found)

    @property
    def weighed(self) -> float:
        return weighed_seconds(self.per_call, self.asked)

    @property
    def is_quick(self) -> bool:
        """Whether it took less on the reference board than it can, by what it does in the native searches.

        All positions count together: from one position to another a call's time differs by some times.
        """
        improved = _per_node(each.improved for each in self.found)
        on_reference = _per_node(each.heuristic for each in self.found)
        node, call = self._node_and_call(improved)
        return call > TOLERANCE * (on_reference - node) and node + call > NOISE * on_reference

    def samples(self) -> Sequence[Sample]:
        """The samples of the cost: where the heuristic is quick, with what a node must take there."""
        if not self.is_quick:
            return self.found
        return [replace(each, heuristic=self._least(each)) for each in self.found]

    def _least(self, found: Found) -> Timing:
        node, call = self._node_and_call(_per_node([found.improved]))
        return Timing(found.native.nodes, found.native.nodes * (node + call))

    def _node_and_call(self, improved: float) -> tuple[float, float]:
        """What a node and a call take on the reference board, by what a node with `improved` takes there."""
        return node_alone().by_band[self.number] * improved, self.per_call + self.asked * improved


def _per_node(timings: Iterable[Timing]) -> float:
    listed = list(timings)
    return sum(each.seconds for each in listed) / sum(each.nodes for each in listed)

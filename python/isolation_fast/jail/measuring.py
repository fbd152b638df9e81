"""What a heuristic of a submission costs, measured in the jail and by its referee's clock.

Two processes take turns. In one of them nothing of the submission is ever loaded: there the yardstick is
measured, which a submission would slow down if it could. In the other one the heuristic is asked in the plain
search on the reference board, which is what a cost is; and in the native search that plays games, by the same
frames as in a game, so that nobody can tell the one from the other. CPU time is read from outside. A machine
that is busy for a moment looks like a heuristic that is quick on one board alone, so that is measured again.

A submission can tell the boards from each other, and answer at once on the one that is measured. So the
engine counts what a heuristic asks of boards in a native search, out of Python's reach, in the time that it
takes on the reference board. With the heuristic's own time that says what a call must take there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final

from isolation_fast.budgets import Budget
from isolation_fast.cost import BANDS, Cost
from isolation_fast.cost.table import node_alone
from isolation_fast.endings import Fault
from isolation_fast.exceptions import WorkerError
from isolation_fast.jail.answers import Assignment, Output, weighed_seconds
from isolation_fast.jail.limits import Limits
from isolation_fast.jail.pool import Pool
from isolation_fast.jail.process import JailedProcess
from isolation_fast.measuring import Sample, Timing, from_samples, positions
from isolation_fast.measuring.nodes import band_of_text
from isolation_fast.searching import seed_bits

__all__ = ["TOLERATED", "TRIES", "Found", "MeasuredCost", "by_bands", "measure_cost"]

NODES: Final = 500
"""A quarter of what a table is measured with: within some percent of that, but for the fullest boards."""

SECONDS: Final = 60.0
"""CPU time that a measurement may take. With `improved` it takes a second."""

NATIVE_SECONDS: Final = 0.06
FEWEST_NATIVE: Final = 100
MOST_NATIVE: Final = 4
"""The native search has as many nodes as the reference board has in that time, from a hundred to four times
as many as there: where calls are quick, more of them are timed, and slow ones are not timed for longer."""

TOLERATED: Final = 1.5
"""So many times as long may a call take elsewhere: two measurements on a busy machine lie that far apart."""

NOISE: Final = 1.25
"""And a node must take so many times as long, since a call is what is left of a node without the search."""

TRIES: Final = 3
"""And each time that the band is measured, on other positions: nobody is busy whenever it is."""


@dataclass(frozen=True, slots=True)
class MeasuredCost:
    """A cost, and by bands of blank cells the seconds for a node of the native search.

    Nearly every node there is one call of the heuristic. They are those of CPU time, and of what it asked of
    boards: `weighed_seconds`. `quick_bands` are those in which the heuristic was
    quick on the reference board alone: by what its calls took and asked of the native one, they must take
    more than 1.5 times as long there. The cost is then that of a node without a heuristic and of such a call.
    """

    cost: Cost
    cpu_per_call: tuple[float, ...]
    quick_bands: tuple[int, ...] = ()

    @property
    def is_consistent(self) -> bool:
        """Whether it took on both boards what it is to take."""
        return not self.quick_bands


def measure_cost(
    assignment: Assignment,
    limits: Limits | None = None,
    *,
    pool: Pool | None = None,
    rounds: int = 1,
    nodes: int = NODES,
    seed: int = 0,
    seconds: float = SECONDS,
    progress: Callable[[int, int], object] | None = None,
    interrupted: Callable[[], bool] | None = None,
    on_output: Callable[[Output], object] | None = None,
) -> MeasuredCost | None:
    """Measure what a node costs with a heuristic of a submission; None where its member is a player.

    A `Fault` where it cannot be loaded or measured, or takes longer than `seconds` of CPU time.
    `progress(done, of)` is called after each position, and `of` grows where bands are measured again.
    `on_output` is called with what the submission has printed.
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
class Found:
    """What was found in one band: on the reference board, and on the native one."""

    sample: Sample
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
    """How much CPU time the submission's process may have used then."""

    def at(self, number: int, text: str, timed: str, counted: str) -> Found:
        """Both boards, on positions of one band."""
        improved = self._improved(text)
        heuristic = self.own.measure(text, self.nodes, self.seed, self._left())
        wanted = int(NATIVE_SECONDS * heuristic.nodes / heuristic.seconds)
        native, _ = self._native(timed, min(max(wanted, FEWEST_NATIVE), MOST_NATIVE * self.nodes))
        # With more nodes a search goes deeper, where there is less to be asked.
        same, asked = self._native(counted, heuristic.nodes)
        return Found(Sample(number, band_of_text(text), improved, heuristic), native, asked / same.nodes)

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
    at: Callable[[int, str, str, str], Found],
    seed: int,
    rounds: int,
    progress: Callable[[int, int], object] | None = None,
) -> MeasuredCost:
    """What `at(round, three positions)` finds, again and on other ones in bands where it looks quick.

    Of each band the last time counts, which is the first consistent one, if any is.
    """
    bands: dict[int, _Band] = {}
    wanted: Collection[int] = range(len(BANDS))
    done = of = 0
    for again in range(TRIES):
        triples = _triples(seed, rounds, again, wanted)
        of += len(triples)
        found: dict[int, list[Found]] = defaultdict(list)
        for number, text, timed, counted in triples:
            found[band_of_text(text)].append(at(number, text, timed, counted))
            done += 1
            if progress is not None:
                progress(done, of)
        bands |= {band: _Band(band, found[band]) for band in wanted}
        wanted = [band for band in wanted if bands[band].is_quick]
        if not wanted:
            break
    listed = [bands[band] for band in range(len(BANDS))]
    return MeasuredCost(
        from_samples(sample for band in listed for sample in band.samples()),
        tuple(band.weighed for band in listed),
        tuple(wanted),
    )


def _triples(seed: int, rounds: int, again: int, bands: Collection[int]) -> list[tuple[int, str, str, str]]:
    """Rounds, and for each search a position of one of those bands: never one that was taken before.

    So a heuristic that remembers positions has seen none of them.
    """
    texts = positions(seed, 3 * rounds * (again + 1))[3 * rounds * again :]
    return [
        (number, *triple)
        for number in range(rounds)
        for triple in zip(*texts[3 * number : 3 * number + 3], strict=True)
        if band_of_text(triple[0]) in bands
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

        Of all positions together: what a call takes differs by some times from one to another.
        """
        improved = _per_node(each.sample.improved for each in self.found)
        on_reference = _per_node(each.sample.heuristic for each in self.found)
        node, call = self._node_and_call(improved)
        return call > TOLERATED * (on_reference - node) and node + call > NOISE * on_reference

    def samples(self) -> list[Sample]:
        """For the cost: where the heuristic is quick, of what a node must take on the reference board."""
        if not self.is_quick:
            return [each.sample for each in self.found]
        return [replace(each.sample, heuristic=self._least(each)) for each in self.found]

    def _least(self, found: Found) -> Timing:
        node, call = self._node_and_call(_per_node([found.sample.improved]))
        return Timing(found.native.nodes, found.native.nodes * (node + call))

    def _node_and_call(self, improved: float) -> tuple[float, float]:
        """What a node and a call take on the reference board, where a node with `improved` takes so long."""
        return _of_a_node(self.number) * improved, self.per_call + self.asked * improved


def _of_a_node(band: int) -> float:
    cost = node_alone()
    return cost.value if cost.bands is None else cost.bands[band]


def _per_node(timings: Iterable[Timing]) -> float:
    listed = list(timings)
    return sum(each.seconds for each in listed) / sum(each.nodes for each in listed)

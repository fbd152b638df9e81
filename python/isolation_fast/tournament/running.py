"""Running a plan to its end: who plays, what is kept, when it stops."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Any

from isolation_fast import _native
from isolation_fast.cost.definition import checked_cost
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.numbers import integer
from isolation_fast.tournament.cpu_uses import ObservedCost, observed_cost
from isolation_fast.tournament.executors import (
    OnUse,
    available_processors,
    executor_of,
    played_by,
    played_here,
    played_natively,
)
from isolation_fast.tournament.journal import Journal
from isolation_fast.tournament.outcomes import ChunkResult
from isolation_fast.tournament.plan import Chunk, Plan
from isolation_fast.tournament.python_chunks import refuse_in_a_script_run_again
from isolation_fast.tournament.record_files import RecordFile, is_same_file
from isolation_fast.tournament.results import TournamentResult, result_of
from isolation_fast.tournament.sequential import SequentialWatch, Sprt
from isolation_fast.tournament.tally import Tally
from isolation_fast.tournament.timings import Timings

__all__ = ["Progress", "Run", "run"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    games: int
    """Games played, those of a journal included."""
    planned_games: int


def run(
    plan: Plan,
    *,
    workers: int | None = None,
    executor: Any = None,
    journal: str | os.PathLike[str] | None = None,
    resume: bool = False,
    sprt: Sprt | None = None,
    records: str | os.PathLike[str] | None = None,
    progress: Callable[[Progress], object] | None = None,
    on_use: OnUse | None = None,
) -> TournamentResult:
    """Play a plan, and say what came of it.

    - `workers`: how many threads or processes play; by default one for each processor.
    - `executor`: any `concurrent.futures.Executor`, or a `dask.distributed.Client`, which then plays the
      chunks.
    - `journal`: a file to which finished chunks are added. A run that was interrupted goes on from there with
      `resume=True`, which begins where there is no such file yet.
    - `sprt`: a test that ends the run as soon as it has decided.
    - `records`: a file for the record of each game; the plan must have been made with `record=True`. A file
      that is there already is refused, unless a journal is resumed: then it is written again, as a whole.
    - `progress`: called after each chunk.
    - `on_use`: called with a chunk and what a submission used and printed in one of its processes, before the
      chunk's end is reported, and from the thread that watches over it; not where an executor plays.

    The result is the same for any workers, executor and interruption.
    """
    with Run(
        plan,
        workers=workers,
        executor=executor,
        journal=journal,
        resume=resume,
        sprt=sprt,
        records=records,
        on_use=on_use,
    ) as running:
        return running.play(progress)


class Run:
    """One run of a plan, which can be asked how far it is: for who wants more than `run` says.

    It has the arguments of `run`, and lets go of its files at the end of a `with` block.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        workers: int | None = None,
        executor: Any = None,
        journal: str | os.PathLike[str] | None = None,
        resume: bool = False,
        sprt: Sprt | None = None,
        records: str | os.PathLike[str] | None = None,
        on_use: OnUse | None = None,
    ) -> None:
        _native.require_free_engine("a tournament")
        refuse_in_a_script_run_again()
        _require_files(plan, journal, resume, records)
        if on_use is not None and executor is not None:
            raise InvalidArgumentError("on_use= is for chunks that are played here, and not by an executor=")
        if sprt is not None and not isinstance(sprt, Sprt):
            raise TypeError(f"sprt must be a test such as Sprt(h0=0.5, h1=0.55), not {sprt!r}")
        self.plan = plan
        self._workers = None if workers is None else integer("workers", workers, 1)
        self._executor = executor
        self._on_use = on_use
        self._watch = None if sprt is None else SequentialWatch(plan, sprt)
        self._tally = Tally(plan, records=records is not None)
        self._done: set[int] = set()
        self._games = 0
        self._files = ExitStack()
        self._played: list[ChunkResult] = []
        self._seconds = 0.0
        self._journal: Journal | None = None
        self._records: RecordFile | None = None
        with ExitStack() as opened:
            if records is not None:
                # Before the journal, which would be there already for who gives the same line once more.
                goes_on = resume and journal is not None and _holds_something(Path(journal))
                self._records = opened.enter_context(RecordFile(records, replace=goes_on))
            if journal is not None:
                self._journal = opened.enter_context(Journal(journal, plan, resume=resume))
            for result in self._journal.finished() if self._journal else ():
                self._take(result)
            self.resumed_games = self._games
            """How many games the journal held."""
            self._files = opened.pop_all()

    @property
    def games(self) -> int:
        """How many games there are so far: those of the journal, and those that do not count too."""
        return self._games

    @property
    def torn_bytes(self) -> int:
        """How much of a torn last line of the journal was dropped."""
        return self._journal.torn if self._journal else 0

    def play(self, progress: Callable[[Progress], object] | None = None) -> TournamentResult:
        """Play what is missing. Ctrl-C leaves by a KeyboardInterrupt; what was finished is kept."""
        started = perf_counter()
        try:
            for result in self._results(self._missing()):
                if self._journal:
                    self._journal.add(result)
                self._played.append(replace(result, records=None))
                self._take(result)
                if progress:
                    progress(Progress(self._games, self.plan.games))
                if self._is_decided:
                    break
        finally:
            self._seconds += perf_counter() - started
        return self.result()

    def result(self) -> TournamentResult:
        """What counts so far: all openings that were played by all, up to a test's decision."""
        sequential = [] if self._watch is None else [self._watch.outcome]
        decided = None if self._watch is None else self._watch.decided_after
        return result_of(self._tally, openings=decided, sequential=sequential)

    def timings(self) -> Timings:
        """How long this run took, without what a journal held."""
        return Timings.of(self._played, self._seconds, tuple(self._observed_costs()))

    def close(self) -> None:
        """Let go of the files."""
        self._files.close()

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._files.__exit__(kind, error, trace)

    def _observed_costs(self) -> Iterator[ObservedCost]:
        for number, entrant in enumerate(self.plan.entrants):
            measured = self.plan.measured.get(entrant.name)
            if measured is None or entrant.budget is None or entrant.budget.cost is None:
                continue
            uses = []
            for result in self._played:
                pairing = self.plan.pairings[result.pairing]
                side = 0 if pairing.first == number else 1
                if number in (pairing.first, pairing.second) and side in result.cpu_uses:
                    uses.append(result.cpu_uses[side])
            observed = observed_cost(
                entrant.name, checked_cost(entrant.budget.cost), measured.cpu_per_call, uses
            )
            if observed is not None:
                yield observed

    @property
    def _is_decided(self) -> bool:
        return self._watch is not None and self._watch.decided_after is not None

    def _take(self, result: ChunkResult) -> None:
        self._done.add(result.index)
        self._games += len(result.outcomes)
        self._tally.add(result)
        if self._watch is not None:
            self._watch.look(self._tally)
        if self._records is not None:
            decided = None if self._watch is None else self._watch.decided_after
            for record in self._tally.take_records():
                if decided is None or record["opening"] < decided:
                    self._records.add(record)

    def _missing(self) -> Iterator[Chunk]:
        for chunk in self.plan.chunks():
            if self._is_decided:
                return
            # Who is broken by the chunks before this one plays no more.
            if chunk.index not in self._done and not self._tally.strikes.is_over(chunk.pairing):
                yield chunk

    def _results(self, chunks: Iterator[Chunk]) -> Iterator[ChunkResult]:
        if self._executor is not None:
            executor, at_a_time = executor_of(self._executor)
            return played_by(executor, chunks, self._workers or at_a_time)
        workers = self._workers or available_processors()
        if self.plan.is_native:
            return played_natively(chunks, workers)
        return played_here(chunks, workers, self._on_use)


def _require_files(
    plan: Plan,
    journal: str | os.PathLike[str] | None,
    resume: bool,
    records: str | os.PathLike[str] | None,
) -> None:
    if resume and journal is None:
        raise InvalidArgumentError("resume=True needs the journal= that it goes on from")
    if records is not None and not plan.record:
        raise InvalidArgumentError("records= needs a plan that was made with record=True")
    if journal is not None and records is not None:
        for each in (records, f"{os.path.realpath(records)}.part"):
            if is_same_file(journal, each):
                raise InvalidArgumentError(f"journal and records must be two files, not both {each}")


def _holds_something(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0

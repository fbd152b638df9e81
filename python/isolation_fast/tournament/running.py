"""Running a plan: where its chunks are played, which files keep what came of them, and when it stops."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice, takewhile
from pathlib import Path
from threading import Event
from time import monotonic, perf_counter
from typing import Any, TypeAlias, TypeVar

from isolation_fast import _native
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.numbers import integer
from isolation_fast.output import CommandError, WholeFile, is_same_file, json_line
from isolation_fast.playing.chunks import KeptProcesses, run_chunk
from isolation_fast.playing.entrants import Chunk, NativeEntrant, refuse_in_a_script_run_again
from isolation_fast.playing.outcomes import NOT_PLAYED, ChunkResult, ProgramUse, Use, chunk_line
from isolation_fast.text import described
from isolation_fast.tournament.journal import Journal
from isolation_fast.tournament.plan import Plan
from isolation_fast.tournament.results import TournamentResult, result_of
from isolation_fast.tournament.sequential import SequentialWatch, Sprt
from isolation_fast.tournament.tally import Tally

ChunkT = TypeVar("ChunkT")
ResultT = TypeVar("ResultT")
OnUse: TypeAlias = Callable[[Chunk, Use], object]
"""Called with a chunk, and what one process of a submission in it used and printed."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    games: int
    """Games played, those of a journal included."""
    planned_games: int


@dataclass(frozen=True, slots=True)
class CompiledHeuristic:
    """What the compiled form of a player's heuristic did in a run."""

    name: str
    """The player's."""
    values: int
    """How many values it gave."""
    bails: int
    """How often it left the answer to Python."""

    def __str__(self) -> str:
        left = f", Python {self.bails:,}" if self.bails else ""
        return f"the heuristic of {self.name} is compiled: its program gave {self.values:,} values{left}"


@dataclass(frozen=True, slots=True)
class Timings:
    """Figures of one run; another run of the same plan has others.

    >>> chunk = ChunkResult(0, 0, 0, bytes([1, 0]), nodes=(600, 400), cpu_seconds=0.5)
    >>> print(Timings.of([chunk], seconds=0.4))
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
    compiled: tuple[CompiledHeuristic, ...] = ()
    """Heuristics that were compiled, one for each player."""

    @classmethod
    def of(
        cls,
        results: Sequence[ChunkResult],
        seconds: float,
        compiled: tuple[CompiledHeuristic, ...] = (),
    ) -> Timings:
        """The timings of a run that took so long and played these chunks."""
        games = sum(len(each.outcomes) - each.outcomes.count(NOT_PLAYED) for each in results)
        nodes = sum(sum(each.nodes) for each in results)
        return cls(seconds, sum(each.cpu_seconds for each in results), games, nodes, compiled)

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
        return {**asdict(self), **{name: getattr(self, name) for name in rates}}

    def __str__(self) -> str:
        text = f"{self.games:,} games in {self.seconds:.1f} s"
        if self.games_per_second is not None:
            text += f": {self.games_per_second:,.0f} games/s"
        if self.nodes_per_cpu_second is not None:
            text += f", {self.nodes_per_cpu_second:,.0f} nodes/s of processor time"
        return text


def run(
    plan: Plan, *, progress: Callable[[Progress], object] | None = None, **options: Any
) -> TournamentResult:
    """Play a plan; gives its result. `progress` is called after each chunk, the rest is that of `Run`."""
    with Run(plan, **options) as running:
        return running.play(progress)


class Run:
    """One run of a plan, which can be asked how far it is. It closes its files at the end of a `with` block.

    Its result is the same for any workers, executor and interruption.

    - `workers`: how many threads or processes play; by default one for each processor.
    - `executor`: any `concurrent.futures.Executor`, or a `dask.distributed.Client`, which then plays the
      chunks.
    - `journal`: a file to which finished chunks are added. With `resume=True` an interrupted run goes on from
      it; if there is no such file yet, the run begins there.
    - `sprt`: a test that ends the run as soon as it has decided, and its interval is as narrow as asked for.
    - `records`: a file for the record of each game; the plan must have been made with `record=True`. An
      existing file is refused, unless a journal is resumed: then it is written again, as a whole.
    - `on_use`: called with a chunk and what a submission used and printed in one of its processes, before the
      chunk's end is reported, and from the thread that watches that process; not with an executor.
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
        self.games = 0
        """How many games there are so far: with those of the journal, and those that do not count."""
        self._files = ExitStack()
        self._played: list[ChunkResult] = []
        self._seconds = 0.0
        self._journal: Journal | None = None
        self._records: WholeFile | None = None
        with ExitStack() as opened:
            if records is not None:
                # Before the journal: a repeated command line would otherwise be refused for its journal.
                held = Path(journal) if resume and journal is not None else None
                goes_on = held is not None and held.is_file() and held.stat().st_size > 0
                self._records = opened.enter_context(WholeFile(records, "records", replace=goes_on))
            if journal is not None:
                self._journal = opened.enter_context(Journal(journal, plan, resume=resume))
            for result in self._journal.finished() if self._journal else ():
                self._take(result)
            self.resumed_games = self.games
            """How many games the journal held."""
            self._files = opened.pop_all()

    @property
    def torn_bytes(self) -> int:
        """How much of a torn last line of the journal was dropped."""
        return self._journal.torn if self._journal else 0

    def play(
        self, progress: Callable[[Progress], object] | None = None, *, until: float | None = None
    ) -> TournamentResult:
        """Play what is missing. Ctrl-C raises a KeyboardInterrupt; finished chunks are kept.

        At `until`, by `time.monotonic`, it ends as if a test had decided: what is not played does not count.
        """
        started = perf_counter()
        try:
            for result in self._results(self._missing(), until):
                if self._journal:
                    self._journal.add(chunk_line(result))
                self._played.append(replace(result, records=None))
                self._take(result)
                if progress:
                    progress(Progress(self.games, self.plan.games))
                if self._ended_after is not None:
                    break
        finally:
            self._seconds += perf_counter() - started
        return self.result()

    def result(self) -> TournamentResult:
        """What counts so far: all openings that were played by all, up to where a test was over."""
        sequential = [] if self._watch is None else [self._watch.outcome]
        return result_of(self._tally, openings=self._ended_after, sequential=sequential)

    def timings(self) -> Timings:
        """How long this run took, without what a journal held."""
        return Timings.of(self._played, self._seconds, tuple(self._compiled()))

    def close(self) -> None:
        """Close the files."""
        self._files.close()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *error: Any) -> None:
        self._files.__exit__(*error)

    def _compiled(self) -> Iterator[CompiledHeuristic]:
        found: defaultdict[int, ProgramUse] = defaultdict(ProgramUse)
        for result in self._played:
            pairing = self.plan.pairings[result.pairing]
            for side, each in result.programs.items():
                found[(pairing.first, pairing.second)[side]] += each
        for number, each in sorted(found.items()):
            yield CompiledHeuristic(self.plan.entrants[number].name, each.values, each.bails)

    @property
    def _ended_after(self) -> int | None:
        return None if self._watch is None else self._watch.ended_after

    def _take(self, result: ChunkResult) -> None:
        self._done.add(result.index)
        self.games += len(result.outcomes)
        self._tally.add(result)
        if self._watch is not None:
            self._watch.look(self._tally)
        if self._records is not None:
            ended = self._ended_after
            for record in self._tally.take_records():
                if ended is None or record["opening"] < ended:
                    self._records.write(json_line(record))

    def _missing(self) -> Iterator[Chunk]:
        for chunk in self.plan.chunks():
            if self._ended_after is not None:
                return
            # A player that the chunks before this one broke plays no more.
            if chunk.index not in self._done and not self._tally.strikes.is_over(chunk.pairing):
                yield chunk

    def _results(self, chunks: Iterator[Chunk], until: float | None) -> Iterator[ChunkResult]:
        if self._executor is not None:
            executor, at_a_time = executor_of(self._executor)
            return played_by(executor, chunks, self._workers or at_a_time, run_chunk, until)
        workers = self._workers or available_processors()
        if all(isinstance(each, NativeEntrant) for each in self.plan.entrants):
            # One after another, each on all threads.
            in_time = takewhile(lambda _: until is None or monotonic() < until, chunks)
            return (run_chunk(chunk, threads=workers) for chunk in in_time)
        return self._played_here(chunks, workers, until)

    def _played_here(
        self, chunks: Iterator[Chunk], workers: int, until: float | None
    ) -> Iterator[ChunkResult]:
        with KeptProcesses() as processes:
            yield from played_here(chunks, workers, partial(self._play, processes), until)

    def _play(self, processes: KeptProcesses, chunk: Chunk, interrupted: Callable[[], bool]) -> ChunkResult:
        used = None if self._on_use is None else partial(self._on_use, chunk)
        return run_chunk(chunk, interrupted=interrupted, used=used, processes=processes)


def _require_files(
    plan: Plan, journal: str | os.PathLike[str] | None, resume: bool, records: str | os.PathLike[str] | None
) -> None:
    if resume and journal is None:
        raise InvalidArgumentError("resume=True needs the journal= that it goes on from")
    if records is not None and not plan.record:
        raise InvalidArgumentError("records= needs a plan that was made with record=True")
    if journal is not None and records is not None:
        for each in (records, f"{os.path.realpath(records)}.part"):
            if is_same_file(journal, each):
                raise InvalidArgumentError(f"journal and records must be two files, not both {each}")


def available_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def played_here(
    chunks: Iterator[ChunkT],
    workers: int,
    play: Callable[[ChunkT, Callable[[], bool]], ResultT],
    until: float | None = None,
) -> Iterator[ResultT]:
    """Chunks that threads play, so many at a time. `play` also gets what says that it is to end."""
    stop = Event()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="chunk")
    try:
        yield from played_by(pool, chunks, workers, lambda chunk: play(chunk, stop.is_set), until)
    finally:
        # The threads see it, and end their processes.
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def played_by(
    executor: Executor,
    chunks: Iterator[ChunkT],
    at_a_time: int,
    play: Callable[[ChunkT], ResultT],
    until: float | None = None,
) -> Iterator[ResultT]:
    """Chunks that an executor plays, in the order in which they end, at most so many handed out at a time.

    An iterator that has no chunk now may have some after the next result.
    """
    running: set[Future[ResultT]] = set()
    try:
        while True:
            for chunk in islice(chunks, at_a_time - len(running)):
                running.add(executor.submit(play, chunk))
            if not running:
                return
            left = None if until is None else max(0.0, until - monotonic())
            done, running = wait(running, left, return_when=FIRST_COMPLETED)
            if not done:
                return
            yield from (each.result() for each in done)
    finally:
        for each in running:
            each.cancel()


def executor_of(given: Any) -> tuple[Executor, int]:
    """The executor, and how many chunks it may be handed at a time. A `dask.distributed.Client` has one.

    >>> with ThreadPoolExecutor(3) as pool:
    ...     executor_of(pool)[1]
    6
    """
    if hasattr(given, "get_executor") and hasattr(given, "ncores"):
        # Not `pure`: dask must play a chunk again after a loss, and not remember its result.
        executor, workers = given.get_executor(pure=False), sum(given.ncores().values())
    else:
        executor, workers = given, getattr(given, "_max_workers", None) or available_processors()
    if not isinstance(executor, Executor):
        raise TypeError(
            "executor must be a concurrent.futures.Executor or a dask.distributed.Client, "
            f"not {described(given)}"
        )
    # Twice as many as there are workers: none waits for the next one to be handed out.
    return executor, 2 * max(1, workers)


@contextmanager
def cluster(address: str | None) -> Iterator[Any]:
    """The client of a running Dask scheduler, for a command; None without an address."""
    if address is None:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise CommandError("--dask needs Dask", "pip install 'isolation-fast[dask]'") from None
    try:
        client = Client(address, timeout=10)  # type: ignore[no-untyped-call] # it is so
    except (OSError, ValueError) as error:
        raise CommandError(f"there is no Dask scheduler at {address!r}: {error}") from error
    with client:
        yield client

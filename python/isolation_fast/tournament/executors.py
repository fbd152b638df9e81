"""Where chunks are played: in this process, by threads that watch over others, or wherever an executor is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, TypeAlias

from isolation_fast.text import described
from isolation_fast.tournament.outcomes import ChunkResult
from isolation_fast.tournament.plan import Chunk
from isolation_fast.tournament.playing import run_chunk

if TYPE_CHECKING:
    from isolation_fast.tournament.uses import Use

__all__ = ["OnUse", "available_processors", "executor_of", "played_by", "played_here", "played_natively"]

OnUse: TypeAlias = "Callable[[Chunk, Use], object]"
"""Called with a chunk, and what one process of a submission in it used and printed."""


def available_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def played_natively(chunks: Iterable[Chunk], threads: int) -> Iterator[ChunkResult]:
    """Chunks of native players, one after the other, each on all threads."""
    return (run_chunk(chunk, threads=threads) for chunk in chunks)


def played_here(chunks: Iterable[Chunk], workers: int, on_use: OnUse | None = None) -> Iterator[ChunkResult]:
    """Chunks in which Python players take part, so many at a time, each in a process of its own."""
    stop = Event()

    def play(chunk: Chunk) -> ChunkResult:
        used = None if on_use is None else partial(on_use, chunk)
        return run_chunk(chunk, interrupted=stop.is_set, used=used)

    pool = ThreadPoolExecutor(workers, thread_name_prefix="chunk")
    try:
        yield from played_by(pool, chunks, workers, play)
    finally:
        # The processes end when their threads see it.
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def played_by(
    executor: Executor,
    chunks: Iterable[Chunk],
    at_a_time: int,
    play: Callable[[Chunk], ChunkResult] = run_chunk,
) -> Iterator[ChunkResult]:
    """Chunks that an executor plays, in the order in which they end, at most so many handed out at a time."""
    running: set[Future[ChunkResult]] = set()
    try:
        for chunk in chunks:
            running.add(executor.submit(play, chunk))
            if len(running) >= at_a_time:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in done)
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
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
        # Not `pure`: a chunk that is played again after a loss is played, and not remembered.
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

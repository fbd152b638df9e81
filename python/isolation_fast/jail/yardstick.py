"""What a node with `improved` takes on the reference board, now and here: so time here is time there.

A process of its own measures it, on the core where the process that is compared with it ran last. So what
slows one of them slows both. Meanwhile the other one is stopped, or it could slow the yardstick by its own
work, and so buy time for many turns.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from math import inf
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Final

from isolation_fast.endings import Fault
from isolation_fast.exceptions import WorkerError
from isolation_fast.jail.pool import Pool, shared_pool
from isolation_fast.measuring import FRESH_SECONDS, Timing, scale_of
from isolation_fast.process import Child, Kind
from isolation_fast.worker import messages

SEARCH_SECONDS: Final = 60.0
"""Of CPU time, for a search of some milliseconds."""

SAME_CORE_SECONDS: Final = 0.1
"""A process is taken to stay on its core for so long: to look takes as long as a tenth of a short turn."""

PROCESSOR: Final = 36
"""The place of the core in `/proc/PID/stat`, after the name."""


class Yardstick:
    """Starts its process when it is first asked. Threads take turns. Used as a context, or closed."""

    def __init__(self, pool: Pool | None = None) -> None:
        self._pool, self._lock = pool, Lock()
        self._process: Child | None = None
        self._known: dict[int | None, tuple[float, float]] = {}
        self._cores: dict[int, tuple[float, int | None]] = {}

    def scale(self, near: int) -> float:
        """Nanoseconds of the reference machine for each on the core where the process `near` ran last.

        It was measured at most ten seconds ago.
        """
        with self._lock:
            now = monotonic()
            looked, core = self._cores.get(near, (-inf, None))
            if now - looked > SAME_CORE_SECONDS:
                core = _core(near)
                self._cores[near] = now, core
            measured, found = self._known.get(core, (-inf, 0.0))
            if now - measured > FRESH_SECONDS:
                with _stopped(near):
                    found = scale_of(lambda text, nodes: self._measured(messages.Measure(text, nodes), core))
                self._known[core] = monotonic(), found
            return found

    def close(self) -> None:
        """End its process; the next measurement starts another."""
        with self._lock:
            if self._process is not None:
                self._process.close()
            self._process = None

    def __enter__(self) -> Yardstick:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _measured(self, asked: messages.Measure, core: int | None) -> Timing:
        # Its process may have been ended from outside; once, and another one is asked.
        with suppress(Fault):
            return self._asked(asked, core)
        try:
            return self._asked(asked, core)
        except Fault as fault:
            raise WorkerError(f"the yardstick could not be measured: {fault.detail}") from fault

    def _asked(self, asked: messages.Measure, core: int | None) -> Timing:
        if self._process is None or not self._process.is_alive:
            self._process = (self._pool or shared_pool()).take()
            # It imports the reference at the first search, which no process that plays has.
            self._answer(self._process, replace(asked, nodes=1))
        if core is not None:
            with suppress(OSError):  # it may have been taken from us since
                os.sched_setaffinity(self._process.pid, {core})
        measured, seconds = self._answer(self._process, asked)
        return Timing(measured.nodes, seconds)

    @staticmethod
    def _answer(process: Child, asked: messages.Measure) -> tuple[messages.Measured, float]:
        """What a search found, and the CPU time that it took."""
        answer, seconds = process.ask(
            asked.kind, asked.content(), Kind.MEASURED, SEARCH_SECONDS, SEARCH_SECONDS
        )
        return messages.Measured.of(answer.content), seconds


@contextmanager
def _stopped(process: int) -> Iterator[None]:
    """Keep another process from running; where it is gone, or this one, nothing is stopped."""
    if process == os.getpid():
        yield
        return
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)


def _core(process: int) -> int | None:
    """The core where a process ran last; None where the system does not say."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[PROCESSOR])
    return None


def shared_yardstick() -> Yardstick:
    """The yardstick of this process's shared pool."""
    return _of(shared_pool())


@cache
def _of(pool: Pool) -> Yardstick:
    return Yardstick(pool)

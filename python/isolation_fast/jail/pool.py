"""Jailed processes, forked from one that has imported what a submission may need: the nursery."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial, wraps
from math import inf
from typing import Final, ParamSpec, TypeVar

from isolation_fast.endings import Fault
from isolation_fast.exceptions import NurseryEndedError, WorkerError
from isolation_fast.process import Child, Ends, Kind, Python, Started, program_of
from isolation_fast.process.frames import MOST_BYTES, Message
from isolation_fast.worker.messages import EndAsked, Ended, Faulted, ForkAsked, Forked

BOOT: Final = program_of("isolation_fast.worker.nursery")
# Nothing of the user's or of the working directory is imported: before Python 3.11 there is no `-P`.
OPTIONS: Final = ("-s",) if sys.version_info < (3, 11) else ("-s", "-P")

# Without a disk's cache, and on a machine full of work, imports take long.
READY_SECONDS: Final = 60.0
# It answers in milliseconds, if it is let.
ANSWER_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 0.05
# One that has ended is replaced. A system that ends the next ones too will go on so.
TRIES: Final = 3

NOT_STARTED: Final = "a process for submissions could not be started"

_Found = TypeVar("_Found", bound=Message)
_Made = TypeVar("_Made")
_Taken = ParamSpec("_Taken")


def survives_its_nursery(work: Callable[_Taken, _Made]) -> Callable[_Taken, _Made]:
    """Begin the work again where the nursery of its processes ended, which is no submission's fault."""

    @wraps(work)
    def working(*arguments: _Taken.args, **options: _Taken.kwargs) -> _Made:
        for _ in range(TRIES - 1):
            with suppress(NurseryEndedError):
                return work(*arguments, **options)
        return work(*arguments, **options)

    return working


class Pool:
    """Forks processes from a nursery, which it starts when the first one is asked for.

    Used as a context, or closed. Any thread may take processes. Closing it ends the nursery, and with it all
    that were taken. Should the nursery end otherwise, as by the system when memory is short, what is asked of
    its processes is a `NurseryEndedError`, and the next process taken is one of a new nursery.
    """

    def __init__(self, *, boot: str = BOOT, hash_seed: int = 0) -> None:
        """`boot` is what the nursery's Python runs; `hash_seed` orders its sets of texts."""
        self._boot, self._hash_seed = boot, hash_seed
        self._nursery: _Nursery | None = None
        self._lock = threading.Lock()
        self._closed, self._owner = False, os.getpid()

    @survives_its_nursery
    def take(
        self,
        interrupted: Callable[[], bool] | None = None,
        stdin: int | None = None,
        *,
        most_bytes: int = MOST_BYTES,
    ) -> Child:
        """A new process, which knows nothing of our environment; the caller closes it.

        Its stdin is empty, or that descriptor. A frame of its holds at most `most_bytes`.
        """
        # Begun again it has other pipes: a nursery that ended may have forked one with these.
        try:
            return Child(partial(self._fork, interrupted, stdin), keeps_output=True, most_bytes=most_bytes)
        except OSError as error:
            raise WorkerError(f"{NOT_STARTED}: {error.strerror}") from error

    def close(self) -> None:
        """End the nursery."""
        with self._lock:
            self._closed = True
            if self._nursery is not None:
                self._nursery.close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _fork(self, interrupted: Callable[[], bool] | None, stdin: int | None, ends: Ends) -> Started:
        return self._ready(interrupted).fork(ends._replace(stdin=stdin))

    def _ready(self, interrupted: Callable[[], bool] | None) -> _Nursery:
        """The nursery, which may have to be started."""
        with self._locked(interrupted):
            if self._closed:
                raise WorkerError("the pool of processes is closed")
            if self._owner != os.getpid():
                raise WorkerError(f"the pool of processes is that of process {self._owner}, not of its forks")
            if self._nursery is None or not self._nursery.is_alive:
                if self._nursery is not None:
                    self._nursery.close()
                    self._nursery = None
                self._nursery = _Nursery(self._boot, self._hash_seed, interrupted)
            return self._nursery

    @contextmanager
    def _locked(self, interrupted: Callable[[], bool] | None) -> Iterator[None]:
        while not self._lock.acquire(timeout=LOOK_SECONDS):
            if interrupted is not None and interrupted():
                raise KeyboardInterrupt
        try:
            yield
        finally:
            self._lock.release()


class _Nursery:
    """The process that forks others, and is asked by one thread at a time."""

    def __init__(self, boot: str, hash_seed: int, interrupted: Callable[[], bool] | None) -> None:
        self._lock = threading.Lock()
        python = Python(boot, OPTIONS, {"LANG": "C.UTF-8"}, folder="/", hash_seed=hash_seed)
        self._process = Child(python, keeps_output=True, passes_descriptors=True)
        try:
            self._process.wait_for(Kind.READY, READY_SECONDS, interrupted)
        except Fault as fault:
            self._process.close()
            raise WorkerError(f"{NOT_STARTED}: {self._process.output.last_line or fault.detail}") from fault
        except BaseException:
            self._process.close()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive

    def fork(self, ends: Ends) -> _Forked:
        """A new process with these ends."""
        return _Forked(self, self._ask(ForkAsked(), Forked, ends).pid)

    def end_of(self, pid: int, *, reap: bool) -> Ended:
        """How a process ended."""
        return self._ask(EndAsked(pid, reap), Ended)

    def close(self) -> None:
        with self._lock:
            self._process.close()

    def _ask(self, asked: Message, wanted: type[_Found], ends: Ends | None = None) -> _Found:
        descriptors = [each for each in ends or () if each is not None]
        with self._lock:
            try:
                answer = self._process.ask(
                    asked.kind, asked.content(), wanted.kind, inf, ANSWER_SECONDS, descriptors=descriptors
                ).frame
            except (Fault, ValueError) as error:  # it has ended, or was closed
                why = error.detail if isinstance(error, Fault) else str(error)
                raise NurseryEndedError(f"the process that forks those of submissions ended: {why}") from None
        if answer.kind is Kind.FAULT:
            raise WorkerError(f"{NOT_STARTED}: {Faulted.of(answer.content).detail}")
        return wanted.of(answer.content)


class _Forked:
    """A process that was forked; its parent is the nursery."""

    def __init__(self, nursery: _Nursery, pid: int) -> None:
        self._nursery, self.pid, self.parent = nursery, pid, nursery.pid
        self._status: int | None = None

    @property
    def status(self) -> int | None:
        if self._status is not None:
            return self._status
        found = self._nursery.end_of(self.pid, reap=False)
        return None if found.runs else found.status

    def kill(self) -> None:
        # Where the nursery has ended, its number may be another's, and it is ended in other ways.
        if self._nursery.is_alive:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def reap(self) -> None:
        with suppress(NurseryEndedError):
            self._status = self._nursery.end_of(self.pid, reap=True).status


_shared: Pool | None = None
_making = threading.Lock()


def shared_pool() -> Pool:
    """The pool of this process, made when it is first asked for and closed at the end.

    >>> shared_pool() is shared_pool()
    True
    """
    global _shared
    with _making:
        if _shared is None:
            _shared = Pool()
            atexit.register(_shared.close)
        return _shared


def _forget() -> None:
    """In a child of `fork` there is no other thread, and the processes are those of its parent."""
    global _shared, _making
    _making = threading.Lock()
    if _shared is not None:
        atexit.unregister(_shared.close)
        _shared = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)

"""Jailed processes that have imported what a submission may need, and wait for one."""

from __future__ import annotations

import atexit
import os
import queue
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from isolation_fast.endings import Fault
from isolation_fast.exceptions import WorkerError
from isolation_fast.numbers import integer
from isolation_fast.process import Child, Kind, program_of

BOOT: Final = program_of("isolation_fast.worker.entry")
# Nothing of the user's or of the working directory is imported: before Python 3.11 there is no `-P`.
OPTIONS: Final = ("-s",) if sys.version_info < (3, 11) else ("-s", "-P")

# Without a disk's cache, and on a machine full of work, imports take long.
READY_SECONDS: Final = 60.0
MOST_SHARED: Final = 4


def start_process(boot: str = BOOT) -> Child:
    """A new process, which knows nothing of our environment. It may end with the thread that calls this."""
    return Child(boot, options=OPTIONS, environment={"LANG": "C.UTF-8"}, folder="/", keeps_output=True)


class Pool:
    """Keeps up to `size` processes ready; used as a context, or closed.

    Nothing is started before the first process is asked for. All are started from one thread, since the
    system ties the life of a process to the thread that started it: closing a pool also ends what was taken
    from it.
    """

    def __init__(self, size: int = 1, *, boot: str = BOOT) -> None:
        """`boot` is what their Python runs first."""
        self._size, self._boot = integer("size", size, 1), boot
        self._waiting: deque[Child] = deque()
        # A future asks for a process at once, True for one that waits, None for the end.
        self._orders: queue.SimpleQueue[Future[Child] | bool | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._closed = False

    def take(self, interrupted: Callable[[], bool] | None = None) -> Child:
        """A process that is ready; the caller closes it. The next one is started meanwhile."""
        while (process := self._waiting_one()) is not None:
            if _fault_of_start(process, interrupted) is None and process.is_alive:
                return process
            process.close()
        process = self._new_one()
        if (fault := _fault_of_start(process, interrupted)) is not None:
            process.close()
            last = process.output.last_line or fault.detail
            raise WorkerError(f"a process for submissions could not be started: {last}")
        return process

    def close(self) -> None:
        """End the processes that wait, and the thread."""
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
        if thread is not None:
            self._orders.put(None)
            thread.join()
        while self._waiting:
            self._waiting.popleft().close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _waiting_one(self) -> Child | None:
        try:
            process = self._waiting.popleft()
        except IndexError:
            return None
        try:
            self._order(True)
        except WorkerError:
            process.close()
            raise
        return process

    def _new_one(self) -> Child:
        wish: Future[Child] = Future()
        self._order(wish)
        try:
            process = wish.result()
        except OSError as error:
            raise WorkerError(f"a process for submissions could not be started: {error.strerror}") from error
        except BaseException:
            # Ctrl-C does not wait for it, and nobody else takes it.
            wish.add_done_callback(_close_result)
            raise
        self._order(True)
        return process

    def _order(self, what: Future[Child] | bool) -> None:
        with self._lock:
            if self._closed:
                raise WorkerError("the pool of processes is closed")
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._start_all, name="isolation-fast pool", daemon=True
                )
                self._thread.start()
            self._orders.put(what)

    def _start_all(self) -> None:
        """What the thread does, as long as the pool is open."""
        while (order := self._orders.get()) is not None:
            if isinstance(order, Future):
                try:
                    order.set_result(start_process(self._boot))
                except BaseException as error:  # noqa: BLE001 - it belongs to the caller that waits for the process
                    order.set_exception(error)
            elif len(self._waiting) < self._size:
                try:
                    self._waiting.append(start_process(self._boot))
                except OSError:
                    # The next caller that takes a process starts it, and learns why that fails.
                    continue


def _close_result(wish: Future[Child]) -> None:
    if wish.exception() is None:
        wish.result().close()


def _fault_of_start(process: Child, interrupted: Callable[[], bool] | None) -> Fault | None:
    """Wait until it is ready; why it never will be, in which case it has been ended."""
    try:
        process.wait_for(Kind.READY, READY_SECONDS, interrupted)
    except Fault as fault:
        return fault
    except BaseException:
        process.close()
        raise
    return None


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
            _shared = Pool(min(MOST_SHARED, os.cpu_count() or 1))
            atexit.register(_shared.close)
        return _shared


def _forget() -> None:
    """In a child of `fork` there is no thread, and the processes are those of its parent."""
    global _shared, _making
    _making = threading.Lock()
    if _shared is not None:
        atexit.unregister(_shared.close)
        _shared = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)

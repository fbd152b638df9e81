"""The process in which a chunk with Python players is played, or the cost of a Python heuristic is measured.

`python_chunks` starts it, and watches over it. What players print goes nowhere, they read nothing, and the
pipes are out of their way.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
import threading
from typing import Any

from isolation_fast.exceptions import WorkerError
from isolation_fast.process.frames import Channel, Frame, Kind
from isolation_fast.text import error_line
from isolation_fast.tournament.chunk_games import ChunkGames
from isolation_fast.tournament.chunk_protocol import MOST_BYTES, Order, Progress, Stopped

if sys.platform == "linux":
    import fcntl

__all__ = ["main"]


def main(requests: int, answers: int) -> None:
    """Do what the order says. The process ends here, whatever threads players have left behind."""
    channel = Channel(*_out_of_the_way(requests, answers), MOST_BYTES)
    frame = channel.receive(Kind.PLAY)
    if frame is None:  # the parent is gone
        os._exit(1)
    order: Order = pickle.loads(frame.content)
    sys.path[:] = order.path
    _end_with_the_parent(channel.requests)
    try:
        report = _played(order)
    except WorkerError as error:
        report = {"failed": str(error)}
    except BaseException as error:  # noqa: BLE001 - what players raise is caught where they are called
        report = {"failed": error_line(error)}
    channel.send(Frame(Kind.REPORTED, frame.number, json.dumps(report).encode()))
    os._exit(0)


def _out_of_the_way(requests: int, answers: int) -> tuple[int, int]:
    """Give pipes that are stdin and stdout, as on Windows, other numbers, and put nothing in their place."""
    if (requests, answers) != (0, 1):
        return requests, answers
    kept = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    return kept


def _end_with_the_parent(orders: int) -> None:
    """End this process, and all that it starts, when the parent's end of the pipe is closed, in whatever way.

    Linux sends a signal then, which also ends a player that holds the interpreter for good; elsewhere a
    thread waits.
    """
    if sys.platform == "linux":
        fcntl.fcntl(orders, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(orders, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(orders, fcntl.F_SETFL, fcntl.fcntl(orders, fcntl.F_GETFL) | os.O_ASYNC)
        # It may have been closed before that.
        os.set_blocking(orders, False)
        try:
            os.read(orders, 1)
        except BlockingIOError:
            return
        os._exit(1)
    threading.Thread(target=_wait_for_the_end, args=(orders,), daemon=True).start()


def _wait_for_the_end(orders: int) -> None:
    os.read(orders, 1)
    if hasattr(os, "killpg"):
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)


def _played(order: Order) -> dict[str, Any]:
    # Only now what fails is reported: until here Python says it on stderr itself.
    os.dup2(0, 2)
    if order.main is not None:
        _make_main(order.main)
    progress = Progress(order.progress)
    if os.name == "posix":
        # Nothing is left of it, whatever ends us.
        os.unlink(order.progress)  # noqa: PTH108
    if order.measures:
        # Not at the top: a process that plays needs none of it.
        from isolation_fast.tournament.costing import measured_here

        return measured_here(order, progress)
    played = ChunkGames(order, progress).play()
    return {"stopped": played.to_dict()} if isinstance(played, Stopped) else played


def _make_main(data: Any) -> None:
    """Make the parent's `__main__` again, as processes of `multiprocessing` do."""
    from multiprocessing import process, spawn

    current: Any = process.current_process()
    # As long as this is set it refuses to start others: so a script that lacks its guard says so, and does
    # not start itself again and again.
    current._inheriting = True
    try:
        spawn.prepare(data)
    finally:
        del current._inheriting

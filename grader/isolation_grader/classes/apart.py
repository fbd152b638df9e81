"""Gradings in processes of their own, each of which grades one submission after the other.

```text
 grade_apart(job)             a thread of ours, or a worker of an executor
   |  the job as a pickle, over a pipe, to a process that waits, or to a new one
   v
 a process of ours: graded(job)
   |  its nursery forks a fresh jailed process whenever one is asked for
   v
 Outcome: the report in each form, as text; the process waits for the next job
```

Nothing of a submission runs in such a process, so the next one finds it as it was. A grading that ends its
process, or fills its memory, is tried once more, in a new one, and is nobody else's trouble.
"""

from __future__ import annotations

import atexit
import json
import os
import pickle
import select
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict
from math import inf
from threading import Lock
from typing import Any, Final

from isolation_fast.jail import Fault, shared_pool
from isolation_fast.process import (
    CAN_WAIT,
    Channel,
    Child,
    Frame,
    Kind,
    Python,
    end_with_the_parent,
    out_of_the_way,
    program_of,
    wait_for_an_order,
)
from isolation_grader.classes.jobs import Job, Outcome, failed, graded
from isolation_grader.exceptions import LessSandboxError

PROGRAM: Final = program_of("isolation_grader.classes.apart")
MOST_BYTES: Final = 2**32 - 1
"""Of a job or an outcome: a report holds hundreds of games."""
GRACE: Final = 120.0
"""Seconds after `--total-wall` in which a grading looks into lost games and writes its reports."""
IDLE: Final = 60.0
"""Seconds after which a process ends that nobody has asked: no executor says that it is done."""

_waiting: list[Child] = []
_lock = Lock()


def grade_apart(job: Job, interrupted: Callable[[], bool] | None = None) -> Outcome:
    """Grade a submission in another process, and be back after its time in any case."""
    for is_last in (False, True):
        waited = None if is_last else _taken()
        child = waited or _started()
        with ExitStack() as closing:
            closing.push(child)
            try:
                outcome = _asked(child, job, interrupted)
            except Fault as fault:
                if not (fault.by_clock or is_last):
                    continue
                said = child.output.last_line
                return failed(job, f"its process ended: {fault.detail}{f': {said}' if said else ''}")
            if not outcome.has_failed:
                closing.pop_all()
                _wait(child)
                return outcome
        # What earlier gradings have left there, such as full memory, is no fault of this submission.
        if waited is None:
            return outcome
    raise AssertionError  # the last try returns


def _asked(child: Child, job: Job, interrupted: Callable[[], bool] | None) -> Outcome:
    limit = job.options.total_wall + GRACE
    content = pickle.dumps((tuple(sys.path), job))
    answer = child.ask(Kind.PLAY, content, Kind.REPORTED, inf, limit, interrupted)
    report = json.loads(answer.frame.content)
    if "less" in report:
        raise LessSandboxError(report["less"])
    return Outcome(**report["outcome"])


# ---- the processes that wait


def end_waiting() -> None:
    """End the processes that wait for another job."""
    while (child := _taken()) is not None:
        child.close()


def _taken() -> Child | None:
    """A process that waits for a job, if there is one."""
    with _lock:
        while _waiting:
            child = _waiting.pop()
            if child.is_alive:
                return child
            child.close()
    return None


def _started() -> Child:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
    return Child(Python(PROGRAM, environment=kept), keeps_output=True, most_bytes=MOST_BYTES)


def _wait(child: Child) -> None:
    with _lock:
        _waiting.append(child)


def _forget() -> None:
    """In a child of `fork` there is no other thread, and the processes are those of its parent."""
    global _lock
    _lock = Lock()
    _waiting.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
atexit.register(end_waiting)


# ---- within the process


def main(requests: int, answers: int) -> None:
    """Grade the submissions of the jobs that come. The process ends here."""
    channel = Channel(*out_of_the_way(requests, answers), MOST_BYTES)
    while not CAN_WAIT or select.select([channel.requests], [], [], IDLE)[0]:
        frame = channel.receive(Kind.PLAY)
        if frame is None:  # the parent is gone
            os._exit(1)
        sys.path[:], job = pickle.loads(frame.content)
        end_with_the_parent(channel.requests)
        try:
            report: dict[str, Any] = {"outcome": asdict(graded(job))}
        except LessSandboxError as error:
            report = {"less": str(error)}
        if CAN_WAIT:
            wait_for_an_order(channel.requests)
        else:
            # Its end would be waited for.
            shared_pool().close()
        channel.send(Frame(Kind.REPORTED, frame.number, json.dumps(report).encode()))
        if not CAN_WAIT:
            break
    os._exit(0)

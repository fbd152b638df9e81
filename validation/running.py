"""The workers of a comparison: one child process for each submission, so many at a time.

A worker sends each message as the answer to one request, and goes on when the next request comes.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from math import inf
from pathlib import Path
from typing import Any, Final

from isolation_fast.endings import Fault
from isolation_fast.exceptions import WorkerError
from isolation_fast.jail import NOBODY, LevelName
from isolation_fast.jail.copies import give_to_nobody, modules_named, new_folder
from isolation_fast.process import Child, Kind, Python, end_of, program_of
from isolation_fast.submission import NotCopiedError
from validation.messages import LONGEST_REPORT, TIME_LIMIT, UNREADABLE, left_by_ours, message_of
from validation.sources import Surroundings, environment
from validation.worker import Request

__all__ = ["Report", "Task", "run_tasks"]

ROOT: Final = str(Path(__file__).resolve().parents[1])
# The worker takes this tree out of its path again: no submission must import from it.
PROGRAM: Final = f"import sys; sys.path.append({ROOT!r}); {program_of('validation.worker')}"
# The limits that a worker has itself, should nobody end it in time.
OUT_OF_TIME: Final = tuple(
    end_of(-getattr(signal, name)) for name in ("SIGXCPU", "SIGALRM") if hasattr(signal, name)
)
REMOVALS: Final = 3
BETWEEN_REMOVALS: Final = 0.2


@dataclass(frozen=True, slots=True)
class Task:
    """A submission to compare, what its worker may use, and which level of the jail it is to have."""

    name: str
    file: Path
    request: Request
    seconds: float
    memory: int
    jail: LevelName | None


@dataclass(slots=True)
class Report:
    """What came of a task: the worker's messages, and why it ended before its time, if it did.

    `left_by_ours` is what it was trying on our board then, if the classic one had come through that.
    """

    task: Task
    messages: list[dict[str, Any]] = field(default_factory=list)
    stopped: str | None = None
    left_by_ours: str | None = None


def run_tasks(tasks: Iterable[Task], workers: int) -> Generator[Report, None, None]:
    """Run each task in a process of its own, so many at a time; gives reports as they come.

    However this ends, by an exception or because the caller asks for no other report, no process is left.
    """
    over = threading.Event()
    with ThreadPoolExecutor(workers) as pool:
        running = [pool.submit(_run, task, over.is_set) for task in tasks]
        try:
            for each in as_completed(running):
                yield each.result()
        finally:
            over.set()
            pool.shutdown(wait=False, cancel_futures=True)


def _run(task: Task, interrupted: Callable[[], bool]) -> Report:
    report = Report(task)
    folder = new_folder(for_nobody=_is_for_nobody(task))
    try:
        around = Surroundings(folder)
        order = _prepared(task, around)
        with Child(
            Python(PROGRAM, options=["-B"], environment=environment(around), folder=str(folder)),
            keeps_output=True,
            most_bytes=LONGEST_REPORT,
        ) as child:
            _follow(child, report, json.dumps(order).encode(), interrupted)
    except NotCopiedError as error:
        report.stopped = str(error)
    finally:
        # Once more where a process of the group was still writing when it was ended.
        for _ in range(REMOVALS):
            shutil.rmtree(folder, ignore_errors=True)
            if not os.path.lexists(folder):
                break
            time.sleep(BETWEEN_REMOVALS)
    return report


def _is_for_nobody(task: Task) -> bool:
    return task.jail is not None and os.geteuid() == 0


def _prepared(task: Task, around: Surroundings) -> dict[str, Any]:
    """Copy all that the worker reads; gives its order."""
    originals = [Path(each["path"]) for each in task.request.checkouts]
    checkouts = around.make(task.file, originals, trusted=task.jail is None)
    request = asdict(task.request)
    request["path"] = str(around.submission / task.file.name)
    for each, copy in zip(request["checkouts"], checkouts, strict=True):
        each["path"] = str(copy)
    if _is_for_nobody(task):
        give_to_nobody(around.place)
    jail = task.jail and {
        "level": task.jail,
        "readable": [str(around.place)],
        "modules": modules_named(around.submission),
        "user": NOBODY if _is_for_nobody(task) else None,
    }
    limits = {"memory": task.memory, "seconds": task.seconds}
    return {**limits, "jail": jail, "hidden": around.names(task.name), "examine": request}


def _follow(child: Child, report: Report, order: bytes, interrupted: Callable[[], bool]) -> None:
    """Ask the worker on until it is done, stops or has to be ended."""
    deadline = time.monotonic() + report.task.seconds
    received = 0
    try:
        while report.stopped is None:
            left = max(0.0, deadline - time.monotonic())
            content = child.ask(Kind.PLAY, order, Kind.REPORTED, inf, left, interrupted).frame.content
            order, received = b"", received + len(content)
            message = message_of(content)
            if received > LONGEST_REPORT:
                report.stopped = "its report is too long"
            elif message is None:
                report.stopped = UNREADABLE
            elif message["kind"] == "done":
                return
            elif message["kind"] == "stopped":
                report.stopped = str(message.get("reason"))
            else:
                if message["kind"] == "phase":
                    message["at"] = time.monotonic()
                report.messages.append(message)
    except Fault as fault:
        if not report.messages and not fault.by_clock:
            raise _not_started(child, report.task) from fault
        report.stopped = _reason_of(fault)
    try:
        report.left_by_ours = left_by_ours(report.messages, report.stopped, time.monotonic())
    except (AttributeError, KeyError, TypeError, ValueError):
        report.stopped = UNREADABLE


def _not_started(child: Child, task: Task) -> WorkerError:
    last = child.output.stderr.decode(errors="replace").strip().rpartition("\n")[2]
    return WorkerError(f"the process for {task.name!r} could not be started: {last or 'it wrote nothing'}")


def _reason_of(fault: Fault) -> str:
    if fault.by_clock or fault.detail in OUT_OF_TIME:
        return TIME_LIMIT
    return UNREADABLE if fault.ending == "protocol broken" else fault.detail

"""The worker processes of a comparison: started, read, and ended with all that they have started."""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import isolation_fast
from isolation_fast.exceptions import WorkerError
from isolation_fast.jail import NOBODY, LevelName
from isolation_fast.jail.copies import give_to_nobody, modules_named, new_folder
from isolation_fast.process import end_of, status_of
from isolation_fast.submission import NotCopiedError
from validation.messages import TIME_LIMIT, UNREADABLE, left_by_ours, message_of
from validation.sources import Surroundings, environment
from validation.worker import Request

__all__ = ["Report", "Task", "run_tasks"]

# The working directory leaves the path before anything is imported; the package is found where it is here.
# This program leaves the path again: its folder is a whole tree, and a submission must not import from it.
BOOT: Final = (
    "import sys; sys.path[:] = [each for each in sys.path if each]; program, package = sys.argv[1:3]; "
    "del sys.argv[1:3]; sys.path += [] if package in sys.path else [package]; sys.path.append(program); "
    "from validation.worker import main; sys.path.remove(program); main()"
)
LONGEST_REPORT: Final = 16 * 2**20
LONGEST_COMPLAINT: Final = 4_000
CHUNK: Final = 2**16
REMOVALS: Final = 3
# How often to look whether a process ended without a message.
LOOK_SECONDS: Final = 0.2


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


class _Worker:
    """One process with its own copy of the submission, its pipes and its time."""

    def __init__(self, task: Task) -> None:
        self.report = Report(task)
        self._is_for_nobody = task.jail is not None and os.geteuid() == 0
        self._folder = new_folder(for_nobody=self._is_for_nobody)
        self._process: subprocess.Popen[bytes] | None = None
        self._line = b""
        self._received = 0
        self._complaint = b""
        self._done = False
        self.descriptors: dict[int, Any] = {}
        self.deadline = float("inf")

    def start(self) -> None:
        task, around = self.report.task, Surroundings(self._folder)
        originals = [Path(each["path"]) for each in task.request.checkouts]
        checkouts = around.make(task.file, originals, trusted=task.jail is None)
        request = asdict(task.request)
        request["path"] = str(around.submission / task.file.name)
        for each, copy in zip(request["checkouts"], checkouts, strict=True):
            each["path"] = str(copy)
        if self._is_for_nobody:
            give_to_nobody(around.place)
        results, results_end = os.pipe()
        self.descriptors[results] = self._take_results
        message = {
            "descriptor": results_end,
            "memory": task.memory,
            "seconds": task.seconds,
            "jail": task.jail
            and {
                "level": task.jail,
                "readable": [str(around.place)],
                "modules": modules_named(around.submission),
                "user": NOBODY if self._is_for_nobody else None,
            },
            "hidden": around.names(task.name),
            "examine": request,
        }
        roots = [str(Path(each).resolve().parents[1]) for each in (__file__, isolation_fast.__file__)]
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-B", "-c", BOOT, *roots, json.dumps(message)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(results_end,),
                cwd=around.place,
                env=environment(around),
                start_new_session=True,
            )
        finally:
            os.close(results_end)
        assert self._process.stderr is not None
        complaints = os.dup(self._process.stderr.fileno())
        self._process.stderr.close()
        self.descriptors[complaints] = self._take_complaint
        self.deadline = time.monotonic() + task.seconds

    def read(self, descriptor: int) -> bool:
        """Take what is there; False at its end."""
        content = os.read(descriptor, CHUNK)
        if content:
            self.descriptors[descriptor](content)
        return bool(content)

    def _take_complaint(self, content: bytes) -> None:
        self._complaint = (self._complaint + content)[-LONGEST_COMPLAINT:]

    def _take_results(self, content: bytes) -> None:
        self._received += len(content)
        if self._received > LONGEST_REPORT:
            self.report.stopped = "its report is too long"
            return
        *lines, self._line = (self._line + content).split(b"\n")
        for line in lines:
            if self._done or self.report.stopped is not None:
                return
            message = message_of(line)
            if message is None:
                self.report.stopped = UNREADABLE
            elif message["kind"] == "done":
                self._done = True
            elif message["kind"] == "stopped":
                self.report.stopped = str(message.get("reason"))
            else:
                if message["kind"] == "phase":
                    message["at"] = time.monotonic()
                self.report.messages.append(message)

    def has_ended(self) -> bool:
        """Whether there is nothing more to wait for; notes why, if that is before its time."""
        if self._done or self.report.stopped is not None:
            return True
        if time.monotonic() >= self.deadline:
            self.report.stopped = TIME_LIMIT
            return True
        assert self._process is not None
        status = status_of(self._process)
        if status is None:
            return False
        for descriptor in self.descriptors:
            os.set_blocking(descriptor, False)
            with suppress(BlockingIOError):
                while self.read(descriptor):
                    pass
        if not self._done and self.report.stopped is None:
            self.report.stopped = self._end_of(status)
        return True

    def _end_of(self, status: int) -> str:
        if not self.report.messages:
            last = self._complaint.decode(errors="replace").strip().rpartition("\n")[2]
            name, why = self.report.task.name, last or "it wrote nothing"
            raise WorkerError(f"the process for {name!r} could not be started: {why}")
        return TIME_LIMIT if -status in (signal.SIGXCPU, signal.SIGALRM) else end_of(status)

    def conclude(self) -> None:
        """Note whether it is ours that kept the process from its end."""
        report = self.report
        try:
            report.left_by_ours = left_by_ours(report.messages, report.stopped, time.monotonic())
        except (AttributeError, KeyError, TypeError, ValueError):
            report.stopped = UNREADABLE

    def close(self) -> None:
        """End the process and all others of its group, and remove its files. May be called at any moment."""
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
            self._process.wait()
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors.clear()
        # Once more where a process of the group was still writing when it was ended.
        for _ in range(REMOVALS):
            shutil.rmtree(self._folder, ignore_errors=True)
            if not os.path.lexists(self._folder):
                break
            time.sleep(LOOK_SECONDS)


def run_tasks(tasks: Iterable[Task], workers: int) -> Generator[Report, None, None]:
    """Run each task in a process of its own, so many at a time; gives reports as they come.

    However this ends, by an exception or because the caller asks for no other report, no process is left.
    """
    waiting = iter(tasks)
    running: list[_Worker] = []
    with selectors.DefaultSelector() as selector:
        try:
            while True:
                while len(running) < workers and (task := next(waiting, None)) is not None:
                    with _signals_held_back():
                        worker = _Worker(task)
                        running.append(worker)
                        try:
                            worker.start()
                        except NotCopiedError as error:
                            worker.report.stopped = str(error)
                    for descriptor in worker.descriptors:
                        selector.register(descriptor, selectors.EVENT_READ, worker)
                if not running:
                    return
                _listen(selector, min(worker.deadline for worker in running))
                for worker in [each for each in running if each.has_ended()]:
                    for descriptor in worker.descriptors:
                        with suppress(KeyError):
                            selector.unregister(descriptor)
                    worker.conclude()
                    worker.close()
                    running.remove(worker)
                    yield worker.report
        finally:
            for worker in running:
                worker.close()


def _listen(selector: selectors.BaseSelector, deadline: float) -> None:
    """Wait a little for something to read, and read it."""
    wait = max(0.0, min(LOOK_SECONDS, deadline - time.monotonic()))
    if not selector.get_map():
        time.sleep(wait)
        return
    for key, _ in selector.select(wait):
        if not key.data.read(key.fd):
            selector.unregister(key.fd)


@contextmanager
def _signals_held_back() -> Iterator[None]:
    """Ctrl-C waits until the process that is being started can be ended; the process itself accepts it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

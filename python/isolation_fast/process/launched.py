"""A process that was started, a pipe in each direction: what it sends and prints, its end, its CPU time.

On Windows, which cannot wait for pipes and passes on no other descriptors, the pipes are the stdin and stdout
of the process, and a thread reads what it sends.
"""

from __future__ import annotations

import os
import queue
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from math import ceil
from time import monotonic
from typing import Any, Final

from isolation_fast.exceptions import WorkerError
from isolation_fast.process.starting import WINDOWS, Ends, Start

LOOK_SECONDS: Final = 0.05
PART: Final = 2**16
STDERR: Final = 2
# A process that ends closes its pipes first: for so long something may still come.
LAST_WORDS_SECONDS: Final = 1.0
# The kernel takes a while to give back much memory.
KILL_SECONDS: Final = 30.0
# What is still in the pipes of a process that ended. One that escaped from its group may go on writing.
LAST_READS: Final = 32
# `CPUCLOCK_SCHED` of the kernel: what the scheduler counted, for the process and all its threads.
SCHEDULED: Final = 2

BROKEN: Final = OSError if WINDOWS else BrokenPipeError


def cpu_seconds_of(process: int) -> float:
    """The CPU time of another process, read from outside, where the process cannot touch it. Linux only.

    It goes by the number of the process, so read it only while nobody but the reader can reap the process: as
    a zombie a process still has its number, and its clock stands still.

    >>> 0 < cpu_seconds_of(os.getpid()) <= time.process_time()
    True
    """
    # As `clock_getcpuclockid` computes it.
    return time.clock_gettime((~process << 3) | SCHEDULED)


@dataclass(frozen=True, slots=True)
class Output:
    """What a process printed, so far as it is kept, and how many bytes were dropped."""

    stdout: bytes = b""
    stderr: bytes = b""
    dropped: int = 0

    @property
    def last_line(self) -> str:
        """The last line of stderr, which often says why the process ended."""
        return self.stderr.decode(errors="replace").strip().rpartition("\n")[2]


class Launched:
    """Knows bytes, and nothing of what they mean."""

    received: Callable[[bytes], object]
    """Is called with what the process sends."""

    def __init__(self, start: Start, *, keeps_output: bool, passes_descriptors: bool) -> None:
        self.is_dead = self.is_silent = self._is_ended = False
        self._unsent = b""
        self._kept = (bytearray(), bytearray())
        self._dropped, self.output_limit = 0, PART
        self._cpu_read = 0.0
        with ExitStack() as theirs, ExitStack() as ours:
            wanted, self.requests = _sockets(theirs, ours) if passes_descriptors else _pipe(theirs, ours)
            self.answers, given = _pipe(ours, theirs)
            printed = [_pipe(ours, theirs) for _ in range(2 if keeps_output else 0)]
            self.streams = {each: kept for (each, _), kept in zip(printed, self._kept, strict=False)}
            self.process = start(Ends(wanted, given, *(each for _, each in printed)))
            try:
                self._listen(ours)
            except BaseException:
                self.process.kill()
                self.process.reap()
                raise
            self._descriptors = ours.pop_all()

    @property
    def tells_its_end(self) -> bool:
        """Whether the system reports the end of the process, so that nobody has to look for it."""
        return self._end is not None

    @property
    def cpu_seconds(self) -> float:
        """The CPU time since it was started, up to its end; 0 where the system does not tell it."""
        # Once it is reaped, its number may be another's.
        if not self._is_ended and sys.platform == "linux":
            with suppress(OSError):  # its parent has ended, and another one has reaped it
                self._cpu_read = cpu_seconds_of(self.process.pid)
        return self._cpu_read

    @property
    def cpu_seconds_read(self) -> float:
        """The CPU time as it was read last: at its last answer, or at its end."""
        return self._cpu_read

    @property
    def output(self) -> Output:
        """What it printed so far."""
        return Output(bytes(self._kept[0]), bytes(self._kept[1]), self._dropped)

    @property
    def status(self) -> int | None:
        """How it ended, as `poll` says it; None while it runs."""
        return self.process.status

    def send(self, content: bytes, descriptors: Sequence[int] = ()) -> None:
        """Write what the pipe takes; the rest when it takes more."""
        waiting = bool(self._unsent)
        try:
            sent = _sent(self.requests, content, descriptors)
        except BlockingIOError:
            sent = 0
        except BROKEN:
            self.is_silent, sent = True, len(content)
        self._unsent = content[sent:]
        if WINDOWS:  # where it waits
            if self._unsent:
                self.send(self._unsent)
        elif self._unsent and not waiting:
            self._poll.register(self.requests, select.POLLOUT)
        elif waiting and not self._unsent:
            self._poll.unregister(self.requests)

    def look(self, milliseconds: int) -> None:
        """Read what is there or comes within that time, and see whether it has ended."""
        if WINDOWS:
            self._take_from_thread(milliseconds / 1000)
        else:
            for descriptor, _ in self._poll.poll(milliseconds):
                if descriptor == self.answers:
                    self._take_answers()
                elif descriptor == self._end:
                    self.is_dead = True
                elif descriptor == self.requests:
                    self.send(self._unsent)
                else:
                    self.take_output(descriptor)
        self.is_dead = self.is_dead or (self._end is None and self.status is not None)
        if self.is_dead:
            # Its last answer may have come since.
            for _ in range(LAST_READS):
                if not (self._take_from_thread(LAST_WORDS_SECONDS) if WINDOWS else self._take_answers()):
                    break

    def has_ended_within(self, seconds: float = LAST_WORDS_SECONDS) -> bool:
        """Wait so long for its end."""
        if self._end is not None:
            ending = select.poll()
            ending.register(self._end, select.POLLIN)
            return bool(ending.poll(ceil(seconds * 1000)))
        until = monotonic() + seconds
        while (status := self.status) is None and monotonic() < until:
            time.sleep(LOOK_SECONDS)
        return status is not None

    def take_output(self, descriptor: int) -> bool:
        """Read what it has printed, keep what there is room for; False if there is nothing."""
        try:
            content = os.read(descriptor, PART)
        except BlockingIOError:
            return False
        if not content:
            with suppress(KeyError):
                self._poll.unregister(descriptor)
            return False
        kept = self.streams[descriptor]
        part = content[: max(0, self.output_limit - len(kept))]
        kept += part
        self._dropped += len(content) - len(part)
        return True

    def end(self) -> None:
        """End it, and all others of its group."""
        if self._is_ended:
            return
        # Stopped before the rest is read, or one that floods its pipes would never be through.
        if self._end is not None:
            # Whatever became of its parent and of its number, this one is meant. It may have no group yet.
            with suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(self._end, signal.SIGKILL)
        self.process.kill()
        if not self.has_ended_within(KILL_SECONDS):
            raise WorkerError(f"the process {self.process.pid} cannot be ended")
        for descriptor in self.streams:
            for _ in range(LAST_READS):
                if not self.take_output(descriptor):
                    break
        _ = self.cpu_seconds
        self._is_ended = True
        self.process.reap()

    def close(self) -> None:
        """Close our ends of the pipes."""
        self._descriptors.close()

    def _listen(self, ours: ExitStack) -> None:
        """Prepare to be woken by what it sends and prints, and by its end."""
        self._end: int | None = None
        if WINDOWS:
            self._parts: queue.SimpleQueue[bytes] = queue.SimpleQueue()
            reading = threading.Thread(target=self._pass_on, args=(os.dup(self.answers),), daemon=True)
            reading.start()
            return
        if hasattr(os, "pidfd_open"):
            # Until it is reaped, and we alone do that, its number, its group and its clock are its own.
            self._end = os.pidfd_open(self.process.pid)
            ours.callback(os.close, self._end)
        self._poll: Any = select.poll()
        for descriptor in (self.answers, *self.streams, self._end):
            if descriptor is not None:
                self._poll.register(descriptor, select.POLLIN)
        for descriptor in (self.requests, self.answers, *self.streams):
            os.set_blocking(descriptor, False)

    def _pass_on(self, answers: int) -> None:
        content = b"more"
        while content:
            content = b""
            with suppress(OSError):
                content = os.read(answers, PART)
            self._parts.put(content)
        os.close(answers)

    def _take_from_thread(self, seconds: float) -> bool:
        try:
            content = self._parts.get(timeout=seconds)
        except queue.Empty:
            return False
        self.is_silent = self.is_silent or not content
        self.received(content)
        return bool(content)

    def _take_answers(self) -> bool:
        """Read a part of what it has sent; False if there is nothing."""
        try:
            content = os.read(self.answers, PART)
        except BlockingIOError:
            return False
        self.received(content)
        if not content and not self.is_silent:
            self.is_silent = True
            self._poll.unregister(self.answers)
        return bool(content)


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """A pipe, each end of which is closed with its stack."""
    ends = [_above_the_standard_ones(each) for each in os.pipe()]
    reader.callback(os.close, ends[0])
    writer.callback(os.close, ends[1])
    return ends[0], ends[1]


def _sockets(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """What takes the place of a pipe where descriptors are passed."""
    # Not at the top, nor below: a jailed process has this module too, and starts nothing.
    import socket

    ends = [_above_the_standard_ones(each.detach()) for each in socket.socketpair()]
    reader.callback(os.close, ends[0])
    writer.callback(os.close, ends[1])
    return ends[0], ends[1]


def _sent(to: int, content: bytes, descriptors: Sequence[int]) -> int:
    if not descriptors:
        return os.write(to, content)
    import socket

    with socket.socket(fileno=os.dup(to)) as passing:
        return socket.send_fds(passing, [content], descriptors)


def _above_the_standard_ones(descriptor: int) -> int:
    """Where our own stdin is closed its number goes to the next pipe, which would be stdin to the process."""
    if descriptor > STDERR or WINDOWS:
        return descriptor
    # Not at the top: Windows does not have it.
    import fcntl

    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, STDERR + 1)
    finally:
        os.close(descriptor)

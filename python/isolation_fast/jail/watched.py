"""A process that nobody trusts: asked over a pipe, its CPU time read from outside, ended when it must be.

Whatever it does, each call here ends: by an answer of the right form, or by a `Fault` and the process's end.
Linux only.
"""

from __future__ import annotations

import os
import secrets
import select
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from math import ceil, inf
from time import monotonic
from typing import Final, NamedTuple

from isolation_fast.endings import Fault
from isolation_fast.exceptions import WorkerError
from isolation_fast.jail.answers import Output
from isolation_fast.jail.cpu_clock import CpuClock
from isolation_fast.jail.frames import Frame, FrameError, FrameReader, Kind
from isolation_fast.process.ends import end_of, status_of

__all__ = ["UNASKED", "Asked", "Pipes", "WatchedProcess"]

UNASKED: Final = 0
"""The number of the one frame that nobody asks for: that the process is ready."""

CHUNK: Final = 2**16
DEFAULT_OUTPUT: Final = 2**16
# How often it is looked whether we are interrupted; and without that, whether a clock has run out after all.
LOOK_SECONDS: Final = 0.05
LONGEST_LOOK: Final = 1.0
# A process that ends closes its pipes first: for so long it may still be ending.
LAST_WORDS_SECONDS: Final = 1.0
# The kernel takes a while to give back much memory.
KILL_SECONDS: Final = 30.0
# What is still in the pipes of one that has ended. Who escaped from its group may go on writing.
LAST_READS: Final = 32
# The clock counts nanoseconds.
MOST_DIGITS: Final = 9


class Pipes(NamedTuple):
    """Our ends, none of which blocks."""

    requests: int
    answers: int
    stdout: int
    stderr: int


class Asked(NamedTuple):
    """What came, and the CPU time that the process used since it answered before."""

    frame: Frame
    cpu_seconds: float


class WatchedProcess:
    """Belongs to one thread at a time, but for `close`, which belongs to the last."""

    def __init__(self, process: subprocess.Popen[bytes], pipes: Pipes) -> None:
        """From here on the pipes are its own, whatever happens."""
        self._process, self._pipes, self._owner = process, pipes, os.getpid()
        self._descriptors = list(pipes)
        self._fault: Fault | None = None
        self._closed = False
        # Until it is reaped, and we alone do that, its number, its group and its clock are its own.
        self._end = os.pidfd_open(process.pid)
        self._descriptors.append(self._end)
        self._clock = CpuClock(process.pid)
        self._cpu_at_end = 0.0
        # What it uses while nobody asks it counts for what it is asked next, or it would think for nothing.
        self._counted = self._clock.seconds()
        self._number = secrets.randbits(64)
        self._reader = FrameReader()
        self._unsent = b""
        self._dead = self._silent = False
        self._kept = {pipes.stdout: bytearray(), pipes.stderr: bytearray()}
        self._dropped = 0
        self.output_limit = DEFAULT_OUTPUT
        self._poll = select.poll()
        for descriptor in (pipes.answers, pipes.stdout, pipes.stderr, self._end):
            self._poll.register(descriptor, select.POLLIN)

    @property
    def is_alive(self) -> bool:
        """Whether it has neither ended nor been ended."""
        return not self._closed and self._fault is None and status_of(self._process) is None

    @property
    def cpu_seconds(self) -> float:
        """The CPU time since it was started, up to its end."""
        # Once it is reaped, its number may be another's.
        has_ended = self._closed or self._process.returncode is not None
        return self._cpu_at_end if has_ended else self._clock.seconds()

    @property
    def output(self) -> Output:
        """What came on its descriptors 1 and 2."""
        stdout, stderr = (bytes(self._kept[each]) for each in (self._pipes.stdout, self._pipes.stderr))
        return Output(stdout, stderr, self._dropped)

    def ask(
        self,
        kind: Kind,
        content: bytes,
        wanted: Kind,
        cpu: float,
        wall: float,
        interrupted: Callable[[], bool] | None = None,
    ) -> Asked:
        """Send a request and wait for a frame of the wanted kind, or one that tells a fault."""
        self._require_silence()
        number = self._number = (self._number + 1) % 2**64
        try:
            self._send(Frame(kind, number, content).encoded())
            return self._wait(wanted, number, cpu, wall, interrupted)
        except Fault:
            raise
        except BaseException:
            # Its answer would come when nobody asks for it any more.
            self.close()
            raise

    def wait_for(self, kind: Kind, wall: float, interrupted: Callable[[], bool] | None = None) -> Asked:
        """Wait for a frame that comes of itself."""
        return self._wait(kind, UNASKED, inf, wall, interrupted)

    def break_off(self, detail: str) -> Fault:
        """End it because of what it sent; the fault to raise."""
        return self._ended_by(Fault("protocol broken", detail))

    def close(self) -> None:
        """End it, and all others of its group. May be called at any moment, and again."""
        if self._owner == os.getpid():
            self._kill()
        self._closed = True
        while self._descriptors:
            os.close(self._descriptors.pop())

    def _require_silence(self) -> None:
        """Nobody has asked it for anything, so nothing may be there."""
        if self._closed:
            raise ValueError("the process is closed")
        if self._fault is not None:
            raise self._fault
        if self._take(0) is not None or not self._reader.is_empty:
            raise self.break_off("sent an answer that nobody had asked for")

    def _wait(
        self,
        wanted: Kind,
        number: int,
        cpu: float,
        wall: float,
        interrupted: Callable[[], bool] | None,
    ) -> Asked:
        look = LONGEST_LOOK if interrupted is None else LOOK_SECONDS
        used = waited = 0.0
        while True:
            pause = min(look, cpu - used, wall - waited)
            start = monotonic()
            frame = self._take(ceil(pause * 1000) + 1)
            used = (now := self._clock.seconds()) - self._counted
            if used > cpu:
                raise self._timeout(*_overdrawn(used, cpu))
            if frame is not None:
                self._counted = now
                return Asked(self._checked(frame, wanted, number), used)
            # More than that, and it was this process that slept, or the machine.
            waited += min(monotonic() - start, pause + LONGEST_LOOK)
            if waited > wall:
                raise self._timeout(f"did not answer within {wall:g} s", f"{used:.1f} s of CPU time")
            if interrupted is not None and interrupted():
                raise KeyboardInterrupt

    def _take(self, milliseconds: int) -> Frame | None:
        """Read what is there or comes within that time; the next frame if it is complete."""
        answers, requests = self._pipes.answers, self._pipes.requests
        for descriptor, _ in self._poll.poll(milliseconds):
            if descriptor == answers:
                self._take_answers()
            elif descriptor == self._end:
                self._dead = True
            elif descriptor == requests:
                self._send(self._unsent)
            else:
                self._take_output(descriptor)
        if self._dead:
            # The poll may have looked at the answers before the last one came.
            self._take_answers()
        try:
            frame = self._reader.next()
        except FrameError as error:
            raise self.break_off(str(error)) from None
        if frame is None and (self._dead or self._silent):
            raise self._gone()
        return frame

    def _checked(self, frame: Frame, wanted: Kind, number: int) -> Frame:
        if frame.kind not in (wanted, Kind.FAULT):
            raise self.break_off(f"sent {frame.kind.name} where {wanted.name} was asked for")
        if frame.number != number:
            raise self.break_off("sent an answer with another number than that of the request")
        if not self._reader.is_empty:
            raise self.break_off("sent more than an answer")
        return frame

    def _send(self, content: bytes) -> None:
        """Write what the pipe takes; the rest when it takes more."""
        waiting = bool(self._unsent)
        try:
            sent = os.write(self._pipes.requests, content)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:
            self._silent, sent = True, len(content)
        self._unsent = content[sent:]
        if self._unsent and not waiting:
            self._poll.register(self._pipes.requests, select.POLLOUT)
        elif waiting and not self._unsent:
            self._poll.unregister(self._pipes.requests)

    def _take_answers(self) -> None:
        try:
            content = os.read(self._pipes.answers, CHUNK)
        except BlockingIOError:
            return
        self._reader.feed(content)
        if not content and not self._silent:
            self._silent = True
            self._poll.unregister(self._pipes.answers)

    def _take_output(self, descriptor: int) -> bool:
        """Read what it has printed, keep what there is room for; False if there is nothing."""
        try:
            content = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return False
        if not content:
            with suppress(KeyError):
                self._poll.unregister(descriptor)
            return False
        kept = self._kept[descriptor]
        part = content[: max(0, self.output_limit - len(kept))]
        kept += part
        self._dropped += len(content) - len(part)
        return True

    def _gone(self) -> Fault:
        """The fault of a process that has ended, or has closed our pipes."""
        if not self._dead:
            self._dead = self._has_ended_within(LAST_WORDS_SECONDS)
        status = status_of(self._process) if self._dead else None
        if status is None:
            return self.break_off("closed the pipe to its referee")
        if status == -signal.SIGSYS:
            return self._ended_by(Fault("refused", "made a system call that ends the process"))
        return self._ended_by(Fault("killed", end_of(status)))

    def _has_ended_within(self, seconds: float) -> bool:
        ending = select.poll()
        ending.register(self._end, select.POLLIN)
        return bool(ending.poll(ceil(seconds * 1000)))

    def _timeout(self, what: str, beside: str) -> Fault:
        return self._ended_by(Fault("timeout", f"{what} ({beside})", by_clock=True))

    def _ended_by(self, fault: Fault) -> Fault:
        self._fault = fault
        self._kill()
        return fault

    def _kill(self) -> None:
        if self._process.returncode is not None:
            return
        # Stopped before the rest is read, or one that floods its pipes would never be through.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        if not self._has_ended_within(KILL_SECONDS):
            raise WorkerError(f"the process {self._process.pid} cannot be ended")
        for descriptor in self._kept:
            for _ in range(LAST_READS):
                if not self._take_output(descriptor):
                    break
        self._cpu_at_end = self._clock.seconds()
        self._process.wait()


def _overdrawn(used: float, allowed: float) -> tuple[str, str]:
    """What it used and what is allowed, with so many digits that the one is seen to be more."""
    unit, factor, digits = ("ms", 1000, 0) if allowed < 1 else ("s", 1, 1)
    limit = f"{allowed * factor:g}"
    while digits < MOST_DIGITS and float(f"{used * factor:.{digits}f}") <= float(limit):
        digits += 1
    return f"used {used * factor:.{digits}f} {unit} of CPU time", f"{limit} {unit} are allowed"

"""One child process: started, fed, watched, limited and ended, with all that it has started.

A request goes to it over one pipe, and each request ends in one of three ways: by an answer of the right form
over the other pipe; by a `Fault`, which says how the process ended, or why it had to be ended; or by an
exception here, such as Ctrl-C, which ends it too.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from math import ceil, inf
from time import monotonic
from typing import Final, NamedTuple, Protocol

from isolation_fast.endings import Fault
from isolation_fast.process.frames import MOST_BYTES, Frame, FrameError, FrameReader, Kind
from isolation_fast.process.launched import LOOK_SECONDS, Launched
from isolation_fast.process.starting import Start

EXITED: Final = "its process exited with status"
KILLED: Final = "its process was ended by"

UNASKED: Final = 0
"""The number of the one frame that nobody asks for: that the process is ready."""

# The longest time between two looks where there is nothing to look for.
LONGEST_LOOK: Final = 1.0
# The clock counts nanoseconds.
MOST_DIGITS: Final = 9


def end_of(status: int) -> str:
    """A status in words.

    >>> end_of(3), end_of(-9)
    ('its process exited with status 3', 'its process was ended by SIGKILL')
    """
    if status >= 0:
        return f"{EXITED} {status}"
    try:
        return f"{KILLED} {signal.Signals(-status).name}"
    except ValueError:  # the nameless ones between two others
        return f"{KILLED} signal {-status}"


class Asked(NamedTuple):
    """What came, and the CPU time that the process used since it answered before."""

    frame: Frame
    cpu_seconds: float


class Patience(Protocol):
    """How long a process may be silent by the wall clock."""

    @property
    def left(self) -> float:
        """Seconds that may pass before `over` is asked again."""

    def over(self, seconds: float, cpu_seconds: float) -> Fault | None:
        """The fault of a process that was silent for so many more seconds, if that is too long."""


class _Wall:
    """So many seconds for one answer."""

    def __init__(self, seconds: float) -> None:
        self.left = self._seconds = seconds

    def over(self, seconds: float, cpu_seconds: float) -> Fault | None:
        self.left -= seconds
        if self.left >= 0:
            return None
        detail = f"did not answer within {self._seconds:g} s ({cpu_seconds:.1f} s of CPU time)"
        return Fault("timeout", detail, by_clock=True)


class Child(Launched):
    """Used as a context, at the end of which the process and its process group are gone.

    It belongs to one thread at a time, but for `close`, which belongs to the last.
    """

    def __init__(
        self,
        start: Start,
        *,
        keeps_output: bool = False,
        passes_descriptors: bool = False,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """Start it.

        With `keeps_output` what it prints is kept, up to `output_limit` bytes of each stream; else its stdout
        goes nowhere, and its stderr is ours. With `passes_descriptors` a request can bring some along. A
        frame of its holds at most `most_bytes`.
        """
        self._owner, self._most = os.getpid(), most_bytes
        self._number, self._reader = int.from_bytes(os.urandom(8), "big"), FrameReader(most_bytes)
        self._fault: Fault | None = None
        self._closed = False
        self.received = self._reader.feed
        super().__init__(start, keeps_output=keeps_output, passes_descriptors=passes_descriptors)
        # What it uses while nobody asks it counts for what it is asked next, or it would think for nothing.
        self._counted = self.cpu_seconds

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self.process.pid

    @property
    def parent(self) -> int:
        """The number of its parent."""
        return self.process.parent

    @property
    def is_alive(self) -> bool:
        """Whether it has neither ended nor been ended."""
        return not self._closed and self._fault is None and not self.has_ended_within(0)

    def ask(
        self,
        kind: Kind,
        content: bytes,
        wanted: Kind,
        cpu: float,
        wall: float | Patience,
        interrupted: Callable[[], bool] | None = None,
        descriptors: Sequence[int] = (),
    ) -> Asked:
        """Send a request and wait for a frame of the wanted kind, or one of the kind FAULT.

        `interrupted` is asked every 50 ms; if it says yes, a `KeyboardInterrupt` is raised.
        """
        if self._closed:
            raise ValueError("the process is closed")
        if self._fault is not None:
            raise self._fault
        if self._next(0) is not None or not self._reader.is_empty:
            raise self.break_off("sent an answer that nobody had asked for")
        number = self._number = (self._number + 1) % 2**64
        try:
            self.send(Frame(kind, number, content).encoded(self._most), descriptors)
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
            self.end()
        self._closed = True
        super().close()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait(
        self,
        wanted: Kind,
        number: int,
        cpu: float,
        wall: float | Patience,
        interrupted: Callable[[], bool] | None,
    ) -> Asked:
        look = LONGEST_LOOK if interrupted is None and self.tells_its_end else LOOK_SECONDS
        patience = _Wall(wall) if isinstance(wall, int | float) else wall
        used = 0.0
        while True:
            pause = min(look, cpu - used, patience.left)
            start = monotonic()
            frame = self._next(ceil(pause * 1000) + 1, number)
            used = (now := self.cpu_seconds) - self._counted
            if used > cpu:
                raise self._ended_by(Fault("timeout", _overdrawn(used, cpu), by_clock=True))
            if frame is not None:
                self._counted = now
                if frame.kind not in (wanted, Kind.FAULT):
                    raise self.break_off(f"sent {frame.kind.name} where {wanted.name} was asked for")
                if not self._reader.is_empty:
                    raise self.break_off("sent more than an answer")
                return Asked(frame, used)
            # More than that, and it was this process that slept, or the machine.
            fault = patience.over(min(monotonic() - start, pause + LONGEST_LOOK), used)
            if fault is not None:
                raise self._ended_by(fault)
            if interrupted is not None and interrupted():
                raise KeyboardInterrupt

    def _next(self, milliseconds: int, number: int | None = None) -> Frame | None:
        """The next frame, if it is there or comes within that time."""
        self.look(milliseconds)
        try:
            frame = self._reader.next(number)
        except FrameError as error:
            raise self.break_off(str(error)) from None
        if frame is None and (self.is_dead or self.is_silent):
            raise self._gone()
        return frame

    def _gone(self) -> Fault:
        """The fault of a process that has ended, or has closed our pipes."""
        has_ended = self.is_dead or self.has_ended_within()
        status = self.status if has_ended else None
        if status is None:
            return self.break_off("closed the pipe to its referee")
        if status < 0 and -status == getattr(signal, "SIGSYS", None):
            return self._ended_by(Fault("refused", "made a system call that ends the process"))
        return self._ended_by(Fault("killed", end_of(status)))

    def _ended_by(self, fault: Fault) -> Fault:
        self._fault = fault
        self.end()
        return fault


def _overdrawn(used: float, allowed: float) -> str:
    """What it used and what is allowed, with so many digits that the one is seen to be more."""
    unit, factor, digits = ("ms", 1000, 0) if allowed < 1 else ("s", 1, 1)
    limit = f"{allowed * factor:g}"
    while digits < MOST_DIGITS and float(f"{used * factor:.{digits}f}") <= float(limit):
        digits += 1
    return f"used {used * factor:.{digits}f} {unit} of CPU time ({limit} {unit} are allowed)"

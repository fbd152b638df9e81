"""How a process comes to be: its ends of the pipes, and a Python that is started afresh and given them.

What such a Python does first stands here too: it keeps its pipes out of the way, and ends with its parent.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

import isolation_fast

if TYPE_CHECKING:
    import subprocess

LIBRARIES: Final = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")
ENVIRONMENT: Final = {f"{each}_NUM_THREADS": "1" for each in LIBRARIES} | {"PYTHONHASHSEED": "0"}
"""Of each process: other cores are for others, and the order of a set is the same everywhere."""

# Nothing of ours is left in the arguments, nothing of the working directory in the path. Our package is found
# where it is here, whatever else is installed, but after the standard library: its folder may hold more.
# Without the collector of garbage imports take a tenth less.
PROGRAM: Final = (
    "import gc, os, sys; gc.disable(); root, requests, answers = sys.argv[1:]; del sys.argv[1:]; "
    "sys.path[:] = [each for each in sys.path if each]; "
    "root in sys.path or sys.path.insert(sys.path.index(os.path.dirname(os.__file__)) + 1, root); "
    "from {} import main; gc.enable(); main(int(requests), int(answers))"
)

WINDOWS: Final = os.name == "nt"


def program_of(module: str) -> str:
    """The program of a process that calls `main(requests, answers)` of a module: its ends of the pipes."""
    return PROGRAM.format(module)


class Ends(NamedTuple):
    """The descriptors that a process gets. Without `stdout` that goes nowhere, and its stderr is ours."""

    requests: int
    answers: int
    stdout: int | None = None
    stderr: int | None = None
    stdin: int | None = None
    """Of a fork of the nursery; without it that is empty."""


class Started(Protocol):
    """A process, as the one that can end it sees it."""

    @property
    def pid(self) -> int:
        """Its number, which no other process gets before it is reaped."""

    @property
    def parent(self) -> int:
        """The number of its parent."""

    @property
    def status(self) -> int | None:
        """How it ended, as `poll` says it; None while it runs. It is not reaped.

        A `NurseryEndedError` where its parent, which alone can tell, is another process and has ended.
        """

    def kill(self) -> None:
        """End it, and all others of its group; nothing happens where it has ended."""

    def reap(self) -> None:
        """Let its number go, once it has ended."""


Start: TypeAlias = Callable[[Ends], Started]
"""Starts a process with these ends."""


@dataclass(frozen=True)
class Python:
    """Starts a Python that runs `program`, with these options and, besides ours, these variables.

    `folder` is its working directory.
    """

    program: str
    options: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: str | None = None
    hash_seed: int = 0

    def __call__(self, ends: Ends) -> Started:
        """Start it."""
        # Not at the top: a jailed process has this module too, and starts nothing.
        import subprocess

        root = str(Path(isolation_fast.__file__).resolve().parents[1])
        pipes = (0, 1) if WINDOWS else (ends.requests, ends.answers)
        stdout = subprocess.DEVNULL if ends.stdout is None else ends.stdout
        return _Popened(
            subprocess.Popen(
                [sys.executable, *self.options, "-c", self.program, root, *map(str, pipes)],
                stdin=ends.requests if WINDOWS else subprocess.DEVNULL,
                stdout=ends.answers if WINDOWS else stdout,
                stderr=ends.stderr,
                pass_fds=() if WINDOWS else pipes,
                cwd=self.folder,
                env={**self.environment, **ENVIRONMENT, "PYTHONHASHSEED": str(self.hash_seed)},
                # Ctrl-C reaches us alone, and we end it, with all that it has started.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        )


class _Popened:
    """A child of this very process."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process, self.pid, self.parent = process, process.pid, os.getpid()

    @property
    def status(self) -> int | None:
        if self._process.returncode is not None or not hasattr(os, "waitid"):
            return self._process.poll()  # Windows, and macOS before Python 3.13
        # It is left unreaped, so that its number is not given to another one before its group is ended.
        return status_of(self.pid)

    def kill(self) -> None:
        if WINDOWS:
            self._process.kill()
            return
        with suppress(ProcessLookupError, PermissionError):  # not by `kill`, which would reap it
            os.killpg(self.pid, signal.SIGKILL)

    def reap(self) -> None:
        self._process.wait()


def status_of(child: int) -> int | None:
    """How a child of this process ended, as `poll` says it; None while it runs. It is not reaped."""
    ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return int(ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status)


# ---- within the process


def out_of_the_way(requests: int, answers: int) -> tuple[int, int]:
    """Give pipes that are stdin and stdout, as on Windows, other numbers, and put nothing in their place."""
    if (requests, answers) != (0, 1):
        return requests, answers
    kept = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    return kept


def end_with_the_parent(orders: int) -> None:
    """End this process, and all that it starts, when the parent's end of the pipe is closed, in whatever way.

    Linux sends a signal then, which also ends a player that holds the interpreter for good; elsewhere a
    thread waits.
    """
    if sys.platform == "linux":
        # Not at the top: Windows does not have it.
        import fcntl

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
    # Not at the top: a jailed process has this module too, and starts nothing.
    import threading

    threading.Thread(target=_wait_for_the_end, args=(orders,), daemon=True).start()


CAN_WAIT: Final = sys.platform == "linux"
"""Whether a process that ends with its parent can be given another order."""


def wait_for_an_order(orders: int) -> None:
    """Undo `end_with_the_parent`: what comes through the pipe next is an order. Where `CAN_WAIT` says so."""
    if sys.platform == "linux":
        # Not at the top: Windows does not have it.
        import fcntl

        flags = fcntl.fcntl(orders, fcntl.F_GETFL)
        fcntl.fcntl(orders, fcntl.F_SETFL, flags & ~(os.O_ASYNC | os.O_NONBLOCK))


def _wait_for_the_end(orders: int) -> None:
    os.read(orders, 1)
    if hasattr(os, "killpg"):
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)

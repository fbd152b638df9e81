"""The process in which a chunk with Python players is played: started, watched over, and ended."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, Final

import isolation_fast
from isolation_fast.endings import GameEnding
from isolation_fast.exceptions import WorkerError
from isolation_fast.process.chunk_protocol import (
    HELLO,
    LENGTH_BYTES,
    Order,
    Place,
    Progress,
    Stopped,
    framed,
)
from isolation_fast.process.ends import ONE_THREAD, end_of, status_of
from isolation_fast.tournament.entrants import NativeEntrant

__all__ = ["Worker"]

LOOK_SECONDS: Final = 0.05
LONGEST_LOOK: Final = 1.0
"""More than this between two looks counts as this: then it was this process that slept, or the machine."""

OPPONENTS_PATIENCE: Final = 10
"""So many times as long it may be silent behind a turn, where the opponent is none that we watch over."""

LAST_WORDS_SECONDS: Final = 1.0
PIPE_BYTES: Final = 2**16

# Our package is found where it is here; nothing else comes from the working directory.
BOOT: Final = (
    "import sys; sys.path[:] = [each for each in sys.path if each]; "
    "sys.path.append(sys.argv.pop(1)) if sys.argv[1] not in sys.path else sys.argv.pop(1); "
    "from isolation_fast.tournament._worker import main; main()"
)


class Worker:
    """A process with an order: used as a context, at the end of which it and its process group are gone."""

    def __init__(self, order: Order, cells: int) -> None:
        """`cells` are those of the largest board."""
        descriptor, self._file = tempfile.mkstemp(prefix="isolation-fast-")
        os.close(descriptor)
        self._progress = Progress(self._file, cells)
        self._order = replace(order, progress=self._file)
        self._opponent_thinks = any(
            order.chunk.is_jailed(each) or (isinstance(each, NativeEntrant) and each.budget is not None)
            for each in order.chunk.entrants
        )
        self._received = bytearray()
        self._heard = threading.Event()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Worker:
        try:
            self._start()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def report(self, hang_limit: float, interrupted: Callable[[], bool] | None) -> dict[str, Any] | Stopped:
        """Wait for what it reports; where it cannot, for its end."""
        # The watch never stops: a player's code may run behind its turn too, such as a signal's handler.
        waited, mark, before = 0.0, self._progress.mark, monotonic()
        while not self._heard.wait(LOOK_SECONDS):
            if interrupted is not None and interrupted():
                raise KeyboardInterrupt
            now = monotonic()
            step, before = min(now - before, LONGEST_LOOK), now
            if self._status() is not None:
                self._heard.wait(LAST_WORDS_SECONDS)
                break
            place = self._progress.place
            if place is None or self._progress.mark != mark:
                waited, mark = 0.0, self._progress.mark
                continue
            waited += step
            limit = self._patience(place, hang_limit)
            if waited > limit:
                silent = f"no answer within {limit:g} s"
                return self._stopped("hung", silent if place.asked else f"{silent}, behind its turn")
        content = self._content()
        if content is None:
            return self._stopped("killed", self._end())
        try:
            report = dict(json.loads(content))
            return Stopped.from_dict(report["stopped"]) if "stopped" in report else report
        except (ValueError, KeyError, TypeError):
            return self._stopped("killed", "something else than our report came from its process")

    def _start(self) -> None:
        package_root = str(Path(isolation_fast.__file__).resolve().parents[1])
        # Should we be interrupted in here, its pipe is closed with the object, and it ends by that.
        process = self._process = subprocess.Popen(
            [sys.executable, "-c", BOOT, package_root],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_environment(),
            # Ctrl-C reaches us alone, and we end it, with all that it has started.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._listener.start()
        assert process.stdin is not None
        content = memoryview(framed(pickle.dumps(self._order)))
        with suppress(BrokenPipeError):  # how it ended is seen later
            while content:
                content = content[process.stdin.write(content) or 0 :]

    def _listen(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        with suppress(OSError):
            while self._content() is None and (part := os.read(descriptor, PIPE_BYTES)):
                self._received += part
        self._heard.set()

    def _content(self) -> bytes | None:
        """The report, if all of it is there."""
        _, _, content = bytes(self._received).partition(HELLO)
        end = LENGTH_BYTES + int.from_bytes(content[:LENGTH_BYTES], "big")
        return content[LENGTH_BYTES:end] if LENGTH_BYTES <= len(content) >= end else None

    def _patience(self, place: Place, hang_limit: float) -> float:
        """How many seconds may pass without a sign: many more than a turn's time, where that holds."""
        if self._opponent_thinks and not place.asked:
            # An innocent player should not lose by what its opponent's deep search takes, nor by what a
            # jailed one takes, which has limits of its own.
            return hang_limit * OPPONENTS_PATIENCE
        if not place.limited:
            return hang_limit
        turn = self._order.chunk.time_limit / 1000
        return max(2 * turn, min(10 * turn + 5, hang_limit))

    def _stopped(self, ending: GameEnding, detail: str) -> Stopped:
        place = self._progress.place
        if place is None:
            raise WorkerError(f"the process of a chunk ended before it played: {detail}")
        return Stopped(
            ending, detail, place.entrant, place.game, self._progress.moves, by_clock=ending == "hung"
        )

    def _status(self) -> int | None:
        assert self._process is not None
        return status_of(self._process)

    def _end(self) -> str:
        """How it ended, in words."""
        until = monotonic() + LAST_WORDS_SECONDS
        while (status := self._status()) is None and monotonic() < until:
            self._heard.clear()
            self._heard.wait(LOOK_SECONDS)
        return "its process closed our pipe" if status is None else end_of(status)

    def _close(self) -> None:
        if self._process is not None:
            if hasattr(os, "killpg"):
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
            self._process.wait()
            self._listener.join(LAST_WORDS_SECONDS)
            for pipe in (self._process.stdin, self._process.stdout):
                # Whoever escaped from its group may hold the other end: then it stays open as long as that.
                if pipe is not None and (pipe is self._process.stdin or not self._listener.is_alive()):
                    pipe.close()
        self._progress.close()
        Path(self._file).unlink(missing_ok=True)


def _environment() -> dict[str, str]:
    """Ours, but that the order of sets is the same in each process, and that other cores are for others."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
    return {**kept, **dict.fromkeys(ONE_THREAD, "1"), "PYTHONHASHSEED": "0"}

"""The process in which one submission is compared: gives up its rights, then sends findings as JSON lines.

It is started by `running`, with the request as its only argument.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from isolation_fast.comparison.examination import Request, examine
from isolation_fast.comparison.phases import memory_of_this_process
from isolation_fast.exceptions import JailError
from isolation_fast.jail import Policy, lock_down
from isolation_fast.jail.libraries import import_libraries, import_with_its_parts, readable_places
from isolation_fast.text import ADDRESS, COPY

__all__ = ["main"]

LARGEST_FILE: Final = 64 * 2**20
# Behind the limit that the parent watches, should there be no parent any more.
GRACE_SECONDS: Final = 10
# Given back when memory has run out, so that there is enough left to say so.
RESERVE: Final = 8 * 2**20
MEMORY_LIMIT: Final = b'{"kind": "stopped", "reason": "memory limit"}\n'
# A name that `tempfile` made up, and the place of the submission's copy where a long text was cut off in it.
TEMPORARY_NAME: Final = re.compile(r"(TMPDIR/)tmp\w{8}")
CUT_PATH: Final = re.compile(r"[^\s'\"]*/isolation-fast[^\s'\"]*\.\.\.$")


class Channel:
    """Where findings are written, by this process alone."""

    def __init__(self, descriptor: int, hidden: Mapping[str, str]) -> None:
        self._descriptor = descriptor
        # Lines about exceptions have the random name of our folder without its end already.
        self._hidden = {**hidden, **{COPY.sub("isolation-fast", path): hidden[path] for path in hidden}}
        self._process = os.getpid()

    def send(self, message: Mapping[str, Any]) -> None:
        """Write a message as one line. What is of this machine or this run alone is replaced."""
        if os.getpid() != self._process:
            # The submission has forked, and its child came back out of the submission's code.
            os._exit(0)
        self.write(json.dumps(self._shown(dict(message))).encode() + b"\n")

    def write(self, line: bytes) -> None:
        """Write a line as it is."""
        while line:
            line = line[os.write(self._descriptor, line) :]

    def _shown(self, value: Any) -> Any:
        if isinstance(value, str):
            for path, name in self._hidden.items():
                value = value.replace(path, name)
            return ADDRESS.sub("", TEMPORARY_NAME.sub(r"\1tmp...", CUT_PATH.sub("...", value)))
        if isinstance(value, dict):
            return {self._shown(key): self._shown(each) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._shown(each) for each in value]
        return value


def main() -> None:
    """Compare one submission. The process ends here, whatever threads the submission has left behind."""
    request = json.loads(sys.argv[1])
    channel = Channel(request["descriptor"], request["hidden"])
    channel.send({"kind": "started"})
    # The submission is told nothing of us: no argument, and the working directory is its own.
    sys.argv[:] = [request["examine"]["path"]]
    os.chdir(Path(request["examine"]["path"]).parent)
    reserve = [bytes(RESERVE)]
    try:
        _limit(request["memory"], request["seconds"])
        if request["jail"]:
            _lock(request)
        examine(Request(**request["examine"]), channel.send)
    except MemoryError:
        reserve.clear()
        channel.write(MEMORY_LIMIT)
    except BaseException as error:  # noqa: BLE001 - what submissions raise is caught where they are called
        fault = f"{type(error).__name__}: {error}"
        channel.send({"kind": "stopped", "reason": f"the comparison itself failed: {fault}"})
    channel.send({"kind": "done"})
    os._exit(0)


def _lock(request: Mapping[str, Any]) -> None:
    """Close the jail, once all is imported that cannot be any more then. Nothing of it has run by now."""
    wanted = request["jail"]
    import_libraries()
    for name in wanted["modules"]:
        import_with_its_parts(name)
    policy = Policy(
        readable=(*readable_places(), *wanted["readable"]),
        memory=request["memory"],
        user=wanted["user"],
        parent=os.getppid(),
    )
    level = lock_down(policy)
    if level.name != wanted["level"]:
        raise JailError(f"the jail is {level.name}, and it was to be {wanted['level']}")


def _limit(memory: int, seconds: float) -> None:
    """Bound what this process and those that it starts may use, for good."""
    # The parent held signals back while it started this process.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    allowed = memory * 2**20
    if memory_of_this_process().get("size", 0) >= allowed:
        # Not left to chance: Python's parser, for one, calls it a syntax error when it gets no memory at all.
        raise MemoryError
    _lower(resource.RLIMIT_AS, allowed)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, LARGEST_FILE)
    _lower(resource.RLIMIT_CPU, int(seconds) + GRACE_SECONDS)
    signal.alarm(int(seconds) + GRACE_SECONDS)


def _lower(what: int, limit: int) -> None:
    _, hard = resource.getrlimit(what)
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(what, (limit, limit))

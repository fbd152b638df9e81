"""On which board a submission is asked at the moment, and whether it is ours that it did not come back from.

The worker says so before each phase. Where its process ends in one of ours, and the classic board came
through the same, that is a difference; a limit that both boards have used up together is none.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from isolation_fast.process.ends import EXITED, KILLED

__all__ = ["MEMORY_LIMIT", "TIME_LIMIT", "BoardName", "left_by_ours", "memory_of_this_process", "phase"]

BoardName: TypeAlias = Literal["classic", "ours"]

TIME_LIMIT: Final = "time limit"
MEMORY_LIMIT: Final = "memory limit"
# What a process does to itself. The others come from outside: from a user, or a system without memory.
CRASHES: Final = tuple(f"{KILLED} {name}" for name in ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV"))
# Ours is to blame if it took so many times what the classic board took, and was still not done.
TIMES_THE_TIME: Final = 5.0
LEAST_SECONDS: Final = 1.0
TIMES_THE_MEMORY: Final = 2.0
STATUS: Final = Path("/proc/self/status")
LONGEST_STATUS: Final = 2**14


def phase(what: str, board: BoardName) -> dict[str, Any]:
    """The message that comes before a heuristic, a player or an import is tried on a board.

    >>> phase("custom_score", "ours")["board"]
    'ours'
    """
    return {"kind": "phase", "what": what, "board": board, **memory_of_this_process()}


def memory_of_this_process() -> dict[str, int]:
    """The memory of this process, as Linux counts it: now, at its peak, and what is left."""
    # Not at the top: Windows does not have it.
    import resource

    try:
        lines = os.pread(_status(), LONGEST_STATUS, 0).decode(errors="replace").splitlines()
    except OSError:
        return {}
    found = dict(line.split(":", 1) for line in lines if line.startswith(("VmSize:", "VmPeak:")))
    if len(found) < 2:  # the submission has closed it, and opened something else
        return {}
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    size, peak = (int(found[each].split()[0]) * 1024 for each in ("VmSize", "VmPeak"))
    return {"size": size, "peak": peak, "left": limit - size}


@cache
def _status() -> int:
    """Opened once: in the jail it cannot be opened any more, but still be read."""
    return os.open(STATUS, os.O_RDONLY)


def left_by_ours(messages: Sequence[Mapping[str, Any]], stopped: str | None, ended: float) -> str | None:
    """What was tried when the process ended, if it was on our board and the classic one came through that.

    Each phase has the time `at` which it began; the process was seen to end at `ended`.

    >>> classic = {"kind": "phase", "what": "custom_score", "board": "classic", "at": 1.0}
    >>> messages = [classic, {**classic, "board": "ours", "at": 2.0}]
    >>> left_by_ours(messages, "time limit", 60.0), left_by_ours(messages, "time limit", 4.0)
    ('custom_score', None)
    >>> left_by_ours(messages[:1], "time limit", 60.0) is None
    True
    """
    last = messages[-1] if messages else {}
    if stopped is None or last.get("kind") != "phase" or last["board"] != "ours":
        return None
    what = str(last["what"])
    pairs = [
        (one, other)
        for one, other in pairwise(messages)
        if one["kind"] == other["kind"] == "phase" and (one["what"], one["board"]) == (what, "classic")
    ]
    if not pairs:
        return None
    if stopped == TIME_LIMIT:
        longest = max(other["at"] - one["at"] for one, other in pairs)
        to_blame = ended - last["at"] > max(LEAST_SECONDS, TIMES_THE_TIME * longest)
    elif stopped == MEMORY_LIMIT:
        to_blame = "left" in last and last["left"] > TIMES_THE_MEMORY * max(
            other["peak"] - one["size"] for one, other in pairs
        )
    else:
        to_blame = stopped.startswith((EXITED, *CRASHES))
    return what if to_blame else None

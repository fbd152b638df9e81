"""What a worker sends, and the findings that follow from it.

A submission shares its process with what reports on it, and may write into the report. What cannot be read
there is the submission's failure, not the comparison's.

The worker names each phase before it begins. Where its process ends in a phase on our board, and the classic
board came through the same, that is a difference; a limit that both boards used up together is none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeAlias, get_args

from isolation_fast.process import EXITED, KILLED
from validation.findings import (
    BoardName,
    HeuristicFinding,
    HeuristicVerdict,
    PlayerFinding,
    PlayerVerdict,
    SubmissionFindings,
)

__all__ = [
    "LONGEST_REPORT",
    "MEMORY_LIMIT",
    "TIME_LIMIT",
    "UNREADABLE",
    "findings_of",
    "left_by_ours",
    "memory_of_this_process",
    "message_of",
    "phase",
]

UNREADABLE: Final = "its report cannot be read: the submission wrote into it"
Messages: TypeAlias = Sequence[Mapping[str, Any]]

INCOMPLETE: Final = "its report is incomplete"
VERDICTS: Final = frozenset({*get_args(HeuristicVerdict), *get_args(PlayerVerdict)})
LONGEST_REPORT: Final = 16 * 2**20
"""Bytes of all messages of a worker."""

TIME_LIMIT: Final = "time limit"
MEMORY_LIMIT: Final = "memory limit"
# What a process does to itself. Other signals come from outside: a user, or a system without memory.
CRASHES: Final = tuple(f"{KILLED} {name}" for name in ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV"))
# Ours is to blame if it had not finished after so many times what the classic board took.
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


def message_of(line: bytes) -> dict[str, Any] | None:
    """The message that is a line of the report; None where it is none.

    >>> message_of(b'{"kind": "done"}'), message_of(b"3"), message_of(b"done")
    ({'kind': 'done'}, None, None)
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) and isinstance(message.get("kind"), str) else None


def findings_of(
    name: str, messages: Messages, stopped: str | None, left_by_ours: str | None = None
) -> SubmissionFindings:
    """Put a worker's messages together; what it did not reach is not compared.

    What it came through on the classic board, and not on ours, is a difference.

    >>> findings_of("ann", [{"kind": "reason", "reason": "no heuristics"}], None).reason
    'no heuristics'
    >>> findings_of("ann", [{"kind": "heuristic", "finding": 3}], None).reason == UNREADABLE
    True
    """
    try:
        left = [] if left_by_ours is None else [_difference(messages, left_by_ours, stopped)]
        return _put_together(name, [*messages, *left], stopped)
    except (AttributeError, KeyError, TypeError, ValueError):
        return SubmissionFindings(name, reason=UNREADABLE)


def _difference(messages: Messages, what: str, stopped: str | None) -> dict[str, Any]:
    """The message that the worker could no longer send."""
    detail = f"only on ours: {stopped}"
    if any(each["kind"] == "loaded" and what in each["players"] for each in messages):
        return {"kind": "player", "finding": asdict(PlayerFinding(what, "differs", {}, {}, detail))}
    return {"kind": "heuristic", "finding": asdict(HeuristicFinding(what, "differs", detail=detail))}


def _put_together(name: str, messages: Messages, stopped: str | None) -> SubmissionFindings:
    content: dict[str, Any] = {"layout": None, "checkout": None, "reason": None}
    expected: dict[str, list[str]] = {"heuristics": [], "players": [], "templates": []}
    heuristics: dict[str, HeuristicFinding] = {}
    players: dict[str, PlayerFinding] = {}
    loaded = False
    for message in messages:
        kind = message["kind"]
        if kind == "outline":
            content.update(layout=str(message["layout"]), checkout=int(message["checkout"]))
        elif kind == "reason":
            content["reason"] = str(message["reason"])
        elif kind == "loaded":
            loaded = True
            expected = {each: [str(one) for one in message[each]] for each in expected}
        elif kind in ("heuristic", "player"):
            made = _read(name, kind, message["finding"])
            heuristics.update((each.name, each) for each in made.heuristics)
            players.update((each.name, each) for each in made.players)
    if not loaded and content["reason"] is None and not heuristics:
        content["reason"] = stopped or INCOMPLETE
    detail = stopped or INCOMPLETE
    for each in expected["heuristics"]:
        heuristics.setdefault(each, HeuristicFinding(each, "not compared", detail=detail))
    for each in expected["players"]:
        players.setdefault(each, PlayerFinding(each, "not compared", {}, {}, detail))
    return SubmissionFindings(
        name,
        heuristics=tuple(heuristics.values()),
        players=tuple(players.values()),
        templates=tuple(expected["templates"]),
        **content,
    )


def _read(name: str, kind: str, finding: Any) -> SubmissionFindings:
    made = SubmissionFindings.from_dict(
        {
            "name": name,
            "heuristics": [finding] if kind == "heuristic" else [],
            "players": [finding] if kind == "player" else [],
            "templates": [],
        }
    )
    for each in made.findings:
        counts = (
            (each.calls, each.equal, each.rounding, each.exceptions)
            if isinstance(each, HeuristicFinding)
            else (*each.classic.values(), *each.ours.values())
        )
        texts = (each.name, each.verdict, each.detail)
        if each.verdict not in VERDICTS or not all(isinstance(text, str) for text in texts):
            raise ValueError(f"no finding: {finding!r}")
        if not all(isinstance(count, int) for count in counts):
            raise TypeError(f"no finding: {finding!r}")
    return made


def left_by_ours(messages: Sequence[Mapping[str, Any]], stopped: str | None, ended: float) -> str | None:
    """What was tried when the process ended, if it was on our board and the classic one came through that.

    Each phase has the time `at` which it began; the process ended at `ended`.

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

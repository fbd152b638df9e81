"""From the messages of a worker to the findings of its submission.

A submission shares its process with what reports on it, and may write into the report. What cannot be read
there is the submission's failure, and not that of the comparison.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, TypeAlias, get_args

from isolation_fast.comparison.findings import (
    HeuristicFinding,
    HeuristicVerdict,
    PlayerFinding,
    PlayerVerdict,
    SubmissionFindings,
)

__all__ = ["UNREADABLE", "findings_of", "message_of"]

UNREADABLE: Final = "its report cannot be read: the submission wrote into it"
Messages: TypeAlias = Sequence[Mapping[str, Any]]

INCOMPLETE: Final = "its report is incomplete"
VERDICTS: Final = frozenset({*get_args(HeuristicVerdict), *get_args(PlayerVerdict)})


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
    """Put a worker's messages together; what it did not come to is not compared.

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
    """The message that the worker could not send any more."""
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

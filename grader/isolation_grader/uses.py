"""What the processes of a submission used and printed, and where they raised, put together."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias

from isolation_fast.jail import Output
from isolation_fast.tournament import Chunk, Plan, Use
from isolation_grader.findings import MemberTimings, Printed

__all__ = ["Traces", "UseLog", "printed_of", "timings_of", "traces_of"]

Traces: TypeAlias = dict[tuple[str, str, int, int], str]
"""By the names of the two, the index of the opening, and which player of the game the first was, from 0."""


class UseLog:
    """Keeps the uses of each chunk, and writes them to a file where a run may be interrupted and go on.

    >>> from isolation_fast.tournament import Gauntlet
    >>> log, chunk = UseLog(), next(Gauntlet(["AB:null@depth=1"], games=2).plan().chunks())
    >>> log.add(chunk, Use(0, 20, 0.5, 0.1, Output(b"hello")))
    >>> [use.moves for use in log.of(chunk)]
    [20]
    """

    def __init__(self, path: Path | None = None, *, resume: bool = False) -> None:
        self._path, self._lock = path, Lock()
        self._uses: dict[int, list[Use]] = {}
        self._begun: set[int] = set()
        if resume and path is not None and path.exists():
            for line in path.read_text("utf-8", errors="replace").splitlines():
                self._take(line)

    def begin(self) -> None:
        """Write it anew: an older file may be that of a journal which refuses to be begun again."""
        if self._path is not None and not self._uses:
            self._path.unlink(missing_ok=True)

    def add(self, chunk: Chunk, use: Use) -> None:
        """Another process of a chunk. One that an earlier run did not finish begins anew."""
        with self._lock:
            is_first = chunk.index not in self._begun
            self._begun.add(chunk.index)
            self._keep(chunk.index, use, is_first)
            if self._path is not None:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(_line(chunk.index, use, is_first)) + "\n")

    def of(self, chunk: Chunk) -> list[Use]:
        """Those of a chunk, in their order."""
        return self._uses.get(chunk.index, [])

    def _keep(self, chunk: int, use: Use, is_first: bool) -> None:
        if is_first:
            self._uses[chunk] = []
        self._uses.setdefault(chunk, []).append(use)

    def _take(self, line: str) -> None:
        try:
            entry = json.loads(line)
            self._keep(int(entry["chunk"]), _use(entry), bool(entry["first"]))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return  # torn when the run was interrupted; its chunk is played again


def _line(chunk: int, use: Use, is_first: bool) -> dict[str, Any]:
    return {
        "chunk": chunk,
        "first": is_first,
        "entrant": use.entrant,
        "moves": use.moves,
        "cpu_seconds": use.cpu_seconds,
        "longest": use.longest,
        "stdout": b64encode(use.output.stdout).decode(),
        "stderr": b64encode(use.output.stderr).decode(),
        "dropped": use.output.dropped,
        "traces": [[*(game or (None, 0)), text] for game, text in use.traces.items()],
    }


def _use(entry: dict[str, Any]) -> Use:
    output = Output(b64decode(entry["stdout"]), b64decode(entry["stderr"]), entry["dropped"])
    traces = {(None if opening is None else (opening, side)): text for opening, side, text in entry["traces"]}
    numbers = entry["entrant"], entry["moves"], entry["cpu_seconds"], entry["longest"]
    return Use(*numbers, output, traces)


def traces_of(plan: Plan, chunk: Chunk, uses: Iterable[Use]) -> Traces:
    """By the game; of a chunk that was played again the last one holds. One of loading is for all games."""
    pairing = plan.pairings[chunk.pairing]
    names = plan.entrants[pairing.first].name, plan.entrants[pairing.second].name
    found: Traces = {}
    for use in uses:
        for number, opening in enumerate(chunk.openings, chunk.first_opening):
            for side in (0, 1):
                trace = use.traces.get((opening, side), use.traces.get(None))
                if trace is not None:
                    game = *names, number, side
                    found[game] = trace
    return found


def printed_of(uses: Iterable[Use], kept: int) -> Printed:
    """What all its processes printed, as one, up to what is kept of one."""
    outputs = [each.output for each in uses]
    stdout, stderr = (b"".join(getattr(each, name) for each in outputs) for name in ("stdout", "stderr"))
    dropped = sum(each.dropped for each in outputs)
    dropped += max(0, len(stdout) - kept) + max(0, len(stderr) - kept)
    return Printed(stdout[:kept], stderr[:kept], dropped)


def timings_of(name: str, uses: Sequence[Use]) -> MemberTimings:
    """Processor time of all its moves."""
    return MemberTimings(
        name,
        moves=sum(each.moves for each in uses),
        cpu_seconds=sum(each.cpu_seconds for each in uses),
        longest=max((each.longest for each in uses), default=0.0),
    )

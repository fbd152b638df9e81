"""The journal of a tournament: finished chunks in a file, from which it goes on after any interruption.

The first line describes the plan, each other line is a chunk.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from isolation_fast._native import __version__
from isolation_fast.exceptions import JournalError
from isolation_fast.output import LineFile, json_line, numbered_lines, write_whole
from isolation_fast.playing.outcomes import ChunkResult, chunk_of
from isolation_fast.tournament.plan import Plan
from isolation_fast.tournament.tally import unplayed_chunk

SCHEMA: Final = "isolation-fast/journal/1"
"""What every journal begins with. Another number is another meaning of the lines."""


class Journal(LineFile):
    """The journal of one plan, to which the `chunk_line` of each finished chunk is added.

    An existing file is refused unless `resume` is set, and one of another plan always.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Plan, *, resume: bool = False) -> None:
        self._plan = plan
        self._header = self.header_of(plan)
        super().__init__(path, header=self._header, require=self._require_same, resume=resume)

    @staticmethod
    def header_of(plan: Plan) -> dict[str, object]:
        """The first line of the journal of a plan."""
        return {"schema": SCHEMA, "version": __version__, "plan": plan.described()}

    def finished(self) -> Iterator[ChunkResult]:
        """The chunks that it holds, one after another as they are read: all together may be large."""
        seen: set[int] = set()
        for number, line in self.lines():
            try:
                content = json.loads(line)
                if not isinstance(content, dict):
                    raise ValueError("it is no JSON object")
                index = content.get("chunk")
                if type(index) is not int or not 0 <= index < self._plan.chunk_count:
                    raise ValueError(f"chunk is {index!r}")
                expected = unplayed_chunk(self._plan, index)
                exact = self._plan.exact is not None
                result = chunk_of(content, expected, record=self._plan.record, exact=exact)
                if result.index in seen:
                    raise ValueError(f"chunk {result.index} is there twice")
            except (ValueError, RecursionError) as error:
                raise JournalError(
                    f"line {number} of the journal is no chunk of this plan: {error}: {self.path}"
                ) from error
            seen.add(result.index)
            yield result

    def _require_same(self, found: object) -> None:
        if not isinstance(found, dict) or found.get("schema") != SCHEMA:
            raise JournalError(f"no journal of a tournament: {self.path}")
        difference = _difference(json.loads(json.dumps(self._header)), found)
        if difference:
            raise JournalError(f"the journal is of another plan: {difference}: {self.path}")


WHO_MEETS_WHOM: Final = ("entrants", "tested", "pairings")
"""Of a described plan: all that an earlier plan may have otherwise, for its games to be carried over."""
OF_SOME_PLAYERS: Final = ("nan", "jail")
"""What a plan has only where players take part that run Python: games without them do not depend on it."""


def carry_over(path: str | os.PathLike[str], plan: Plan) -> int:
    """Make the journal of an earlier plan that of this one; return how many of its chunks are kept.

    Kept are the chunks of each pairing that both plans have, of the same two players in the same order.
    All but the players and pairings must be alike, else it is a `JournalError`. Where there is no journal
    yet, nothing is done.
    """
    path = Path(path)
    if not path.exists() or not path.stat().st_size:
        return 0
    header = json.loads(json.dumps(Journal.header_of(plan)))
    lines = numbered_lines(path, "journal", JournalError)
    found = _read(next(lines, (1, b""))[1])
    if (
        not isinstance(found, dict)
        or found.get("schema") != SCHEMA
        or not isinstance(found.get("plan"), dict)
    ):
        raise JournalError(f"no journal of a tournament: {path}")
    now, before = header["plan"], found["plan"]
    held_to_both = [each for each in OF_SOME_PLAYERS if now.get(each) and before.get(each)]
    difference = _difference(_without_players(header, held_to_both), _without_players(found, held_to_both))
    if difference:
        raise JournalError(f"the journal is of games that were played otherwise: {difference}: {path}")
    try:
        numbers = {pair: number for number, pair in enumerate(_pairs(now))}
        targets = [numbers.get(pair) for pair in _pairs(before)]
        kept = list(_carried((line for _, line in lines), targets, len(numbers)))
    except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise JournalError(f"the journal cannot be read: {error!r}: {path}") from error
    if now != before:
        write_whole(path, "".join([json_line(header), *map(json_line, kept)]))
    return len(kept)


def _without_players(header: Mapping[str, Any], kept: Sequence[str]) -> dict[str, Any]:
    dropped = {*WHO_MEETS_WHOM, *OF_SOME_PLAYERS} - set(kept)
    plan = {name: value for name, value in header["plan"].items() if name not in dropped}
    return {**header, "plan": plan}


def _pairs(plan: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Both players of each pairing, with all that decides how they play."""
    players = [json.dumps(each, sort_keys=True) for each in plan["entrants"]]
    return [(players[first], players[second]) for first, second in plan["pairings"]]


def _carried(lines: Iterator[bytes], targets: list[int | None], pairings: int) -> Iterator[dict[str, Any]]:
    """The chunks of the pairings that have a number in the new plan, with their index there."""
    for line in lines:
        # A torn last line is of a chunk that is played again.
        content = _read(line) if line.endswith(b"\n") else None
        if isinstance(content, dict):
            number = targets[content["pairing"]]
            if number is not None:
                # Chunks are numbered block by block, and within one by pairing.
                block = content["chunk"] // len(targets)
                yield {**content, "chunk": block * pairings + number, "pairing": number}


def _read(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _difference(wanted: object, found: object, place: str = "") -> str | None:
    """The first place in which two documents differ, and how."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for name in [*wanted, *(name for name in found if name not in wanted)]:
            if name == "digest" and name in wanted and wanted[name] != found.get(name):
                return f"{_changed(wanted)} changed"
            below = _difference(wanted.get(name), found.get(name), f"{place}.{name}" if place else name)
            if below:
                return below
        return None
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        pairs = enumerate(zip(wanted, found, strict=True))
        return next(filter(None, (_difference(*pair, f"{place}[{at}]") for at, pair in pairs)), None)
    if wanted == found:
        return None
    return f"{place.removeprefix('plan.')} is {_shown(found)} there and {_shown(wanted)} here"


def _changed(part: Mapping[str, Any]) -> str:
    """What a digest is of: a player's file, a player that a script made, or openings."""
    if "name" not in part:
        return "the positions of the openings have"
    return f"the file of {part['name']!r} has" if "member" in part else f"{part['name']!r} has"


def _shown(value: object) -> str:
    """A part of a plan in a line: of a list of players their names."""
    if isinstance(value, list) and all(isinstance(each, dict) and "name" in each for each in value):
        return ", ".join(each["name"] for each in value)
    return json.dumps(value)

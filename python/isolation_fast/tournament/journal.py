"""The journal of a tournament: finished chunks in a file, from which it goes on after any interruption.

The first line says of which plan it is, each other line is a chunk. A line is written at once and as a whole,
so what may be torn, by a kill or a full disk, is the last one: it is dropped when the file is read.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from isolation_fast._native import __version__
from isolation_fast.exceptions import JournalError
from isolation_fast.tournament.outcomes import NOT_PLAYED, ChunkResult
from isolation_fast.tournament.plan import Plan

__all__ = ["Journal"]

SCHEMA: Final = "isolation-fast/journal/1"
"""What every journal begins with. Another number is another meaning of the lines."""


class Journal:
    """The journal of one plan, open for more chunks.

    A file that is there already is refused unless `resume` is set, and one of another plan always. `finished`
    are the chunks that it held, `torn` tells how many bytes of a torn last line were dropped.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Plan, *, resume: bool = False) -> None:
        self.path = Path(path)
        self.finished: list[ChunkResult] = []
        self.torn = 0
        header = {"schema": SCHEMA, "version": __version__, "plan": plan.described()}
        if not resume and self.path.exists() and self.path.stat().st_size > 0:
            raise JournalError(f"there is a journal already: {self.path}; resume it, or choose another file")
        self._file = self._opened()
        try:
            _lock(self._file, self.path)
            complete, end = self._lines()
            if complete:
                _require_same(header, complete[0], self.path)
                self.finished = list(self._chunks(complete[1:]))
            self.torn = os.fstat(self._file).st_size - end
            os.ftruncate(self._file, end)
            os.lseek(self._file, end, os.SEEK_SET)
            if not complete:
                self._write(header)
        except BaseException:
            os.close(self._file)
            raise

    def taken(self) -> Iterator[ChunkResult]:
        """What it held, chunk by chunk, each of which is then forgotten."""
        self.finished.reverse()
        while self.finished:
            yield self.finished.pop()

    def add(self, result: ChunkResult) -> None:
        """Write a finished chunk down. It is safe from everything but the loss of the machine's power."""
        self._write(_as_json(result))

    def close(self) -> None:
        """Let go of the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _opened(self) -> int:
        try:
            return os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            raise JournalError(f"the journal cannot be opened: {error}") from error

    def _write(self, line: Mapping[str, object]) -> None:
        text = json.dumps(line, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        while text:
            text = text[os.write(self._file, text) :]

    def _lines(self) -> tuple[list[bytes], int]:
        """The complete lines, and where the last of them ends."""
        with os.fdopen(os.dup(self._file), "rb") as file:
            file.seek(0)
            lines = file.read().split(b"\n")
        torn = lines.pop()
        return lines, os.fstat(self._file).st_size - len(torn)

    def _chunks(self, lines: list[bytes]) -> Iterator[ChunkResult]:
        seen: set[int] = set()
        for number, line in enumerate(lines, start=2):
            try:
                result = _from_json(json.loads(line))
                if result.index in seen:
                    raise ValueError(f"chunk {result.index} is there twice")
            except (ValueError, KeyError, TypeError) as error:
                raise JournalError(
                    f"line {number} of the journal is no chunk: {error}: {self.path}"
                ) from error
            seen.add(result.index)
            yield result


def _as_json(result: ChunkResult) -> dict[str, object]:
    line: dict[str, object] = {
        "chunk": result.index,
        "pairing": result.pairing,
        "opening": result.first_opening,
        "games": len(result.outcomes),
        "won": b64encode(_packed(result.outcomes)).decode(),
        "nodes": result.nodes,
        "turns": result.turns,
    }
    if NOT_PLAYED in result.outcomes:
        line["played"] = result.outcomes.index(NOT_PLAYED)
    if result.endings:
        line["endings"] = {str(game): ending for game, ending in sorted(result.endings.items())}
    if not result.reproducible:
        line["reproducible"] = False
        line["clock_from"] = result.clock_from
    if result.records is not None:
        line["records"] = result.records
    return line


def _from_json(line: Mapping[str, Any]) -> ChunkResult:
    games, played = line["games"], line.get("played", line["games"])
    outcomes = _unpacked(b64decode(line["won"], validate=True), played) + bytes([NOT_PLAYED]) * (
        games - played
    )
    records = line.get("records")
    return ChunkResult(
        line["chunk"],
        line["pairing"],
        line["opening"],
        outcomes,
        {int(game): (ending, detail) for game, (ending, detail) in line.get("endings", {}).items()},
        tuple(line["nodes"]),
        tuple(line["turns"]),
        line.get("reproducible", True),
        None if records is None else tuple(records),
        clock_from=line.get("clock_from", 0),
    )


def _packed(outcomes: bytes) -> bytes:
    """Eight games a byte; what was not played is a zero."""
    bits = outcomes.replace(bytes([NOT_PLAYED]), b"\0").translate(_DIGITS)
    return int(b"1" + bits, 2).to_bytes(len(bits) // 8 + 1, "big")


def _unpacked(packed: bytes, games: int) -> bytes:
    bits = bin(int.from_bytes(packed, "big"))[3:].encode()
    if len(bits) < games:
        raise ValueError(f"{games} games in {len(bits)} bits")
    return bits[:games].translate(_OUTCOMES)


_DIGITS: Final = bytes.maketrans(b"\0\1", b"01")
_OUTCOMES: Final = bytes.maketrans(b"01", b"\0\1")


def _require_same(wanted: Mapping[str, Any], line: bytes, path: Path) -> None:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise JournalError(f"no journal of a tournament: {path}")
    difference = _difference(json.loads(json.dumps(wanted)), found)
    if difference:
        raise JournalError(f"the journal is of another plan: {difference}: {path}")


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


def _lock(file: int, path: Path) -> None:
    """Keep a second process away from the journal, where the system can."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise JournalError(f"another process is writing this journal: {path}") from error

"""The journal of a tournament: finished chunks in a file, from which it goes on after any interruption.

The first line says of which plan it is, each other line is a chunk. A line is written at once and as a whole,
so what may be torn, by a kill or a full disk, is the last one: it is dropped when the file is read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final

from isolation_fast._native import __version__
from isolation_fast.exceptions import JournalError
from isolation_fast.tournament.outcomes import ChunkResult, chunk_line, chunk_of
from isolation_fast.tournament.plan import Plan
from isolation_fast.tournament.tally import unplayed

__all__ = ["Journal"]

SCHEMA: Final = "isolation-fast/journal/1"
"""What every journal begins with. Another number is another meaning of the lines."""

BLOCK: Final = 1 << 16
"""How much is read at a time to find the last line."""

LONGEST_HEADER: Final = 1 << 24
"""What has no end of line by then is no header of ours."""


class Journal:
    """The journal of one plan, open for more chunks.

    A file that is there already is refused unless `resume` is set, and one of another plan always. `torn`
    tells how many bytes of a torn last line were dropped.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Plan, *, resume: bool = False) -> None:
        self.path = Path(path)
        self.torn = 0
        self._plan = plan
        header = {"schema": SCHEMA, "version": __version__, "plan": plan.described()}
        if self.path.exists() and not self.path.is_file():
            # A device never ends or keeps nothing, and a pipe waits for who is at its other end.
            raise JournalError(f"a journal is a file, and this is none: {self.path}")
        if not resume and self.path.exists() and self.path.stat().st_size > 0:
            raise JournalError(f"there is a journal already: {self.path}; resume it, or choose another file")
        self._file = self._opened()
        try:
            _lock(self._file, self.path)
            end = self._end_of_lines(header)
            self.torn = os.fstat(self._file).st_size - end
            os.ftruncate(self._file, end)
            if not end:
                self._write(header)
        except BaseException:
            os.close(self._file)
            raise

    def finished(self) -> Iterator[ChunkResult]:
        """The chunks that it holds, one after another as they are read: all together may be large."""
        with self._lines() as lines:
            next(lines)
            seen: set[int] = set()
            for number, line in enumerate(lines, start=2):
                try:
                    result = self._chunk(json.loads(line))
                    if result.index in seen:
                        raise ValueError(f"chunk {result.index} is there twice")
                except (ValueError, RecursionError) as error:
                    raise JournalError(
                        f"line {number} of the journal is no chunk of this plan: {error}: {self.path}"
                    ) from error
                seen.add(result.index)
                yield result

    def add(self, result: ChunkResult) -> None:
        """Write a finished chunk down. It is safe from everything but the loss of the machine's power."""
        self._write(chunk_line(result))

    def close(self) -> None:
        """Let go of the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _chunk(self, line: object) -> ChunkResult:
        if not isinstance(line, dict):
            raise ValueError("it is no JSON object")
        index = line.get("chunk")
        if type(index) is not int or not 0 <= index < self._plan.chunk_count:
            raise ValueError(f"chunk is {index!r}")
        return chunk_of(line, unplayed(self._plan, index), record=self._plan.record)

    def _opened(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        try:
            return os.open(self.path, flags, 0o666)
        except OSError as error:
            raise JournalError(f"the journal cannot be opened: {error}") from error

    def _write(self, line: Mapping[str, object]) -> None:
        text = _line(line)
        try:
            while text:
                text = text[os.write(self._file, text) :]
        except OSError as error:
            raise JournalError(
                f"the journal cannot be written: {error.strerror}: {self.path}; "
                "what was finished before is kept there, and can be resumed"
            ) from error

    def _lines(self) -> IO[bytes]:
        file = os.fdopen(os.dup(self._file), "rb")
        file.seek(0)
        return file

    def _end_of_lines(self, header: Mapping[str, Any]) -> int:
        """Where the last complete line ends, of a file whose first one is ours as far as it goes."""
        with self._lines() as file:
            wanted = _line(header)
            first = file.readline(max(len(wanted), LONGEST_HEADER))
            if not first.endswith(b"\n"):
                if not wanted.startswith(first):
                    raise JournalError(f"no journal of a tournament: {self.path}")
                return 0
            _require_same(header, first, self.path)
            end = file.seek(0, os.SEEK_END)
            while True:  # ends at the header's newline, if there is no other one
                start = max(end - BLOCK, 0)
                file.seek(start)
                at = file.read(end - start).rfind(b"\n")
                if at >= 0:
                    return start + at + 1
                end = start


def _line(content: Mapping[str, object]) -> bytes:
    return json.dumps(content, separators=(",", ":"), allow_nan=False).encode() + b"\n"


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

"""The files that a command writes: checked before the work starts, and written whole, or in lines of JSON.

A line is written at once, so only the last one can be torn, by a kill or a full disk. Lines are read
strictly, by their number.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, TypeAlias, TypeVar

from isolation_fast.exceptions import InvalidArgumentError, JournalError
from isolation_fast.output.commands import CommandError

PathLike: TypeAlias = str | os.PathLike[str]


def is_same_file(first: PathLike, second: PathLike) -> bool:
    """Whether two paths lead to one file, present or future. Devices may be shared.

    >>> is_same_file("games.jsonl", "./games.jsonl"), is_same_file("/dev/null", "/dev/null")
    (True, False)
    """
    one, other = Path(first), Path(second)
    if one.exists() and other.exists():
        return one.samefile(other) and one.is_file()
    return os.path.realpath(one) == os.path.realpath(other)


def require_writable(path: PathLike, what: str = "the timings") -> None:
    """Refuse, before the work starts, a file that could not be written at its end. Leaves no trace."""
    file = Path(path)
    is_new = not file.exists()
    if not is_new and not file.is_file() and not file.is_dir():
        return  # to open a pipe would wait for its reader
    try:
        file.open("ab").close()
    except OSError as error:
        raise CommandError(f"{what} cannot be written: {error}") from error
    if is_new:
        file.unlink()


def require_no_player(option: str, path: PathLike, players: Iterable[PathLike]) -> None:
    """Refuse an output file that is the file of a player: its source would be overwritten.

    >>> require_no_player("timings", "game_agent.py", ["./game_agent.py"])
    Traceback (most recent call last):
    ...
    isolation_fast.output.commands.CommandError: --timings names the file of a player: game_agent.py
    """
    if any(is_same_file(path, each) for each in players):
        raise CommandError(f"--{option} names the file of a player: {path}")


def _followed(path: PathLike) -> Path:
    """Where a path leads, so that a link stays a link. A pipe under `/dev/fd` leads to no path, and stays."""
    named = Path(path)
    return named if named.exists() and not named.is_file() else Path(os.path.realpath(named))


def write_whole(path: PathLike, content: str | bytes) -> None:
    """Write a file that is there as a whole or not at all, whatever interrupts it.

    A link stays a link. A device, a pipe, and a file in a folder that takes no new ones are written in place.
    """
    target = _followed(path)
    data = content if isinstance(content, bytes) else content.encode()
    target.parent.mkdir(parents=True, exist_ok=True)
    takes_no_new = os.access(target, os.W_OK) and not os.access(target.parent, os.W_OK)
    if takes_no_new or (target.exists() and not target.is_file()):
        target.write_bytes(data)
        return
    part = target.with_name(f".isolation-{os.urandom(8).hex()}")
    try:
        part.write_bytes(data)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def write_json(path: PathLike, content: Mapping[str, object]) -> None:
    """Write a command's timings; a `CommandError` where that fails."""
    import json

    try:
        write_whole(path, json.dumps(content, indent=2) + "\n")
    except OSError as error:
        raise CommandError(f"the timings cannot be written: {error}") from error


class WholeFile:
    """A text file written bit by bit, as `FILE.part`; it becomes `FILE` when the block ends.

    An existing file that is not empty is refused, unless `replace` is set. If the block ends with an error,
    the existing file stays as it is. Ctrl-C counts as a normal end: what was written so far is valid.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "games.jsonl")
    ...     with WholeFile(path, "records") as file:
    ...         file.write("{}")
    ...     WholeFile(path, "records")
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: there are records already: ...; choose another file
    """

    def __init__(self, path: PathLike, what: str, *, replace: bool = False) -> None:
        # A link stays a link; a device, such as /dev/null, is written to directly.
        self._path, self._what = _followed(path), what
        is_file = self._path.is_file()
        if is_file and not replace and self._path.stat().st_size > 0:
            raise InvalidArgumentError(f"there are {what} already: {path}; choose another file")
        is_new = is_file or not self._path.exists()
        self._part = self._path.with_name(f"{self._path.name}.part") if is_new else self._path
        self._file = self._part.open("w", encoding="utf-8", newline="\n")

    def write(self, text: str) -> None:
        """Write some more."""
        try:
            self._file.write(text)
        except OSError as error:
            raise self._unwritten(error) from error

    def __enter__(self) -> WholeFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: BaseException | TracebackType | None) -> None:
        try:
            self._file.close()
        except OSError as error:
            raise self._unwritten(error) from error
        if self._part == self._path:
            return
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self._part.replace(self._path)
        elif not self._part.stat().st_size:
            self._part.unlink()

    def _unwritten(self, error: OSError) -> OSError:
        return OSError(error.errno, f"the {self._what} cannot be written: {error.strerror}", str(self._part))


# ---- lines of JSON


T = TypeVar("T", bound="LineFile")
LONGEST_LINE: Final = 1 << 24
"""Bytes. No line of ours is longer; a device such as /dev/zero never ends its first one."""


def json_line(content: Mapping[str, object]) -> str:
    r"""The document as one line.

    >>> json_line({"winner": 1, "moves": [[2, 3]]})
    '{"winner":1,"moves":[[2,3]]}\n'
    """
    import json

    return json.dumps(content, separators=(",", ":"), allow_nan=False) + "\n"


def numbered_lines(
    path: str | os.PathLike[str], what: str, error: type[Exception]
) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, with their numbers from 1; an `error` for an endless one."""
    with Path(path).open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), start=1):
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                raise error(f"line {number} is longer than any {what}: this is no file of {what}s")
            if line.strip():
                yield number, line


class LineFile:
    r"""A file that one process appends JSON lines to, and that it can resume after any interruption.

    An existing file is refused unless `resume` is set. `header`, if there is one, is the first line;
    `require` gets that of an existing file (None if it is no JSON) and raises what is wrong with it.
    A torn last line is dropped, and `torn` is its number of bytes. Errors are a `JournalError`.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "games.jsonl")
    ...     with LineFile(path) as file:
    ...         file.add({"game": 1})
    ...     _ = path.write_text(path.read_text() + '{"game":')
    ...     with LineFile(path, resume=True) as file:
    ...         file.torn, [*file.lines()]
    (8, [(1, b'{"game":1}\n')])
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        header: Mapping[str, object] | None = None,
        require: Callable[[Any], None] = lambda _found: None,
        resume: bool = False,
    ) -> None:
        self.path, self.torn = Path(path), 0
        self._has_header = header is not None
        if self.path.exists() and not self.path.is_file():
            # A device never ends or keeps nothing, and a pipe waits for its other end.
            raise JournalError(f"a journal must be a regular file: {path}")
        if not resume and self.path.exists() and self.path.stat().st_size > 0:
            raise JournalError(f"there is a journal already: {path}; resume it, or choose another file")
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        try:
            self._file = os.open(self.path, flags, 0o666)
        except OSError as error:
            raise JournalError(f"the journal cannot be opened: {error}") from error
        try:
            self._lock()
            end = self._end_of_lines(b"" if header is None else json_line(header).encode(), require)
            self.torn = os.fstat(self._file).st_size - end
            os.ftruncate(self._file, end)
            if header is not None and not end:
                self.add(header)
        except BaseException:
            os.close(self._file)
            raise

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines after the header, with their numbers, as they are read."""
        with self._reader() as lines:
            if self._has_header:
                next(lines)
            yield from enumerate(lines, start=1 + self._has_header)

    def add(self, content: Mapping[str, object]) -> None:
        """Append a line. It then survives everything but the machine's loss of power."""
        text = json_line(content).encode()
        try:
            while text:
                text = text[os.write(self._file, text) :]
        except OSError as error:
            raise JournalError(
                f"the journal cannot be written: {error.strerror}: {self.path}; "
                "it keeps what was finished before, and can be resumed"
            ) from error

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self: T) -> T:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _reader(self) -> IO[bytes]:
        file = os.fdopen(os.dup(self._file), "rb")
        file.seek(0)
        return file

    def _end_of_lines(self, header: bytes, require: Callable[[Any], None]) -> int:
        """Where the last complete line ends. The header, as far as there is one, must be right."""
        import json

        with self._reader() as file:
            if header:
                first = file.readline(max(len(header), LONGEST_LINE))
                is_whole = first.endswith(b"\n")
                if not is_whole and header.startswith(first):
                    return 0
                found = None
                with suppress(ValueError):
                    found = json.loads(first) if is_whole else None
                require(found)
            if file.seek(0, os.SEEK_END) == 0:
                return 0
            with mmap.mmap(self._file, 0, access=mmap.ACCESS_READ) as content:
                return content.rfind(b"\n") + 1

    def _lock(self) -> None:
        """Keep a second process away from the file, where the system can."""
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise JournalError(f"another process is writing this journal: {self.path}") from error

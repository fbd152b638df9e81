"""The files that a command writes: checked before the work starts, and written whole."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

from isolation_fast.exceptions import InvalidArgumentError
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


def write_whole(path: PathLike, content: str) -> None:
    """Write a text file that is there as a whole or not at all, whatever interrupts it.

    A link stays a link. A device, a pipe, and a file in a folder that takes no new ones are written in place.
    """
    target = _followed(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    takes_no_new = os.access(target, os.W_OK) and not os.access(target.parent, os.W_OK)
    if takes_no_new or (target.exists() and not target.is_file()):
        target.write_text(content, encoding="utf-8", newline="\n")
        return
    part = target.with_name(f".isolation-{os.urandom(8).hex()}")
    try:
        part.write_text(content, encoding="utf-8", newline="\n")
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

"""The file of a run's records, which takes the place of an older one when it is whole, and not before."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.tournament.records import record_line

__all__ = ["RecordFile", "is_same_file"]


def is_same_file(first: str | os.PathLike[str], second: str | os.PathLike[str]) -> bool:
    """Whether two paths lead to one file, which is there or would be made. Devices may be shared."""
    one, other = Path(first), Path(second)
    if one.exists() and other.exists():
        return one.samefile(other) and one.is_file()
    return os.path.realpath(one) == os.path.realpath(other)


class RecordFile:
    """Records on their way to a file, written beside it as `FILE.part` until the block is left.

    An older file is refused, unless `replace` says that its games come again, as where a journal is resumed.
    Where the block ends by an error, the older file stays as it is. Ctrl-C is none: what counts so far does.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "games.jsonl")
    ...     with RecordFile(path) as file:
    ...         file.add({"opening": 0})
    ...     RecordFile(path)
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: there are records already: ...; choose another file
    """

    def __init__(self, path: str | os.PathLike[str], *, replace: bool = False) -> None:
        # A link stays a link; what is no file, such as /dev/null, is written to as it is.
        self._path = Path(os.path.realpath(path))
        is_file = self._path.is_file()
        if is_file and not replace and self._path.stat().st_size > 0:
            raise InvalidArgumentError(f"there are records already: {path}; choose another file")
        is_new = is_file or not self._path.exists()
        self._part = self._path.with_name(f"{self._path.name}.part") if is_new else self._path
        self._file = self._part.open("w", encoding="utf-8", newline="\n")

    def add(self, record: Mapping[str, Any]) -> None:
        """Write one record."""
        try:
            self._file.write(record_line(record))
        except OSError as error:
            raise self._unwritten(error) from error

    def __enter__(self) -> RecordFile:
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
        return OSError(error.errno, f"the records cannot be written: {error.strerror}", str(self._part))

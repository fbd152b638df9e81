"""Files that a submission writes beside itself, such as a log: kept in its process, and thrown away with it.

No file of the system becomes writable by it: elsewhere, and over files that are there, the jail refuses it.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final

MOST: Final = 2**20
"""Bytes of all files together."""
WRITING: Final = frozenset("wax+")


class _File(io.BytesIO):
    """A file that is open; what it holds is kept when it is closed."""

    def __init__(self, kept: dict[str, bytes], path: str, mode: str) -> None:
        super().__init__(b"" if "w" in mode else kept[path])
        self._kept, self.name, self._appends = kept, path, "a" in mode
        self._reads, self._writes = "r" in mode or "+" in mode, bool(WRITING & set(mode))
        if self._appends:
            self.seek(0, os.SEEK_END)

    def readable(self) -> bool:
        return self._reads

    def writable(self) -> bool:
        return self._writes

    def write(self, content: Any) -> int:
        if not self._writes:
            raise io.UnsupportedOperation("not writable")
        if self._appends:
            self.seek(0, os.SEEK_END)
        others = sum(len(each) for path, each in self._kept.items() if path != self.name)
        if others + self.tell() + memoryview(content).nbytes > MOST:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self.name)
        return super().write(content)

    def writelines(self, lines: Any) -> None:
        for each in lines:  # the one of its class writes by itself
            self.write(each)

    def flush(self) -> None:
        super().flush()
        if self._writes:
            self._kept[self.name] = self.getvalue()

    def close(self) -> None:
        if not self.closed:
            self.flush()
        super().close()


def keep_in_memory(folder: str) -> None:
    """From now on `open` keeps new files of the working directory and of that folder in memory."""
    kept: dict[str, bytes] = {}
    real: Callable[..., IO[Any]] = io.open
    places = {Path(folder), Path.cwd()}

    def open(  # noqa: A001 - it takes its place
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,
        opener: Any = None,
    ) -> Any:
        path = None
        if isinstance(file, str | os.PathLike) and isinstance(mode, str) and opener is None:
            path = os.path.normpath(Path(os.fsdecode(file)).absolute())
            is_ours = Path(path).parent in places and not os.path.lexists(path)
            if path not in kept and is_ours and set(mode) & {"w", "a", "x"}:
                kept[path] = b""
            elif path in kept and "x" in mode:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        if path not in kept:
            return real(file, mode, buffering, encoding, errors, newline, closefd, opener)
        held = _File(kept, str(path), mode)
        if "b" in mode:
            return held
        return io.TextIOWrapper(held, encoding or "utf-8", errors, newline, line_buffering=True)

    builtins.open = io.open = open

"""Folders of strangers, read by their descriptors: no link is followed, and nothing calls itself.

What is removed here may be as deep as it likes, too.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

from isolation_fast.output import visible
from isolation_fast.submission.sources import NotCopiedError

MOST_FILES: Final = 5_000
"""Files and folders of one student, over all that they handed in."""
MOST_LEVELS: Final = 32
BESIDE: Final = frozenset(["__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", "Icon\r"])
"""What systems add to folders, and nobody hands in."""
LEFT_OUT: Final = BESIDE | {".git", ".venv", "node_modules", "__pycache__"}
# Every virtual environment has this file, whatever its folder is called.
ENVIRONMENT_MARK: Final = "pyvenv.cfg"
PART: Final = 2**20
LINK: Final = "is a link: what it leads to may be that of others"
NO_FILE: Final = "is not a regular file"
LONGEST_SHOWN: Final = 200

Handed: TypeAlias = tuple[str, int, Iterable[bytes] | str]
"""A file by its name, its bytes where they are known, and its content, or why it has none."""


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A file or a folder by its path."""

    path: Path

    def files(self, name: str) -> Iterator[Handed]:
        """Each file in it; nothing that a link leads to."""
        try:
            before = os.lstat(self.path)
        except (OSError, ValueError) as error:
            raise NotCopiedError(f"{shown(name)} cannot be read: {reason(error)}") from error
        if stat.S_ISDIR(before.st_mode):
            yield from _walk(self.path, name)
        else:
            yield from _file(_Folder(os.fspath(self.path.parent)), self.path.name, name or self.path.name)


def shown(name: str) -> str:
    """A name of somebody else's, short and harmless."""
    text = visible(name).replace("\n", r"\n")
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def reason(error: Exception) -> str:
    """Why something failed, without the path of ours that it has."""
    why = error.strerror if isinstance(error, OSError) else None
    return str(visible(why or str(error) or type(error).__name__))


def too_deep(name: str) -> NotCopiedError:
    """The error of a name that has too many folders."""
    return NotCopiedError(f"it has more than {MOST_LEVELS} folders within each other: {shown(name)}")


# ---- reading folders


class _Folder:
    """An open folder, in which names are looked up: what lies above it may be replaced meanwhile."""

    def __init__(self, place: str | int) -> None:
        self._place = place

    def names(self) -> list[str]:
        with os.scandir(self._place) as entries:
            found = [each.name for each in islice(entries, MOST_FILES + 1)]
        if len(found) > MOST_FILES:
            raise NotCopiedError(f"it has more than {MOST_FILES:,} files and folders")
        return sorted(found)

    def status(self, name: str) -> os.stat_result:
        return (
            os.lstat(self._at(name)) if isinstance(self._place, str) else os.lstat(name, dir_fd=self._place)
        )

    def open(self, name: str, flags: int = 0) -> int:
        flags |= os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        flags |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
        if isinstance(self._place, str):
            return os.open(self._at(name), flags)
        return os.open(name, flags, dir_fd=self._place)

    def within(self, name: str) -> _Folder:
        if os.open not in os.supports_dir_fd:  # Windows
            return _Folder(self._at(name))
        return _Folder(self.open(name, os.O_DIRECTORY))

    def close(self) -> None:
        if isinstance(self._place, int):
            os.close(self._place)

    def _at(self, name: str) -> str:
        assert isinstance(self._place, str)
        return os.path.join(self._place, name) if name else self._place  # noqa: PTH118 - of many files


def _walk(place: Path, name: str) -> Iterator[Handed]:
    """The files of a folder and all below it, in the order of their names. No folder calls another one."""
    with _reading(name or "its folder"):
        whole = _Folder(os.fspath(place)).within("")
    # Each open folder with what of it is still to come.
    above: list[tuple[_Folder, str, Iterator[str]]] = [(whole, name, iter(()))]
    count = 0
    try:
        with _reading(name or "its folder"):
            above[0] = whole, name, iter(whole.names())
        while above:
            folder, prefix, names = above[-1]
            if (each := next(names, None)) is None:
                folder.close()
                above.pop()
                continue
            if each in LEFT_OUT:
                continue
            path = f"{prefix}/{each}" if prefix else each
            if (count := count + 1) > MOST_FILES:
                raise NotCopiedError(f"it has more than {MOST_FILES:,} files and folders")
            with _reading(path):
                is_folder = stat.S_ISDIR(folder.status(each).st_mode)
            if not is_folder:
                yield from _file(folder, each, path)
                continue
            if len(above) > MOST_LEVELS:
                raise too_deep(path)
            with _reading(path):
                inner = folder.within(each)
                above.append((inner, path, iter(())))
                listed = inner.names()
            if ENVIRONMENT_MARK not in listed:
                above[-1] = inner, path, iter(listed)
    finally:
        for folder, _, _ in above:
            folder.close()


def _file(folder: _Folder, name: str, path: str) -> Iterator[Handed]:
    with _reading(path):
        status = folder.status(name)
    if stat.S_ISREG(status.st_mode):
        yield path, status.st_size, _content(folder, name, path)
    else:
        yield path, 0, LINK if stat.S_ISLNK(status.st_mode) else NO_FILE


def _content(folder: _Folder, name: str, path: str) -> Iterator[bytes]:
    with _reading(path), os.fdopen(folder.open(name), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise NotCopiedError(f"{shown(path)} {NO_FILE}")
        while part := file.read(PART):
            yield part


@contextmanager
def _reading(path: str) -> Iterator[None]:
    """Name what cannot be read by its place below the folder, wherever that is."""
    try:
        yield
    except NotCopiedError:
        raise
    except OSError as error:
        raise NotCopiedError(f"{shown(path)} cannot be read: {reason(error)}") from error


# ---- removing folders


def remove_folder(place: Path) -> None:
    """Remove a folder and all below it, as far as that can be: however deep it is, and its paths long.

    Each folder within another one is moved up before it is emptied. So nothing is called within itself.
    """
    if place.is_symlink():
        return
    number, before = 0, -1
    while number != before:
        before = number
        for inner in _emptied(place):
            for innermost in _emptied(inner):
                with suppress(OSError):
                    innermost.chmod(0o700)
                    innermost.rename(place / f".{os.urandom(8).hex()}")
                    number += 1
            with suppress(OSError):
                inner.rmdir()
                number += 1
    with suppress(OSError):
        place.rmdir()


def _emptied(folder: Path) -> list[Path]:
    """Remove the files of a folder; gives its folders."""
    with suppress(OSError):
        folder.chmod(0o700)
    try:
        with os.scandir(folder) as listed:
            entries = list(listed)
    except OSError:
        return []
    for each in entries:
        if not each.is_dir(follow_symlinks=False):
            with suppress(OSError):
                os.unlink(each)  # noqa: PTH108 - of many files
    return [Path(each) for each in entries if each.is_dir(follow_symlinks=False)]

"""The folder of a submission: which of its files are its own, their copy, and a hash of them."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from isolation_fast.exceptions import IsolationError

__all__ = ["FILE_NAME", "NotCopiedError", "content_hash", "copy_files", "copy_folder"]

FILE_NAME: Final = "game_agent.py"
NOT_COPIED: Final = frozenset({".git", ".venv", "node_modules", "__pycache__"})
# Every virtual environment has this file, whatever its folder is called.
ENVIRONMENT_MARK: Final = "pyvenv.cfg"
# A submission is some files. More than this is a folder full of other things that it was put into.
MOST_FILES: Final = 5_000
MOST_BYTES: Final = 500 * 2**20
MOST_LEVELS: Final = 32


class NotCopiedError(IsolationError, OSError):
    """A submission's folder cannot be copied: a file cannot be read, or there is too much else in it."""


def content_hash(folder: Path) -> str:
    """A hash of the names and contents of what would be copied of a folder."""
    digest = hashlib.sha256()
    for path, name in _files_of(folder):
        with _named(name):
            content = path.read_bytes()
        digest.update(f"{len(name)} {name} {len(content)} ".encode("utf-8", "surrogateescape"))
        digest.update(content)
    return digest.hexdigest()


def copy_folder(folder: Path, target: Path, *, trusted: bool = True) -> None:
    """Copy a submission's folder without version control, environments and caches.

    The copy holds the target of a link in its place, so writing to the copy never reaches the original.
    `trusted=False` leaves out links to folders and links out of the folder: their author may have no right
    to read the target, or may want a copy without end.
    """
    copy_files(_files_of(folder, trusted=trusted), target)


def copy_files(files: Iterable[tuple[Path, str]], target: Path) -> None:
    """Copy files to a folder, each to its name below it."""
    target.mkdir(parents=True, exist_ok=True)
    for path, name in files:
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        with _named(name):
            shutil.copyfile(path, copy)


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Name a file that cannot be read by its place below the folder, wherever that is."""
    try:
        yield
    except OSError as error:
        raise NotCopiedError(f"{name} cannot be read: {error.strerror}") from error


def _files_of(folder: Path, *, trusted: bool = True) -> Iterator[tuple[Path, str]]:
    """Each file to copy and its name below the folder, in the order of the names; refuses too many."""
    size, real = 0, folder.resolve()
    within = None if trusted else real
    for number, (path, name) in enumerate(_walk(folder, "", (real,), within), start=1):
        if not name.endswith("/"):
            with _named(name):
                size += path.stat().st_size
        if number > MOST_FILES or size > MOST_BYTES or name.count("/") > MOST_LEVELS:
            raise NotCopiedError(
                f"its folder has more than {MOST_FILES:,} files and folders, {MOST_BYTES // 2**20} MiB or "
                f"{MOST_LEVELS} levels: put the submission into a folder of its own"
            )
        if not name.endswith("/"):
            yield path, name


def _walk(
    folder: Path, prefix: str, above: tuple[Path, ...], within: Path | None
) -> Iterator[tuple[Path, str]]:
    with _named(prefix or "its folder"), os.scandir(folder) as entries:
        listed = sorted(entries, key=lambda entry: entry.name)
    if above[1:] and any(entry.name == ENVIRONMENT_MARK for entry in listed):
        return
    for entry in listed:
        path = Path(entry.path)
        if within is not None and entry.is_symlink() and not _is_file_within(path, within):
            continue
        if entry.is_dir():
            real = path.resolve()
            # A link to a folder above would have no end.
            if entry.name not in NOT_COPIED and real not in above:
                # Counted before it is opened, so that a folder of too many folders ends here.
                yield path, f"{prefix}{entry.name}/"
                yield from _walk(path, f"{prefix}{entry.name}/", (*above, real), within)
        elif entry.is_file():
            # No pipes, sockets and devices, and no links that lead nowhere.
            yield path, prefix + entry.name


def _is_file_within(link: Path, folder: Path) -> bool:
    """Whether a link leads to a file of a folder."""
    real = Path(os.path.realpath(link))
    return real.is_relative_to(folder) and real.is_file()

"""The folders of a comparison: where submissions are, and what of them is copied."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from isolation_fast.exceptions import IsolationError

__all__ = [
    "FILE_NAME",
    "ComparisonError",
    "Found",
    "NotCopiedError",
    "content_hash",
    "copy_files",
    "copy_folder",
    "find_submissions",
]

FILE_NAME: Final = "game_agent.py"
NOT_COPIED: Final = frozenset({".git", ".venv", "node_modules", "__pycache__"})
# Every virtual environment has this file, whatever its folder is called.
ENVIRONMENT_MARK: Final = "pyvenv.cfg"
# A submission is some files. More than this is a folder full of other things that it was put into.
MOST_FILES: Final = 5_000
MOST_BYTES: Final = 500 * 2**20
MOST_LEVELS: Final = 32


class ComparisonError(IsolationError, ValueError):
    """A comparison was asked for that cannot be made: no submissions, no checkout, a number out of range."""


class NotCopiedError(IsolationError, OSError):
    """A submission's folder cannot be copied: a file cannot be read, or there is too much else in it."""


@dataclass(frozen=True, slots=True)
class Found:
    """A submission: the name by which it is reported, and its file."""

    name: str
    path: Path


def find_submissions(folder: Path) -> tuple[tuple[Found, ...], tuple[str, ...]]:
    """The submissions of a folder by name, and the names of its sub-folders that hold none.

    `folder` is a `game_agent.py`, or a folder with one, or one whose direct sub-folders have one.
    """
    try:
        if not folder.exists():
            raise ComparisonError(f"{str(folder)!r} does not exist")
        if folder.is_file():
            return (Found(folder.resolve().parent.name, folder),), ()
        if (folder / FILE_NAME).is_file():
            return (Found(folder.resolve().name, folder / FILE_NAME),), ()
        subfolders = sorted(
            each for each in folder.iterdir() if each.is_dir() and not each.name.startswith(".")
        )
    except PermissionError as error:
        raise ComparisonError(f"{str(folder)!r} cannot be read: {error.strerror}") from error
    found = tuple(Found(each.name, each / FILE_NAME) for each in subfolders if _may_have_one(each))
    if not found:
        raise ComparisonError(
            f"no submission in {str(folder)!r}: it is to be a {FILE_NAME}, a folder with one, "
            "or a folder whose direct sub-folders have one"
        )
    taken = {each.name for each in found}
    return found, tuple(each.name for each in subfolders if each.name not in taken)


def _may_have_one(folder: Path) -> bool:
    """Whether a folder holds a submission, or cannot be looked into; its copy will say so."""
    try:
        return (folder / FILE_NAME).is_file()
    except PermissionError:
        return True


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

    What a link leads to is copied and not the link, so that nothing that is written to the copy reaches
    the original. With `trusted=False` links to folders and out of the folder are left out: whoever made them
    may be one who may not read what is there, or who wants the copy to have no end.
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
                # Named before anybody looks into it, so that too many of them end here.
                yield path, f"{prefix}{entry.name}/"
                yield from _walk(path, f"{prefix}{entry.name}/", (*above, real), within)
        elif entry.is_file():
            # No pipes, sockets and devices, and no links that lead nowhere.
            yield path, prefix + entry.name


def _is_file_within(link: Path, folder: Path) -> bool:
    """Whether a link leads to a file of a folder."""
    real = Path(os.path.realpath(link))
    return real.is_relative_to(folder) and real.is_file()

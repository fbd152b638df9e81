"""The files of a submission: found, read and parsed, hashed and copied. Nothing in them is run."""

from __future__ import annotations

import ast
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final

from isolation_fast.classic.layouts import Source, reachable, without_warnings
from isolation_fast.exceptions import IsolationError
from isolation_fast.submission.failures import SubmissionError, syntax_failure

FILE_NAME: Final = "game_agent.py"
MOST_BYTES: Final = (1024 if sys.version_info >= (3, 11) else 128) * 1024
"""Of one file; the largest of the course have 100 KB. On an expression that is nested 130,000 deep, such as
`a.b.b.b...` of 260 KB, Python 3.10 overflows its stack, which ends the process."""

NOT_COPIED: Final = frozenset({".git", ".venv", "node_modules", "__pycache__"})
# Every virtual environment has this file, whatever its folder is called.
ENVIRONMENT_MARK: Final = "pyvenv.cfg"
# A submission is a few files. More than this is a folder that is full of other things.
MOST_FILES: Final = 5_000
MOST_FOLDER_BYTES: Final = 64 * 2**20
MOST_LEVELS: Final = 32
PART: Final = 2**20
"""Foreign files are read in pieces: their size is what their author wants it to be."""


def located(path: Path) -> Path:
    """The file that a file or a folder means; an error says what is there instead."""
    try:
        return _located(path)
    except OSError as error:
        raise _no_file(path, f"it cannot be read: {error.strerror}") from error


def _located(path: Path) -> Path:
    file = path / FILE_NAME if path.is_dir() else path
    if file.is_symlink() and not file.exists():
        raise _no_file(file, f"it is a link to {file.readlink()}, which does not exist")
    if not file.exists():
        seen = ""
        if others := sorted(each.name for each in path.glob("*.py")):
            seen = f"; the folder has {', '.join(others)}: name one of them"
        elif below := sorted(each.parent.name for each in path.glob(f"*/{FILE_NAME}")):
            seen = f"; {len(below)} of its subfolders have one: name one of them, such as {below[0]}"
        raise _no_file(file, f"there is no such file{seen}")
    if file.is_dir():
        raise _no_file(file, "it is a folder, not a file")
    if not file.is_file():
        raise _no_file(file, "it is not a regular file")
    if file.suffix != ".py":
        raise _no_file(file, "it is not a Python file: its name does not end in .py")
    return file


def read_source(file: Path, module: str = "") -> Source:
    """Read and parse one file."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise _no_file(file, f"it cannot be read: {error.strerror}") from error
    if len(content) > MOST_BYTES:
        problem = f"it has more than {MOST_BYTES:,} bytes, the most that is parsed"
        remedy = "move data into a separate file"
        raise SubmissionError(problem, reason="syntax", path=str(file), remedy=remedy)
    try:
        with without_warnings():
            tree = ast.parse(content, str(file))
            # Parsing alone lets a `return` outside a function pass.
            compile(tree, str(file), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise syntax_failure(error, str(file), content) from error
    return Source(file, tree, module)


def read_all(file: Path) -> list[Source]:
    """A submission's file, the modules beside it that it imports, and those that they import in turn."""
    folder, real = file.parent, file.parent.resolve()

    def read(path: Path, module: str) -> Source | None:
        if path == file:
            return read_source(file)
        # A link on the way to it may lead out of the folder. Its errors are reported where it is imported.
        with suppress(SubmissionError):
            return read_source(path, module) if _is_file_within(path, real) else None
        return None

    return list(reachable([(file, "")], folder, read))


def _no_file(file: Path, what: str) -> SubmissionError:
    return SubmissionError(what, reason="no such file", path=str(file))


def digest_of(file: Path) -> str:
    """SHA-256 of a file, which is read in pieces.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile() as empty:
    ...     digest_of(Path(empty.name))[:16]
    'e3b0c44298fc1c14'
    """
    digest = sha256()
    with file.open("rb") as opened:
        while part := opened.read(PART):
            digest.update(part)
    return digest.hexdigest()


# ---- the whole folder


class NotCopiedError(IsolationError, OSError):
    """A submission's folder cannot be copied: a file cannot be read, or there is too much else in it."""


def copy_folder(folder: Path, target: Path, *, trusted: bool = True) -> None:
    """Copy a submission's folder without version control, environments and caches.

    The copy holds the target of a link in its place, so writing to the copy never reaches the original.
    `trusted=False` leaves out links to folders and links out of the folder: their author may have no right
    to read the target, or may want a copy without end.
    """
    copy_files(files_to_copy(folder, trusted=trusted), target)


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


def files_to_copy(folder: Path, *, trusted: bool = True) -> Iterator[tuple[Path, str]]:
    """Each file to copy and its name below the folder, in the order of the names; refuses too many."""
    size, real = 0, folder.resolve()
    within = None if trusted else real
    for number, (path, name) in enumerate(_walk(folder, "", (real,), within), start=1):
        if not name.endswith("/"):
            with _named(name):
                size += path.stat().st_size
        if number > MOST_FILES or size > MOST_FOLDER_BYTES or name.count("/") > MOST_LEVELS:
            raise NotCopiedError(
                f"its folder has more than {MOST_FILES:,} files and folders, "
                f"{MOST_FOLDER_BYTES // 2**20} MiB or {MOST_LEVELS} levels: "
                "put the submission into a folder of its own"
            )
        if not name.endswith("/"):
            yield path, name


def _walk(
    folder: Path, prefix: str, above: tuple[Path, ...], within: Path | None
) -> Iterator[tuple[Path, str]]:
    with _named(prefix or "its folder"), os.scandir(folder) as entries:
        # With one more than may be copied, it is refused.
        listed = sorted(islice(entries, MOST_FILES + 1), key=lambda entry: entry.name)
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
    """Whether a path leads to a file of a folder, wherever its links go."""
    real = Path(os.path.realpath(link))
    return real.is_relative_to(folder) and real.is_file()

"""The files of a submission: found, read and parsed, and hashed. Nothing in them is run."""

from __future__ import annotations

import ast
import os
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from isolation_fast.classic.layouts import Source, reachable, without_warnings
from isolation_fast.exceptions import IsolationError
from isolation_fast.submission.failures import SubmissionError, syntax_failure

FILE_NAME: Final = "game_agent.py"
MOST_BYTES: Final = (1024 if sys.version_info >= (3, 11) else 128) * 1024
"""Of one file; the largest of the course have 100 KB. On an expression that is nested 130,000 deep, such as
`a.b.b.b...` of 260 KB, Python 3.10 overflows its stack, which ends the process."""

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


class NotCopiedError(IsolationError, OSError):
    """What was handed in cannot be taken in: a file cannot be read, is no file, or there is too much."""


def _is_file_within(link: Path, folder: Path) -> bool:
    """Whether a path leads to a file of a folder, wherever its links go."""
    real = Path(os.path.realpath(link))
    return real.is_relative_to(folder) and real.is_file()

"""Where the grader keeps what it knows already, and how a file is written so that it is never half there."""

from __future__ import annotations

import tempfile
from pathlib import Path

from platformdirs import user_cache_path

from isolation_fast import output
from isolation_grader.exceptions import GraderError, UsageError

__all__ = ["default_store", "require_writable_store", "write_whole"]


def default_store() -> Path:
    """The folder of baselines and costs, unless another one is named.

    >>> default_store().name
    'isolation-grader'
    """
    return user_cache_path("isolation-grader", appauthor=False)


def require_writable_store(folder: Path) -> None:
    """Refuse, before it takes half a minute to measure it, what could not be kept in this folder of a store.

    A store that has all that is asked for may be read-only.

    >>> require_writable_store(Path("README.md/costs"))
    Traceback (most recent call last):
    ...
    isolation_grader.exceptions.UsageError: the store cannot be written: README.md/costs: Not a directory
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UsageError(
            f"the store cannot be written: {folder}: {error.strerror}", "name another folder: --store FOLDER"
        ) from error


def write_whole(path: Path, content: str) -> None:
    """Write a file that is there as a whole or not at all."""
    try:
        output.write_whole(path, content)
    except OSError as error:
        raise GraderError(f"cannot be written: {path}: {error.strerror}") from error

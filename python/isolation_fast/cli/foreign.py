"""Running other people's code in a command whose stdout is for the answer alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import Final

__all__ = ["stdout_to_stderr"]

STDOUT: Final = 1
STDERR: Final = 2


@contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """Let all that is written to stdout meanwhile go to stderr, by whatever way it is written."""
    _flush()
    try:
        kept = os.dup(STDOUT)
        os.dup2(STDERR, STDOUT)
    except OSError:  # one of them is closed: nothing can be written there
        with redirect_stdout(sys.stderr):
            yield
        return
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _flush()
        os.dup2(kept, STDOUT)
        os.close(kept)


def _flush() -> None:
    for stream in (sys.stdout, sys.__stdout__):
        # There may be none, or the code has closed it.
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()  # type: ignore[union-attr]

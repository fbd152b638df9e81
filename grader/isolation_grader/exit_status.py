"""With what status the commands of `isolation-grade` end: the same number means the same in each."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

__all__ = ["MEANINGS", "ExitStatus"]


class ExitStatus(IntEnum):
    """One for each meaning.

    >>> ExitStatus.NOT_GRADED, int(ExitStatus.LESS_SANDBOX)
    (<ExitStatus.NOT_GRADED: 3>, 6)
    """

    GOOD = 0
    FAILED = 1
    USAGE = 2
    NOT_GRADED = 3
    UNDECIDED = 4
    GRADER_FAILED = 5
    LESS_SANDBOX = 6
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    """What a shell reports of a program that was ended by a closed pipe."""


MEANINGS: Final = {
    ExitStatus.GOOD: "the submission behaved",
    ExitStatus.FAILED: "it lost games by something else than having no move left",
    ExitStatus.USAGE: "bad usage",
    ExitStatus.NOT_GRADED: "it could not be loaded or played",
    ExitStatus.GRADER_FAILED: "the grader itself failed",
    ExitStatus.LESS_SANDBOX: "this system gives less of a sandbox than --require-sandbox asks for",
    ExitStatus.INTERRUPTED: "interrupted",
}
"""What `probe` means by each of them, as its help says it."""

"""With what status the commands of `isolation-grade` end: the same number means the same in each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

__all__ = ["MEANINGS", "ExitStatus", "in_words"]


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


_EVERYWHERE: Final = {
    ExitStatus.GRADER_FAILED: "the grader itself failed",
    ExitStatus.LESS_SANDBOX: "this system gives less of a sandbox than --require-sandbox asks for",
    ExitStatus.INTERRUPTED: "interrupted",
}
MEANINGS: Final[Mapping[str, Mapping[ExitStatus, str]]] = {
    "probe": {
        ExitStatus.GOOD: "the submission behaved",
        ExitStatus.FAILED: "it lost games by something else than having no move left",
        ExitStatus.USAGE: "bad usage",
        ExitStatus.NOT_GRADED: "it could not be loaded or played",
        **_EVERYWHERE,
    },
    "check": {
        ExitStatus.GOOD: "a heuristic is better",
        ExitStatus.FAILED: "none is better, and at least one not better",
        ExitStatus.USAGE: "bad usage",
        ExitStatus.NOT_GRADED: "it could not be graded",
        ExitStatus.UNDECIDED: "none is better, and at least one undecided",
        **_EVERYWHERE,
    },
}
"""What each command means by each of them, as its help says it."""


def in_words(command: str) -> str:
    """All of a command, for its help."""
    return "; ".join(f"{int(status)} {meaning}" for status, meaning in MEANINGS[command].items())

"""How the commands of `isolation-grade` end: their exit statuses, and the errors that lead to them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from isolation_fast import IsolationError


class ExitStatus(IntEnum):
    """The same number means the same in each command."""

    GOOD = 0
    FAILED = 1
    USAGE = 2
    NOT_GRADED = 3
    UNDECIDED = 4
    GRADER_FAILED = 5
    LESS_SANDBOX = 6
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    """What a shell reports of a program that a closed pipe ended."""


_EVERYWHERE: Final = {
    ExitStatus.GRADER_FAILED: "the grader itself failed",
    ExitStatus.LESS_SANDBOX: "this system enforces less of the sandbox than --require-sandbox asks for",
    ExitStatus.INTERRUPTED: "interrupted",
}
MEANINGS: Final[Mapping[str, Mapping[ExitStatus, str]]] = {
    "probe": {
        ExitStatus.GOOD: "the submission behaved",
        ExitStatus.FAILED: "the submission lost games by its own fault",
        ExitStatus.USAGE: "bad usage",
        ExitStatus.NOT_GRADED: "the submission could not be loaded or played",
        **_EVERYWHERE,
    },
    "recount": {
        ExitStatus.GOOD: "the recorded games come to what the report says",
        ExitStatus.FAILED: "they do not, or a record is wrong or missing",
        ExitStatus.USAGE: "bad usage, or no such report or journal",
        **{each: _EVERYWHERE[each] for each in (ExitStatus.GRADER_FAILED, ExitStatus.INTERRUPTED)},
    },
    "conformance": {
        ExitStatus.GOOD: "all tests passed",
        ExitStatus.FAILED: "a test failed, or was not run in time",
        ExitStatus.USAGE: "bad usage",
        ExitStatus.NOT_GRADED: "the submission could not be loaded",
        **_EVERYWHERE,
    },
    "bundle": {
        ExitStatus.GOOD: "the zip was written",
        ExitStatus.USAGE: "bad usage",
        ExitStatus.GRADER_FAILED: _EVERYWHERE[ExitStatus.GRADER_FAILED],
    },
    "copies": {
        ExitStatus.GOOD: "no pair shares so much",
        ExitStatus.FAILED: "at least one pair does",
        ExitStatus.USAGE: "bad usage",
        ExitStatus.GRADER_FAILED: _EVERYWHERE[ExitStatus.GRADER_FAILED],
        ExitStatus.INTERRUPTED: _EVERYWHERE[ExitStatus.INTERRUPTED],
    },
    "check": {
        ExitStatus.GOOD: "a heuristic is better",
        ExitStatus.FAILED: "none is better, at least one is not better",
        ExitStatus.USAGE: "bad usage",
        ExitStatus.NOT_GRADED: "none could be graded",
        ExitStatus.UNDECIDED: "none is better, at least one is undecided",
        **_EVERYWHERE,
    },
    "class": {
        ExitStatus.GOOD: "all submissions have a report",
        ExitStatus.USAGE: "bad usage",
        **_EVERYWHERE,
        ExitStatus.GRADER_FAILED: "the grader itself failed, perhaps on some only: --resume tries again",
        ExitStatus.INTERRUPTED: "interrupted: --resume goes on",
    },
    "leaderboard": {
        ExitStatus.GOOD: "all games are played",
        ExitStatus.USAGE: "bad usage, or too few submissions that can play",
        **_EVERYWHERE,
        ExitStatus.INTERRUPTED: "interrupted: the same command goes on",
    },
    "rubric": {
        ExitStatus.GOOD: "the rubric is right, and all marks agree with it",
        ExitStatus.FAILED: "marks do not agree with the rubric",
        ExitStatus.USAGE: "bad usage, or an error in the rubric",
        ExitStatus.GRADER_FAILED: "the grader itself failed",
    },
}
"""What each status of a command means, as its help says it."""


def in_words(command: str) -> str:
    """Every status of a command, for its help."""
    return "; ".join(f"{int(status)} {meaning}" for status, meaning in MEANINGS[command].items())


class GraderError(IsolationError):
    """The grader cannot grade: one sentence without a full stop, and a hint where one helps."""

    status = ExitStatus.GRADER_FAILED

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(GraderError, ValueError):
    """The caller asked for something that does not exist."""

    status = ExitStatus.USAGE


class OutOfTimeError(GraderError):
    """The time of a grading as a whole is over."""


class NotGradedError(GraderError):
    """The submission cannot be graded, by its own fault."""

    status = ExitStatus.NOT_GRADED


class LessSandboxError(GraderError):
    """This system enforces less of the sandbox than is required."""

    status = ExitStatus.LESS_SANDBOX

"""Why the grader ends before it has graded: each with its exit status."""

from __future__ import annotations

from isolation_fast import IsolationError
from isolation_grader.exit_status import ExitStatus

__all__ = ["GraderError", "LessSandboxError", "NotGradedError", "UsageError"]


class GraderError(IsolationError):
    """What keeps the grader from grading: one sentence without a full stop, and a hint where one helps."""

    status = ExitStatus.GRADER_FAILED

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(GraderError, ValueError):
    """It was asked for something that there is not.

    >>> UsageError("there is no 'game_agent.py'").status
    <ExitStatus.USAGE: 2>
    """

    status = ExitStatus.USAGE


class NotGradedError(GraderError):
    """The submission cannot be graded, and that is its own fault."""

    status = ExitStatus.NOT_GRADED


class LessSandboxError(GraderError):
    """This system gives less of a sandbox than is required."""

    status = ExitStatus.LESS_SANDBOX

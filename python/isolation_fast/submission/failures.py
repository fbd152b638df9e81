"""Why a submission cannot be loaded: the reasons by name, and the exception that carries one."""

from collections.abc import Callable
from typing import Literal

from isolation_fast.exceptions import IsolationError

__all__ = ["Reason", "SubmissionError"]

Reason = Literal[
    "no such file",
    "syntax",
    "missing import",
    "outdated import",
    "exception at import",
    "no heuristics",
    "only templates",
]


class SubmissionError(IsolationError, ImportError):
    """A submission cannot be loaded. The message says where, why and what can be done.

    `reason` is one of a few fixed words. `path` is the file at fault, which may be a helper module beside
    the submission, and `line` the line in it, None where there is none. `name` is what was imported in
    vain, `replacement` what today's Python or NumPy has instead of it. `problem` and `remedy` are the parts
    of the message behind file and line. The original exception is the `__cause__`.

    >>> from isolation_fast.submission import load
    >>> load("nowhere/game_agent.py")
    Traceback (most recent call last):
    ...
    isolation_fast.submission.failures.SubmissionError: nowhere/game_agent.py: there is no such file
    """

    def __init__(
        self,
        problem: str,
        *,
        reason: Reason,
        path: str,
        line: int | None = None,
        name: str | None = None,
        replacement: str | None = None,
        remedy: str | None = None,
    ) -> None:
        where = path if line is None else f"{path}:{line}"
        todo = "" if remedy is None else f"; {remedy}"
        super().__init__(f"{where}: {problem}{todo}", name=name, path=path)
        self.problem = problem
        self.reason: Reason = reason
        self.line = line
        self.replacement = replacement
        self.remedy = remedy

    def __reduce__(self) -> tuple[Callable[..., "SubmissionError"], tuple[object, ...]]:
        values = (self.problem, self.reason, self.path, self.line, self.name, self.replacement, self.remedy)
        return _remade, values


def _remade(problem: str, reason: Reason, path: str, line: int | None, *rest: str | None) -> SubmissionError:
    name, replacement, remedy = rest
    return SubmissionError(
        problem, reason=reason, path=path, line=line, name=name, replacement=replacement, remedy=remedy
    )

"""What the jail refused: which call of the submission, the rule that forbids it, and what to do instead.

The error is the submission's own, and so is this process: it may say anything. What is made of it here is a
line for people, and the referee believes nothing of it.
"""

from __future__ import annotations

import errno
import linecache
import os
import re
import traceback
from socket import EAI_AGAIN
from typing import Final, NamedTuple

from isolation_fast.exceptions import EngineLockedError
from isolation_fast.submission import asking
from isolation_fast.text import error_line

REFUSED: Final = frozenset([errno.EPERM, errno.EACCES, errno.EFBIG, EAI_AGAIN])
"""The last one is what becomes of a name where no socket can be opened to ask for its address."""
NO_THREAD: Final = "can't start new thread"
NO_LIBRARY: Final = re.compile(
    r"[^\n]*: (?:failed to map segment from shared object(?:: Operation not permitted)?"
    r"|cannot open shared object file: Permission denied)"
)
"""What Python says of a thread, and the loader of a library: they pass on no number."""

MOST_OF_A_CALL: Final = 100
"""Characters of a call that are shown."""


class Rule(NamedTuple):
    """What the jail does not let a submission do, and what its author can do."""

    forbidden: str
    instead: str


GUARD: Final = 'remove it, or put what only your own runs need under `if __name__ == "__main__":`'
WRITING: Final = Rule("write no file", GUARD)
READING: Final = Rule("read no file but those of its folder and of Python", "put it beside game_agent.py")
SYSTEM: Final = Rule(READING.forbidden, "remove it: no heuristic needs it")
THREADS: Final = Rule("start no thread", "use one: n_jobs=1, workers=1")
LIBRARIES: Final = Rule("load no library of its own", "use Python, numpy or scipy")
OTHERWISE: Final = Rule("ask the system for nothing but memory, time and its own files", GUARD)

BY_WORDS: Final = (
    (re.compile(r"socket|ssl\b|urllib|urlopen|http|requests"), Rule("open no connection", GUARD)),
    (
        re.compile(r"subprocess|multiprocessing|joblib|loky|concurrent|fork|spawn|[pP]open|exec|os\.system"),
        Rule("start no process", "do it in one process: n_jobs=1"),
    ),
    (re.compile(r"kill|signal"), Rule("send no signal", GUARD)),
)
"""By the names of the call and of the files that it went through."""


def is_refusal(error: BaseException) -> bool:
    """Whether the system or the engine refused what a jail refuses.

    >>> is_refusal(PermissionError(13, "Permission denied")), is_refusal(ValueError("13"))
    (True, False)
    """
    if isinstance(error, EngineLockedError):
        return True
    error = _origin(error)
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno in REFUSED
    if type(error) is RuntimeError:
        return str(error) == NO_THREAD
    return type(error) in (OSError, ImportError) and NO_LIBRARY.fullmatch(str(error)) is not None


def refusal_line(error: BaseException, folder: str | None) -> str:
    """Which call of the submission in that folder was refused, by which rule, and what to do."""
    call = _call(error, folder)
    if isinstance(error, EngineLockedError) or call is None:
        return asking.raised_line(error, folder)
    rule = _rule(_origin(error), call.text)
    told = error_line(error, folder or "")
    said = f"{call.text}: the jail lets a submission {rule.forbidden}; {rule.instead}"
    return f"{said} ({call.place}; {told})"


def _origin(error: BaseException) -> BaseException:
    """The system's own error behind one of `urllib`, which has no number."""
    if type(error).__name__ != "URLError" or not isinstance(error, OSError):
        return error
    reason = getattr(error, "reason", None)
    return reason if isinstance(reason, OSError) else error


class _Call(NamedTuple):
    text: str
    place: str


def _call(error: BaseException, folder: str | None) -> _Call | None:
    """The call in the submission's own files that led to the error; None where its source is not known."""
    own = asking.own_frames(error, folder)
    if not own:
        return None
    file, line, name = own[-1]
    text = _exactly(error, file, line) or linecache.getline(file, line).strip()
    if not text:
        return None
    text = text if len(text) <= MOST_OF_A_CALL else f"{text[: MOST_OF_A_CALL - 3]}..."
    return _Call(text, f"{os.path.relpath(file, folder).replace(os.sep, '/')}:{line} in {name}")


def _exactly(error: BaseException, file: str, line: int) -> str | None:
    """The call's own source, where this Python knows from which column to which it goes."""
    found: str | None = None
    for step in traceback.extract_tb(error.__traceback__):
        start, end = getattr(step, "colno", None), getattr(step, "end_colno", None)
        one_line = getattr(step, "end_lineno", None) == step.lineno
        if (step.filename, step.lineno) == (file, line) and one_line and start is not None:
            # Columns count the bytes of UTF-8.
            found = linecache.getline(file, line).encode()[start:end].decode(errors="replace").strip()
    return found


def _rule(error: BaseException, call: str) -> Rule:
    if isinstance(error, RuntimeError):
        return THREADS
    if not isinstance(error, OSError) or error.errno is None:
        return LIBRARIES
    if isinstance(error.filename, str):
        return _of_file(error.filename)
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    words = " ".join([call, *files])
    return next((rule for pattern, rule in BY_WORDS if pattern.search(words)), OTHERWISE)


def _of_file(name: str) -> Rule:
    """Whether it was to be written or read: what can be read, or is not there, was to be written."""
    try:
        os.close(os.open(name, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0)))
    except PermissionError:
        of_system = name.startswith(("/proc/", "/sys/", "/dev/", "/etc/"))
        return SYSTEM if of_system else READING
    except OSError:
        return WRITING
    return WRITING

"""What became of a submission's exception, told in a jailed process.

Its text, its class and its traceback are the submission's own and may do anything when they are looked at. If
they go on for ever, the process is ended as it is in the middle of a turn; if they raise, less is told.
"""

from __future__ import annotations

import errno
import linecache
import re
import traceback
from pathlib import Path
from typing import Final

from isolation_fast.endings import GameEnding
from isolation_fast.exceptions import EngineLockedError
from isolation_fast.jail.messages import Faulted
from isolation_fast.submission import SubmissionError
from isolation_fast.submission.asking import fault_of, own_frames, raised_line
from isolation_fast.submission.failures import harmless_remedy
from isolation_fast.text import error_line, named_from_anywhere

__all__ = ["faulted", "not_loaded"]

REFUSED: Final = frozenset([errno.EPERM, errno.EACCES, errno.EFBIG])
NO_THREAD: Final = "can't start new thread"
NO_LIBRARY: Final = re.compile(
    r"[^\n]*: (?:failed to map segment from shared object(?:: Operation not permitted)?"
    r"|cannot open shared object file: Permission denied)"
)
"""What Python says of a thread, and the loader of a library: they pass on no number."""

FIRST, LAST = 4, 16
"""How many frames of a traceback are told."""


def faulted(error: BaseException, folder: str | None, before: str = "") -> Faulted:
    """The fault of an exception; `folder` is the submission's."""
    ending: GameEnding = "raised"
    try:
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            ending = "out of memory"
            # What the frames hold may be all the memory that there is.
            traceback.clear_frames(error.__traceback__)
        elif _is_refusal(error):
            ending = "refused"
        else:
            ending = fault_of(error).ending
        return Faulted(ending, f"{before}{_detail(error, ending, folder)}", _trace(error, folder))
    except BaseException:  # noqa: BLE001 - whatever it does when it is looked at
        return Faulted(ending, f"{before}an exception that cannot be told")


def not_loaded(error: BaseException, path: str) -> Faulted:
    """The fault of a submission that was not loaded; what could be done is told if it is harmless."""
    folder = str(Path(path).parent)
    try:
        cause = error.__cause__ if isinstance(error, SubmissionError) else None
        found = faulted(error if cause is None else cause, folder)
        told = found.detail
        if isinstance(error, SubmissionError):
            told = named_from_anywhere(_told(error), folder)
        if found.ending in ("out of memory", "refused"):
            told = f"{found.ending}: {found.detail if found.trace else told}"
        return Faulted("not loaded", told, found.trace)
    except BaseException:  # noqa: BLE001 - as above
        return Faulted("not loaded", "an exception that cannot be told")


def _told(error: SubmissionError) -> str:
    """As the error itself, but for what is done by those alone who trust the submission."""
    where = str(error.path) if error.line is None else f"{error.path}:{error.line}"
    remedy = harmless_remedy(error)
    return f"{where}: {error.problem}{'' if remedy is None else f'; {remedy}'}"


def _is_refusal(error: BaseException) -> bool:
    """Whether the system has said no to what a jail refuses, or the engine has."""
    if isinstance(error, EngineLockedError):
        return True
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno in REFUSED
    if type(error) is RuntimeError:
        return str(error) == NO_THREAD
    return type(error) in (OSError, ImportError) and NO_LIBRARY.fullmatch(str(error)) is not None


def _detail(error: BaseException, ending: GameEnding, folder: str | None) -> str:
    line = raised_line(error, folder)
    if ending != "refused":
        return line
    own = own_frames(error, folder)
    source = linecache.getline(*own[-1][:2]).strip() if own else ""
    return f"{line}: {source[:100]}" if source else line


def _trace(error: BaseException, folder: str | None) -> str:
    own = own_frames(error, folder)
    if not own:
        return ""
    lines = ["Traceback (most recent call last):"]
    for number, (file, line, name) in enumerate(own):
        if FIRST <= number < len(own) - LAST:
            if number == FIRST:
                lines.append(f"  ... {len(own) - FIRST - LAST} more ...")
            continue
        lines.append(f'  File "{Path(file).relative_to(str(folder)).as_posix()}", line {line}, in {name}')
        if source := linecache.getline(file, line).strip():
            lines.append(f"    {source[:200]}")
    return "\n".join([*lines, error_line(error, str(folder))])

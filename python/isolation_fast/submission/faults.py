"""What a player did instead of moving, with one line of detail that is the same on every machine."""

from __future__ import annotations

import os
import traceback
from pathlib import Path

from isolation_fast.endings import Fault, GameEnding
from isolation_fast.exceptions import HeuristicResultError
from isolation_fast.text import error_line

__all__ = ["fault_of", "raised_line"]


def fault_of(error: BaseException, folder: str | None = None) -> Fault:
    """The fault of a player that raised.

    >>> fault_of(ZeroDivisionError("division by zero"))
    Fault('raised', 'ZeroDivisionError: division by zero')
    """
    ending: GameEnding = "bad answer" if isinstance(error, HeuristicResultError) else "raised"
    return Fault(ending, raised_line(error, folder))


def raised_line(error: BaseException, folder: str | None = None) -> str:
    """An exception, and where in the player's own files it left them, named from their folder on."""
    if folder is None:
        return error_line(error)
    inside = f"{folder}{os.sep}"
    place = ""
    for frame, number in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if file.startswith(inside):
            place = f" ({Path(file).relative_to(folder).as_posix()}:{number} in {frame.f_code.co_name})"
    return error_line(error, folder) + place

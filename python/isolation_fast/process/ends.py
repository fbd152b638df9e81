"""What is common to the processes in which other people's code runs: their threads, and how they ended."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import Final

__all__ = ["EXITED", "KILLED", "ONE_THREAD", "end_of", "status_of"]

ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
"""Variables of the environment; with "1" in each, a process leaves the other cores to other processes."""

EXITED: Final = "its process exited with status"
KILLED: Final = "its process was ended by"


def status_of(process: subprocess.Popen[bytes]) -> int | None:
    """How a process ended, as `poll` says it; None while it runs."""
    if not hasattr(os, "waitid"):  # Windows, and macOS before Python 3.13
        return process.poll()
    # It is left unreaped, so that its number is not given to another one before its group is ended.
    ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return int(ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status)


def end_of(status: int) -> str:
    """A status in words.

    >>> end_of(3), end_of(-9)
    ('its process exited with status 3', 'its process was ended by SIGKILL')
    """
    if status >= 0:
        return f"{EXITED} {status}"
    try:
        return f"{KILLED} {signal.Signals(-status).name}"
    except ValueError:  # the nameless ones between two others
        return f"{KILLED} signal {-status}"

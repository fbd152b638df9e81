"""How commands end when somebody wants them to."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

__all__ = ["INTERRUPTED", "ended_politely"]

INTERRUPTED: Final = 130
"""The exit status of a command that was interrupted."""

# Windows has no SIGHUP. Who ignores one of them, as `nohup` does, goes on to do so.
POLITE: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def ended_politely() -> Iterator[None]:
    """Let a polite kill, or the end of the terminal, end the work as Ctrl-C does: nothing is left."""
    before = {}
    for each in POLITE:
        if signal.getsignal(each) is signal.SIG_DFL:
            before[each] = signal.signal(each, _exit)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _exit(number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)

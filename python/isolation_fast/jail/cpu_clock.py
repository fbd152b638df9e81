"""The CPU time of another process, read from outside, where that process cannot touch it. Linux only.

>>> import os
>>> 0 < CpuClock(os.getpid()).seconds() <= time.process_time()
True
"""

from __future__ import annotations

import time
from typing import Final

__all__ = ["CpuClock"]

# `CPUCLOCK_SCHED` of the kernel: what the scheduler counted, for the process and all its threads.
SCHEDULED: Final = 2


class CpuClock:
    """The clock of the process of that number.

    It goes by the number, so it is to be read only while nobody but the reader can reap the process: as a
    zombie a process still has its number, and its clock stands still.
    """

    def __init__(self, process: int) -> None:
        # As `clock_getcpuclockid` computes it.
        self._clock = (~process << 3) | SCHEDULED

    def seconds(self) -> float:
        """The CPU time that it has used since it was started."""
        return time.clock_gettime(self._clock)

"""What a jailed process may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from isolation_fast.numbers import integer, number

__all__ = ["Limits"]

LONGEST: Final = 86_400
"""Seconds of CPU time: a day. More is a slip, and far from what the system can be told."""
LARGEST_FACTOR: Final = 1000
LEAST_MEMORY: Final = 256
"""MiB of address space: what Python and we need before anything of a submission is there, and some more."""
MOST_MEMORY: Final = 2**20
MOST_OUTPUT: Final = 2**30


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of CPU time, with a backstop of wall time, and memory.

    >>> Limits(move_cpu=2.0).wall(2.0)
    8.0
    """

    load_cpu: float = 10.0
    """Seconds of CPU time to load the submission."""
    move_cpu: float = 5.0
    """Seconds of CPU time for a move."""
    wall_factor: float = 4.0
    """So many times as long it may take by the wall clock, which other processes slow down."""
    memory: int = 2048
    """MiB of address space."""
    output: int = 64 * 1024
    """Bytes of what it prints that are kept, of stdout and of stderr each."""

    def __post_init__(self) -> None:
        for name, most in (("load_cpu", LONGEST), ("move_cpu", LONGEST), ("wall_factor", LARGEST_FACTOR)):
            object.__setattr__(self, name, number(name, getattr(self, name), above=0, most=most))
        integer("memory in MiB", self.memory, LEAST_MEMORY, MOST_MEMORY)
        integer("output in bytes", self.output, 0, MOST_OUTPUT)

    def wall(self, cpu_seconds: float) -> float:
        """The seconds by the wall clock after which it is ended."""
        return self.wall_factor * cpu_seconds

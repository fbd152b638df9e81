"""What a jailed process may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from isolation_fast.budgets import checked_count
from isolation_fast.exceptions import InvalidArgumentError

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
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
                raise InvalidArgumentError(
                    f"{name} must be a number above 0 and at most {most}, not {value!r}"
                )
        for name, unit, least, most in (
            ("memory", "MiB", LEAST_MEMORY, MOST_MEMORY),
            ("output", "bytes", 0, MOST_OUTPUT),
        ):
            value = checked_count(f"{name} in {unit}", getattr(self, name), least, InvalidArgumentError)
            if value > most:
                raise InvalidArgumentError(f"{name} in {unit} must be at most {most}, not {value!r}")

    def wall(self, cpu_seconds: float) -> float:
        """The seconds by the wall clock after which it is ended."""
        return self.wall_factor * cpu_seconds

"""What a jailed process may use."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from isolation_fast.budgets import checked_count
from isolation_fast.exceptions import InvalidArgumentError

__all__ = ["Limits"]


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
        for name in ("load_cpu", "move_cpu", "wall_factor"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < inf:
                raise InvalidArgumentError(f"{name} must be a finite number above 0, not {value!r}")
        checked_count("memory", self.memory, 1, InvalidArgumentError)
        checked_count("output", self.output, 0, InvalidArgumentError)

    def wall(self, cpu_seconds: float) -> float:
        """The seconds by the wall clock after which it is ended."""
        return self.wall_factor * cpu_seconds

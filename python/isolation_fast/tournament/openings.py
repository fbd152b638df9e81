"""The positions from which a tournament's games begin."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Openings"]


class Openings(Protocol):
    """A sequence of positions as texts, each made when it is asked for; can be pickled."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> str: ...

    def described(self) -> dict[str, object]:
        """What they are, as JSON knows it: equal for equal openings, with no path in it."""

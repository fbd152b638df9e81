"""What people at a terminal see while it takes long."""

from __future__ import annotations

import sys
from types import TracebackType

__all__ = ["Bar"]


class Bar:
    """A bar on a terminal, nothing in a log."""

    def __init__(self) -> None:
        from tqdm import tqdm

        disabled = sys.stderr is None or not sys.stderr.isatty()
        self._bar = tqdm(unit=" games", file=sys.stderr, dynamic_ncols=True, leave=False, disable=disabled)
        self._what = ""

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()

    def advance(self, done: int, of: int | None, what: str = "") -> None:
        """Show how far it is; another `what` begins anew."""
        if what != self._what:
            self._what = what
            self._bar.reset()
            self._bar.set_description_str(what, refresh=False)
        self._bar.total = of
        self._bar.update(done - self._bar.n)

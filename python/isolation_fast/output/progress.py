"""How far a long command is: a bar on a terminal, lines or nothing in a log."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from isolation_fast.output.commands import say, visible

if TYPE_CHECKING:
    from tqdm import tqdm


class Bar:
    """What `progress` yields. Without a terminal it writes lines if it was asked to, else nothing."""

    def __init__(self, bar: tqdm[Any] | None, total: float | None, done: float, *, lines: bool) -> None:
        self._bar, self._lines = bar, lines
        self._total, self.done = total, done
        self._note = ""

    def reach(self, done: float, note: str = "") -> None:
        """Show that so many are done; `note` says what is being done, or what was."""
        self.done = done
        if self._bar is not None:
            if note != self._note:
                self._note = note
                self._bar.set_description_str(visible(note), refresh=False)
            self._bar.update(round(done, 1) - self._bar.n)
            self._bar.refresh()
        elif self._lines:
            say(f"[{done:g}/{self._total:g}] {note}" if self._total is not None else f"[{done:g}] {note}")

    def part(self, what: str, done: float, of: float | None) -> None:
        """Show how far one of several parts of the work is; another `what` is another part."""
        if what != self._note and self._bar is not None:
            self._bar.reset()
        self._total = of
        if self._bar is not None:
            self._bar.total = of
        self.reach(done, what)


@contextmanager
def progress(
    total: float | None, unit: str, *, done: float = 0, lines: bool = False, instead: str = ""
) -> Iterator[Bar]:
    """Report the progress of a block of work on stderr.

    On a terminal it is a bar, which disappears with the block. Elsewhere there is nothing, or with `lines` a
    line for each step, or the one line `instead` at the beginning.

    >>> with progress(3, "game", done=1) as bar:
    ...     bar.reach(2)
    ...     bar.done
    2
    """
    if sys.stderr is None or not sys.stderr.isatty():
        if instead:
            say(instead)
        yield Bar(None, total, done, lines=lines)
        return
    from tqdm import tqdm

    with tqdm(
        total=total, initial=done, unit=f" {unit}", file=sys.stderr, dynamic_ncols=True, leave=False
    ) as shown:
        yield Bar(shown, total, done, lines=lines)

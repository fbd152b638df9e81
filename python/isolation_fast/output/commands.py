"""What every command does the same way: options, messages and progress on stderr, ending when asked to."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from tqdm import tqdm

BAD_INPUT: Final = 2
"""The exit status for bad usage and bad input."""
INTERRUPTED: Final = 130
"""The exit status of a command that was interrupted."""
# Windows has no SIGHUP.
POLITE: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class CommandError(Exception):
    """Bad usage or bad input of a command: one sentence without a full stop, and a hint where one helps.

    >>> error = CommandError("there is no folder 'x'", hint="give the folder of your submissions")
    >>> str(error), error.hint
    ("there is no folder 'x'", 'give the folder of your submissions')
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class Parser(argparse.ArgumentParser):
    """Takes no abbreviations, and reports errors as the rest of the command does."""

    def __init__(self, **settings: object) -> None:
        super().__init__(**{"allow_abbrev": False, **settings})  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Report what is wrong, and name the help."""
        self.exit(report(message, f"{self.prog} --help", program=self.prog.partition(" ")[0]))


def add_options(parser: argparse.ArgumentParser, *options: tuple[str, Any, Any, str]) -> None:
    """Add options, each by its name and metavar, its type, its default and its help.

    The type `bool` makes a flag, `list` an option that may be repeated.

    >>> parser = Parser()
    >>> add_options(parser, ("--seed N", int, 0, "seed"), ("--row NAME", list, [], "row"))
    >>> parser.parse_args(["--row", "a", "--row", "b"])
    Namespace(seed=0, row=['a', 'b'])
    """
    for words, kind, default, meaning in options:
        name, _, metavar = words.partition(" ")
        how: dict[str, Any] = {"action": "append"} if kind is list else {"type": kind}
        how = {"action": "store_true"} if kind is bool else {**how, "metavar": metavar, "default": default}
        parser.add_argument(name, help=meaning, **how)


def say(text: str) -> None:
    """Write a line to stderr, at once; nowhere if stderr is closed, since stdout has the results alone."""
    if sys.stderr is not None:
        print(visible(text), file=sys.stderr, flush=True)  # noqa: T201


def report(message: str, hint: str | None = None, *, program: str = "isolation-fast") -> int:
    """Write an error to stderr, and give its exit status."""
    say(f"{program}: error: {message}")
    if hint is not None:
        say(f"hint: {hint}")
    return BAD_INPUT


def visible(content: bytes | str) -> str:
    r"""Foreign text, such as a file name or what a submission printed, made harmless to a terminal or a page.

    Line ends and printable characters stay. Escape sequences, which would colour, move or erase what is above
    them, and marks of writing direction, which would turn their neighbours around, are spelled out.

    >>> print(visible(b"ready\n\x1b[2J\xff"))
    ready
    \x1b[2J\xff
    >>> print(visible("\u202egnp.exe\r"))
    \u202egnp.exe\r
    """
    text = content.decode("utf-8", "backslashreplace") if isinstance(content, bytes) else content
    return "".join(each if each == "\n" or each.isprintable() else _escaped(each) for each in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


@contextmanager
def ended_politely() -> Iterator[None]:
    """Let SIGTERM and the end of the terminal unwind the work as Ctrl-C does, so that it cleans up."""
    # A process that ignores one of them, as `nohup` asks for, continues to do so.
    heeded = [each for each in POLITE if signal.getsignal(each) is signal.SIG_DFL]
    for each in heeded:
        signal.signal(each, lambda number, _frame: sys.exit(128 + number))
    try:
        yield
    finally:
        for each in heeded:
            signal.signal(each, signal.SIG_DFL)


class Bar:
    """What `progress` yields. Without a terminal it shows nothing."""

    def __init__(self, bar: tqdm[Any] | None, done: float) -> None:
        self._bar, self.done, self._note = bar, done, ""

    def reach(self, done: float, note: str = "") -> None:
        """Show that so many are done; `note` says what is being done, or what was."""
        self.done = done
        if self._bar is not None:
            if note != self._note:
                self._note = note
                self._bar.set_description_str(visible(note), refresh=False)
            self._bar.update(round(done, 1) - self._bar.n)
            self._bar.refresh()

    def part(self, what: str, done: float, of: float | None) -> None:
        """Show how far one of several parts of the work is; another `what` is another part."""
        if self._bar is not None:
            if what != self._note:
                self._bar.reset()
            self._bar.total = of
        self.reach(done, what)


@contextmanager
def progress(total: float | None, unit: str, *, done: float = 0, instead: str = "") -> Iterator[Bar]:
    """Report the progress of a block of work on stderr.

    On a terminal it is a bar, which disappears with the block. Elsewhere it is the one line `instead` at the
    beginning, or nothing.

    >>> with progress(3, "game", done=1) as bar:
    ...     bar.reach(2)
    ...     bar.done
    2
    """
    if sys.stderr is None or not sys.stderr.isatty():
        if instead:
            say(instead)
        yield Bar(None, done)
        return
    from tqdm import tqdm

    with tqdm(
        total=total, initial=done, unit=f" {unit}", file=sys.stderr, dynamic_ncols=True, leave=False
    ) as bar:
        yield Bar(bar, done)

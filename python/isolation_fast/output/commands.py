"""What every command does the same way: report bad input, write messages to stderr, and end when asked to."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, NoReturn

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
    """Write a line to stderr, at once."""
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
    before = {}
    for each in POLITE:
        # A process that ignores one of them, as `nohup` asks for, continues to do so.
        if signal.getsignal(each) is signal.SIG_DFL:
            before[each] = signal.signal(each, _exit)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _exit(number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)

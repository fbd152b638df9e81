"""What every command does the same way: options, messages and progress on stderr, ending when asked to."""

from __future__ import annotations

import argparse
import re
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from tqdm import tqdm

BAD_INPUT: Final = 2
"""The exit status for bad usage and bad input."""
INTERRUPTED: Final = 130
"""The exit status of a command that was interrupted."""
# What runners of workflows take for commands in all that is printed: `::error::` where a line begins, and the
# old `##[error]` anywhere.
BEGINS_A_COMMAND: Final = re.compile(r"^(\s*):", re.MULTILINE)
OLD_COMMAND: Final = re.compile(r"##(?=\w*\[)")
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

    def refuse(self, options: argparse.Namespace, left: Sequence[str]) -> NoReturn:
        """Report words that the command of `options` does not take, and which option may have been meant."""
        commands = next(each for each in self._actions if isinstance(each, argparse._SubParsersAction))
        parser: argparse.ArgumentParser = commands.choices.get(options.command, self)
        known = [name for action in parser._actions for name in action.option_strings]
        close = get_close_matches(left[0].partition("=")[0], known, 1) if left[0].startswith("-") else []
        meant = f", did you mean {close[0]}?" if close else ""
        parser.error(f"unrecognized arguments: {' '.join(left)}{meant}")

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


def add_compile_option(parser: argparse.ArgumentParser) -> None:
    """Add --no-compile, which each command's entry heeds."""
    add_options(parser, ("--no-compile", bool, False, "leave Python heuristics to Python"))


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
    r"""Foreign text, such as a file name or what a submission printed, made harmless wherever it is shown.

    Line ends and printable characters stay. Escape sequences, which would colour, move or erase what is above
    them, and marks of writing direction, which would turn their neighbours around, are spelled out. So is the
    first character of what a runner of workflows would obey.

    >>> print(visible(b"ready\n\x1b[2J\xff"))
    ready
    \x1b[2J\xff
    >>> print(visible("\u202egnp.exe\r"))
    \u202egnp.exe\r
    >>> print(visible("::error::forged ##[error]"))
    \x3a:error::forged \x23#[error]
    """
    text = content.decode("utf-8", "backslashreplace") if isinstance(content, bytes) else content
    text = "".join(each if each == "\n" or each.isprintable() else _escaped(each) for each in text)
    return OLD_COMMAND.sub(r"\\x23#", BEGINS_A_COMMAND.sub(r"\1\\x3a", text))


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def go_on(options: argparse.Namespace, what: str = "FOLDER", words: Sequence[str] | None = None) -> str:
    """How to go on after an interruption: the same command with --resume, where there is a journal.

    `what` the journal is; `words` are the arguments, by default those of the process.
    """
    if options.journal is None:
        return f"--journal {what} keeps what is finished, and --resume continues from it"
    again = [each for each in words or sys.argv[1:] if each != "--resume"]
    return f"go on with: {shlex.join(['isolation-fast', *again, '--resume'])}"


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

    @property
    def is_shown(self) -> bool:
        """Whether anybody sees it."""
        return self._bar is not None

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

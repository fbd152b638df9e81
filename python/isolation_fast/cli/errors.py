"""How the command says what is wrong with what it was given."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

from isolation_fast.output.visible import visible

__all__ = ["BAD_INPUT", "CommandError", "Parser", "report", "say"]

# The exit status for bad usage and bad input.
BAD_INPUT = 2


class CommandError(Exception):
    """Bad usage or bad input of a sub-command: one sentence without a full stop, and a hint where one helps.

    >>> error = CommandError("there is no folder 'x'", hint="give the folder of your submissions")
    >>> str(error), error.hint
    ("there is no folder 'x'", 'give the folder of your submissions')
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class Parser(argparse.ArgumentParser):
    """Takes no abbreviations, and says what is wrong as the rest of the command does."""

    def __init__(self, **settings: object) -> None:
        super().__init__(**{"allow_abbrev": False, **settings})  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and where the options are explained."""
        self.exit(report(message, f"{self.prog} --help", program=self.prog.partition(" ")[0]))


def say(text: str) -> None:
    """Write a line to stderr, at once."""
    print(visible(text), file=sys.stderr, flush=True)  # noqa: T201


def report(message: str, hint: str | None = None, *, program: str = "isolation-fast") -> int:
    """Write an error to stderr; gives the exit status that goes with it."""
    # It may quote names of files, which may be anything.
    print(visible(f"{program}: error: {message}"), file=sys.stderr)  # noqa: T201
    if hint is not None:
        print(visible(f"hint: {hint}"), file=sys.stderr)  # noqa: T201
    return BAD_INPUT

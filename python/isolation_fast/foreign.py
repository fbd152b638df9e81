"""What commands that run other people's code share: options for its limits and its jail, and its output."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import Final

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.jail import Level, Limits
from isolation_fast.numbers import NANS
from isolation_fast.output import CommandError, add_options, report, say

__all__ = [
    "add_jail_options",
    "add_limit_options",
    "add_nan_option",
    "jail_status",
    "limit_words",
    "limits_of",
]

LESS_SANDBOX: Final = 6
"""The exit status where --require-sandbox asks for more than there is."""
LIMITS: Final = (
    ("load_cpu", "SECONDS", float, "CPU time to load a submission"),
    ("move_cpu", "SECONDS", float, "CPU time for a move; more for a class with longer turns"),
    ("wall_factor", "N", float, "wall-clock limit, as a multiple of the CPU limit"),
    ("memory", "MIB", int, "address space of each process of a submission, of which --workers run at once"),
)
DEFAULTS: Final = Limits()


def add_limit_options(parser: argparse.ArgumentParser) -> None:
    """Add --load-cpu, --move-cpu, --wall-factor and --memory; `limits_of` reads them."""
    for name, unit, kind, meaning in LIMITS:
        help_text = f"{meaning} (default {getattr(DEFAULTS, name):g})"
        add_options(parser, (f"{_option(name)} {unit}", kind, None, help_text))


def add_jail_options(parser: argparse.ArgumentParser, whose: str, *, optional: bool = True) -> None:
    """Add --require-sandbox, and --no-jail where the jail is optional."""
    if optional:
        add_options(parser, ("--no-jail", bool, False, f"run {whose} with all rights you have"))
    required = f"run {whose} only if all of the jail is enforced, else end with status {LESS_SANDBOX}"
    add_options(parser, ("--require-sandbox", bool, False, required))


def add_nan_option(parser: argparse.ArgumentParser) -> None:
    """Add --nan.

    >>> parser = argparse.ArgumentParser()
    >>> add_nan_option(parser)
    >>> parser.parse_args([]).nan
    'course'
    """
    help_text = (
        "what a NaN of a heuristic does: course compares it as the course's loops do, refuse loses the game "
        "(default course)"
    )
    parser.add_argument("--nan", choices=NANS, default="course", help=help_text)


def limits_of(options: argparse.Namespace) -> Limits | None:
    """The limits that the options ask for, None where they ask for none."""
    given = {name: getattr(options, name) for name, *_ in LIMITS if getattr(options, name) is not None}
    asked = "require_sandbox" if options.require_sandbox else next(iter(given), None)
    if asked is not None and getattr(options, "no_jail", False):
        raise CommandError(f"{_option(asked)} is about the jail, and --no-jail does without it")
    try:
        return Limits(**given) if given else None
    except InvalidArgumentError as error:
        raise CommandError(str(error)) from error


def limit_words(options: argparse.Namespace) -> Iterator[str]:
    """The words of a command line that asks for the same limits, without those that are the default."""
    limits = limits_of(options) or DEFAULTS
    for name, *_ in LIMITS:
        if getattr(limits, name) != getattr(DEFAULTS, name):
            yield from (_option(name), f"{getattr(limits, name):g}")
    if options.require_sandbox:
        yield "--require-sandbox"


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def jail_status(options: argparse.Namespace, level: Level | None, whose: str) -> int:
    """Warn where there is no jail; the exit status 6 where there is less of it than required, else 0."""
    if options.require_sandbox and options.no_jail:
        raise CommandError("--require-sandbox is about the jail, and --no-jail does without it")
    if options.require_sandbox and level is not None and level.name != "full":
        lacking = f": {', '.join(level.missing)} missing" if level.missing else ""
        report(f"--require-sandbox: not all of the jail is enforced{lacking}")
        return LESS_SANDBOX
    if level is not None and level.name == "none" and not options.no_jail:
        say(f"isolation-fast: there is no jail on this system: {whose} run with all rights you have")
    return 0


@contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """Send to stderr all that is written to stdout meanwhile: stdout is for the answer alone."""
    _flush()
    kept, stdout, stderr = None, 1, 2
    with suppress(OSError):  # one of them is closed, so nothing can be written there
        kept = os.dup(stdout)
        os.dup2(stderr, stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        if kept is not None:
            _flush()
            os.dup2(kept, stdout)
            os.close(kept)


def _flush() -> None:
    for stream in (sys.stdout, sys.__stdout__):
        # There may be none, or the code has closed it.
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()  # type: ignore[union-attr]

"""The options of sub-commands that run other people's code in the jail, and what is said about it."""

from __future__ import annotations

import argparse
from typing import Final

from isolation_fast.jail import Level
from isolation_fast.output import CommandError, report, say

__all__ = ["LESS_SANDBOX", "QUICK_THERE", "add_jail_options", "jail_status"]

LESS_SANDBOX: Final = 6
"""The exit status where --require-sandbox asks for more than there is."""

QUICK_THERE: Final = "quick on the board it is measured on alone: its cost is that of its calls in games"


def add_jail_options(parser: argparse.ArgumentParser, whose: str) -> None:
    """Add --no-jail and --require-sandbox.

    >>> parser = argparse.ArgumentParser()
    >>> add_jail_options(parser, "submissions")
    >>> parser.parse_args(["--no-jail"])
    Namespace(no_jail=True, require_sandbox=False)
    """
    parser.add_argument("--no-jail", action="store_true", help=f"run {whose} with all rights that you have")
    parser.add_argument(
        "--require-sandbox",
        action="store_true",
        help=f"run {whose} only if all of the jail is enforced, else end with status {LESS_SANDBOX}",
    )


def jail_status(options: argparse.Namespace, level: Level | None, whose: str) -> int:
    """Say what there is to be said of the jail; 6 where there is less of it than required, else 0."""
    if options.require_sandbox and options.no_jail:
        raise CommandError("--require-sandbox is about the jail, and --no-jail does without it")
    if options.require_sandbox and level is not None and level.name != "full":
        lacking = f": {', '.join(level.missing)} missing" if level.missing else ""
        report(f"--require-sandbox: not all of the jail is enforced{lacking}")
        return LESS_SANDBOX
    if level is not None and level.name == "none" and not options.no_jail:
        say(f"isolation-fast: there is no jail on this system: {whose} run with all rights you have")
    return 0

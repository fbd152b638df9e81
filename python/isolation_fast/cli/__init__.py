"""The command `isolation-fast`: one module for each of its sub-commands.

A sub-command is a module with `add_to(commands)`, which adds a parser of the module's name, and
`run(options)`, which returns the exit status. `COMMANDS` lists them.

Data goes to stdout and all else to stderr. Exit status: 0, or that of the sub-command; 2 for bad usage and
bad input; 130 after an interruption.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType

from isolation_fast._native import __version__
from isolation_fast.cli import run as run
from isolation_fast.compiled import not_compiling
from isolation_fast.exceptions import IsolationError
from isolation_fast.output import INTERRUPTED, CommandError, Parser, report
from isolation_fast.text import unknown_word

__all__ = ["carried_out", "main"]


# Modules of this package, in the order of the help. `run` imports no other: a module that is loaded before a
# script starts hides a file of its name beside the script.
COMMANDS = ["run", "submission", "heuristics", "cost", "compile", "tournament", "reproduce"]
COMMANDS += ["replay", "solve", "theory"]


class _Help(argparse.HelpFormatter):
    """Leaves room for the names of commands: argparse does not count how far it indents them."""

    def add_argument(self, action: argparse.Action) -> None:
        super().add_argument(action)
        if isinstance(action, argparse._SubParsersAction):
            self._action_max_length += self._indent_increment


# What a shell reports of a program that was ended by a closed pipe.
BROKEN_PIPE = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default those of the process; the exit status."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    parser = Parser(
        prog="isolation-fast", description="Knight's Isolation at engine speed.", formatter_class=_Help
    )
    parser.add_argument("--version", action="version", version=f"isolation-fast {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    is_run = given[:1] == ["run"]
    for name in ["run"] if is_run else COMMANDS:
        _module(name).add_to(commands)
    if not given:
        parser.print_help()
        return 0
    if is_run:
        # The arguments after a script belong to the script, and so does what it raises.
        own, foreign = run.split(given[1:])
        options = parser.parse_args(["run", *own])
        with not_compiling(options.no_compile):
            return run.run(options, foreign)
    if not given[0].startswith("-") and given[0] not in COMMANDS:
        parser.error(unknown_word("command", given[0], COMMANDS))
    options, left = parser.parse_known_args(given)
    # argparse takes a list of players only where they stand together.
    if left and (options.command != "tournament" or any(each.startswith("-") for each in left)):
        parser.refuse(options, left)
    if left:
        options.players += left
    if options.command is None:
        parser.error(f"name a command: {', '.join(COMMANDS)}")
    with not_compiling(getattr(options, "no_compile", False)):
        return carried_out(lambda: _module(options.command).run(options))


def _module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")


def carried_out(command: Callable[[], int]) -> int:
    """Run a command, and print in one line what kept it from its end; gives the exit status."""
    try:
        status = command()
        sys.stdout.flush()
    except (CommandError, IsolationError) as error:
        return report(str(error), getattr(error, "hint", None))
    except KeyboardInterrupt:
        print("isolation-fast: interrupted", file=sys.stderr)  # noqa: T201
        return INTERRUPTED
    except BrokenPipeError:
        # Nobody reads on. The interpreter would flush once more at its end, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    return status

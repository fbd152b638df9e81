"""The command `isolation-grade`: a module for each of its sub-commands.

Data goes to stdout, all else to stderr. `isolation_grader.exceptions` has the exit statuses.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from isolation_grader import __version__
from isolation_grader.exceptions import ExitStatus, GraderError

__all__ = ["main"]

PROGRAM: Final = "isolation-grade"
FULL: Final = (errno.ENOSPC, errno.EDQUOT)
# Modules beside this one, in the order in which the help lists them. `class` is a word of Python's.
COMMANDS: Final = (
    "check",
    "recount",
    "class_",
    "rubric",
    "leaderboard",
    "probe",
    "conformance",
    "copies",
    "bundle",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default those of the process; return the exit status."""
    try:
        return _main(sys.argv[1:] if arguments is None else list(arguments))
    except BrokenPipeError:
        # The reader is gone. At its end the interpreter would flush once more, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitStatus.BROKEN_PIPE
    except KeyboardInterrupt:
        print(f"{PROGRAM}: interrupted", file=sys.stderr)  # noqa: T201
        return ExitStatus.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - whatever it is, it is no fault of the submission
        if _is_of_the_disk(error):
            said = "nothing more can be written: No space left on device; hint: make room; --resume goes on"
            print(f"{PROGRAM}: error: {said}", file=sys.stderr)  # noqa: T201
            return ExitStatus.GRADER_FAILED
        traceback.print_exc()
        print(f"{PROGRAM}: error: the grader itself failed: {type(error).__name__}: {error}", file=sys.stderr)  # noqa: T201
        return ExitStatus.GRADER_FAILED


def _is_of_the_disk(error: BaseException | None) -> bool:
    """Whether there was no room for what was to be written."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in FULL:
            return True
        error = error.__cause__ or error.__context__
    return False


def _main(given: list[str]) -> int:
    # Not at the top: a failing import is a failure of the grader too, with its exit status.
    from isolation_fast.compiled import not_compiling
    from isolation_fast.output import CommandError, Parser, ended_politely, report

    parser = Parser(prog=PROGRAM, description="Grades submissions for Knight's Isolation.")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", required=True)
    modules = {name.rstrip("_"): import_module(f"{__name__}.{name}") for name in COMMANDS}
    for module in modules.values():
        module.add_to(commands)
    if not given:
        parser.print_help()
        return ExitStatus.GOOD
    options, left = parser.parse_known_args(given)
    if left:
        parser.refuse(options, left)
    try:
        with ended_politely(), not_compiling(getattr(options, "no_compile", False)):
            status: int = modules[options.command].run(options)
        sys.stdout.flush()
    except GraderError as error:
        report(str(error), error.hint, program=PROGRAM)
        return error.status
    except CommandError as error:
        report(str(error), error.hint, program=PROGRAM)
        return ExitStatus.USAGE
    return status

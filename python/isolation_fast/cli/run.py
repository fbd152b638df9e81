"""`isolation-fast run`: a script of the course, as it is, with our modules in place of the classic ones."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from isolation_fast.classic.installing import detected_beside, serve, serve_in_children
from isolation_fast.classic.layouts import LAYOUTS, Layout, require_layout
from isolation_fast.cli.starting import Program, module_program, script_program
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.output import CommandError, report

__all__ = ["add_to", "run", "split"]

USAGE = "isolation-fast run [--keep-local] [--layout v1|v2] (SCRIPT | -m MODULE) [ARGS ...]"
DESCRIPTION = """\
Run a Python script with isolation and sample_players of this package in place of the classic ones. All else
is as with `python SCRIPT`: the script's folder comes first on sys.path, and ARGS are the script's, untouched.
"""


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `run`."""
    parser = commands.add_parser(
        "run", usage=USAGE, description=DESCRIPTION, help="run a classic script, unchanged, on this engine"
    )
    parser.add_argument(
        "--keep-local",
        action="store_true",
        help="where the folder has its own isolation or sample_players, take those",
    )
    parser.add_argument(
        "--layout",
        type=_layout,
        metavar="|".join(LAYOUTS),
        help="v1: get_move(game, legal_moves, time_left); v2: get_move(game, time_left); default: detected",
    )
    parser.add_argument("-m", dest="module", metavar="MODULE", help="run a module, as `python -m` does")
    parser.add_argument("script", nargs="?", metavar="SCRIPT", help="a file, or a folder with a __main__.py")


def split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Divide the arguments into ours, up to the script or module, and the script's own.

    >>> split(["--layout", "v1", "agent_test.py", "-h", "--", "--layout"])
    (['--layout', 'v1', 'agent_test.py'], ['-h', '--', '--layout'])
    >>> split(["-m", "unittest", "-v"])
    (['-m', 'unittest'], ['-v'])
    """
    index = 0
    while index < len(arguments):
        word = arguments[index]
        if word in ("-m", "--"):
            end = index + 2
        elif word.startswith("-m") or not word.startswith("-") or word == "-":
            end = index + 1
        else:
            index += 2 if word == "--layout" else 1
            continue
        return list(arguments[:end]), list(arguments[end:])
    return list(arguments), []


def run(options: argparse.Namespace, arguments: Sequence[str] = ()) -> int:
    """Run the script with its own arguments; gives the exit status, unless the script ends the process.

    >>> run(argparse.Namespace(module=None, script=None, layout=None, keep_local=False))
    2
    """
    try:
        program = _program(options)
    except CommandError as error:
        return report(str(error), error.hint)
    program.take_over(arguments)
    sources = [*program.sources, *(_tests_named(arguments) if options.module else ())]
    layout = options.layout or detected_beside(Path(program.folder), *sources)
    serve(layout, keep_local=options.keep_local, keep_word="--keep-local", for_good=True)
    serve_in_children(layout, keep_local=options.keep_local)
    return program.finish()


def _program(options: argparse.Namespace) -> Program:
    if options.module is not None:
        return module_program(options.module)
    if options.script is not None:
        return script_program(options.script)
    raise CommandError("there is nothing to run: name a script, or a module with -m", USAGE)


def _tests_named(arguments: Sequence[str]) -> Iterator[Path]:
    """The files that a test runner's arguments mean: files, folders, dotted names; all here without any."""
    given = [word.partition("::")[0] for word in arguments if not word.startswith("-")]
    for word in given or ["."]:
        path = Path("." if word == "discover" else word)
        if path.is_dir():
            # One folder further down, and not through all that may lie below.
            yield from sorted([*path.glob("*test*.py"), *path.glob("*/*test*.py")])
        elif path.is_file():
            yield path
        else:
            # unittest takes a class or a method of a module too.
            parts = word.split(".")
            names = [Path(*parts[:count]).with_suffix(".py") for count in range(len(parts), 0, -1)]
            yield from [each for each in names if each.is_file()][:1]


def _layout(word: str) -> Layout:
    try:
        return require_layout(word)
    except InvalidArgumentError as error:
        raise argparse.ArgumentTypeError(str(error)) from None

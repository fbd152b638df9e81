"""`isolation-fast submission`: what a submission holds, or why it cannot be loaded."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any, Final

from isolation_fast.foreign import stdout_to_stderr
from isolation_fast.output import add_format_options, print_table, report
from isolation_fast.submission import SubmissionError, load

DESCRIPTION = """\
Load a submission and list its contents: its layout, heuristics and players, what is still a template, and its
imports. Exit status 1 and the reason if it cannot be loaded. Loading runs its code with all rights you have.
"""
CANNOT_BE_LOADED: Final = 1


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `submission`."""
    parser = commands.add_parser(
        "submission", description=DESCRIPTION, help="the contents of a submission, or why it cannot be loaded"
    )
    parser.add_argument("path", metavar="PATH", help="game_agent.py, or the folder that holds it")
    add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the submission's contents, or report why it cannot be loaded and return 1."""
    try:
        # What it prints while it is imported is no part of the answer.
        with stdout_to_stderr():
            submission = load(options.path)
    except SubmissionError as error:
        if options.format == "json":
            print_table(options, [], [], _failure(error, Path(options.path)))
        where = error.path if error.line is None else f"{error.path}:{error.line}"
        report(f"{where}: {error.problem}", error.remedy)
        return CANNOT_BE_LOADED
    outline = submission.outline
    holds: dict[str, list[str]] = {
        "layout": [submission.layout],
        "heuristic": list(submission.heuristics),
        "player": list(submission.players),
        "template": list(submission.templates),
        "timeout": [each.__name__ for each in submission.timeouts],
        "import": list(outline.imports),
        "early name": list(outline.early_names),
    }
    rows = [[what, name] for what, names in holds.items() for name in names]
    lists = {what.replace(" ", "_") + "s": names for what, names in holds.items() if what != "layout"}
    document = {"loads": True, "layout": submission.layout, **lists}
    print_table(options, ["what", "name"], rows, document)
    return 0


def _failure(error: SubmissionError, given: Path) -> dict[str, object]:
    folder = given if given.is_dir() else given.parent
    file = os.path.relpath(error.path or given, folder)
    fields = {each: getattr(error, each) for each in ("line", "name", "replacement", "problem", "remedy")}
    return {"loads": False, "reason": error.reason, "file": Path(file).as_posix(), **fields}

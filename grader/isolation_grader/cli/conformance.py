"""`isolation-grade conformance`: what of the course's own tests a submission passes."""

from __future__ import annotations

import argparse
from typing import Any, Final

from isolation_fast import output
from isolation_fast.foreign import add_jail_options, add_limit_options, limits_of
from isolation_fast.jail import Limits
from isolation_fast.numbers import number
from isolation_grader.conforming import TOTAL_WALL, conformance
from isolation_grader.exceptions import in_words
from isolation_grader.options import LONGEST_GRADING
from isolation_grader.showing.conformance import HEADERS, details, rows

DESCRIPTION: Final = f"""\
Run what the course's own checker tests, in the jail: interface, moves, values and node counts of minimax and
alphabeta, iterative deepening, the end of the time, full games, and heuristics that return floats.
Exit status: {in_words("conformance")}.
"""


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `conformance`."""
    parser = commands.add_parser(
        "conformance", description=DESCRIPTION, help="whether it passes what the course's own checker tests"
    )
    parser.add_argument("submission", metavar="SUBMISSION", help="a game_agent.py, or its folder")
    output.add_options(
        parser,
        ("--seed N", int, 0, "seed of the drawn positions and values (default 0)"),
        ("--total-wall S", float, TOTAL_WALL, f"seconds after which no test begins (default {TOTAL_WALL:g})"),
        ("--no-games", bool, False, "leave out the full games, which take most of the time"),
    )
    add_limit_options(parser)
    add_jail_options(parser, "submissions", optional=False)
    output.add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Run the tests, and print what failed."""
    output.require_stdout()
    number("--total-wall", options.total_wall, above=0, most=LONGEST_GRADING, error=output.CommandError)
    with output.progress(None, "test") as bar:
        found = conformance(
            options.submission,
            seed=options.seed,
            limits=limits_of(options) or Limits(),
            total_wall=options.total_wall,
            games=not options.no_games,
            sandbox_required=options.require_sandbox,
            progress=lambda name, done, of: bar.part(name, done, of),
        )
    output.print_table(options, HEADERS, rows(found), found.to_dict())
    if options.format not in output.DATA_FORMATS:
        for line in details(found):
            output.print_below(options, line)
    if found.problem is not None:
        output.say(f"isolation-grade: {found.submission} could not be loaded: {found.problem}")
    return found.status

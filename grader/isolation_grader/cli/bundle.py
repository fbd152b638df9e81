"""`isolation-grade bundle`: an autograder for Gradescope, as one zip."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any, Final

from isolation_fast import output
from isolation_fast.numbers import integer, number
from isolation_fast.tournament import ROSTERS
from isolation_grader.autograder import Settings, bundle
from isolation_grader.autograder.bundle import LEAST_TIME, PACKAGES, TIME_LIMIT, drawn_seed
from isolation_grader.cli.check import add_question_options, question_of
from isolation_grader.exceptions import ExitStatus, in_words
from isolation_grader.options import DEFAULT_BUDGET, LONGEST_GRADING
from isolation_grader.showing.repeating import DEFAULT_ROSTER

DESCRIPTION: Final = f"""\
Write the zip of a Gradescope autograder: setup.sh, run_autograder, the wheels of engine and grader, a rubric.
Exit status: {in_words("bundle")}.
"""
UNITS: Final = {"": 1, "s": 1, "m": 60, "h": 3600}


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `bundle`."""
    parser = commands.add_parser("bundle", description=DESCRIPTION, help="an autograder for Gradescope")
    add = parser.add_argument
    add("--out", required=True, metavar="ZIP", help="the file to write, such as autograder.zip")
    wheels = "folder of wheels, with those of this version (default dist, where `make dist` puts them)"
    add("--wheels", default="dist", metavar="FOLDER", help=wheels)
    add("--rubric", metavar="TOML", help="what gives which points (default: 1 for a better heuristic)")
    limit = "time after which the verdict so far is the result: 8m, 90s or 480 (default 8m)"
    add("--time-limit", type=seconds_in, default=TIME_LIMIT, metavar="TIME", help=limit)
    packages = f"what submissions may import, as pip names it (default {' '.join(PACKAGES)})"
    add("--packages", nargs="*", default=PACKAGES, metavar="NAME", help=packages)
    seed = "seed of the openings of all submissions (default: drawn; staff alone see the zip)"
    add("--seed", type=int, metavar="N", help=seed)
    add(
        "--workers",
        type=int,
        default=1,
        metavar="N",
        help="games at once (default 1: a container has few cores)",
    )
    add(
        "--heuristics", nargs="+", metavar="NAME", help="these heuristics in place of the three of the course"
    )
    add("--budget", metavar="BUDGET", help=f"budget of a move, as of `check` (default {DEFAULT_BUDGET})")
    opponents = f"roster of the opponents (default {DEFAULT_ROSTER})"
    add("--opponents", choices=tuple(ROSTERS), default=DEFAULT_ROSTER, help=opponents)
    add_question_options(parser)


def run(options: argparse.Namespace) -> int:
    """Write it, and say what is in it."""
    error = output.CommandError
    number("--time-limit", options.time_limit, least=LEAST_TIME, most=LONGEST_GRADING, error=error)
    integer("--workers", options.workers, 1, error=error)
    settings = Settings(
        seed=drawn_seed() if options.seed is None else options.seed,
        time_limit=options.time_limit,
        workers=options.workers,
        budget=options.budget,
        heuristics=None if options.heuristics is None else tuple(options.heuristics),
        opponents=options.opponents,
        question=question_of(options),
    )
    rubric = None if options.rubric is None else Path(options.rubric)
    output.require_writable(options.out, "the zip")
    parts = bundle(Path(options.out), Path(options.wheels), settings, rubric, options.packages)
    output.say(f"isolation-grade: {options.out}: {', '.join(parts)}")
    output.say(f"isolation-grade: seed {settings.seed}")
    return ExitStatus.GOOD


def seconds_in(text: str) -> float:
    """Read a time.

    >>> seconds_in("8m"), seconds_in("90s"), seconds_in("480")
    (480.0, 90.0, 480.0)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"it must be a time such as 8m, 90s or 480, not {text!r}")
    return float(found[1]) * UNITS[found[2]]

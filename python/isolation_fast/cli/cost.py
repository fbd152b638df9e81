"""`isolation-fast cost`: what a node costs with a heuristic, counted by the price list."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from isolation_fast import heuristics
from isolation_fast.cli.compile import LEFT_TO_PYTHON, Form, read_forms, refused_file
from isolation_fast.cli.heuristics import add_with_option, values_of_parameters
from isolation_fast.compiled import Refusal
from isolation_fast.cost import BANDS, PRICES_VERSION, Cost, band_in_words
from isolation_fast.counting import TURNS, count_cost
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.output import Cell, CommandError, add_format_options, print_table, progress
from isolation_fast.submission import SubmissionError

DESCRIPTION = """\
Count what a node costs with a heuristic, in nodes with `improved`, over turns of games of all stages; or say
which line keeps its work from being counted. A native heuristic is counted by its twin in Python. A file is
read, in a locked process where the system has that, and nothing of it is run. No clock is read: the numbers
are the same on every machine. Exit status: 0 if all are counted, 1 if one is not, 2 for bad input.
"""


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `cost`."""
    parser = commands.add_parser("cost", description=DESCRIPTION, help="count what a heuristic costs")
    parser.add_argument(
        "heuristics",
        nargs="+",
        metavar="NAME|FILE[:NAME]",
        help="a native heuristic, or a game_agent.py, or the folder that holds it, or one of its heuristics",
    )
    add_with_option(parser, "the variant of a native one with that parameter; once for each parameter")
    add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Count, and print the costs; 1 if one cannot be counted."""
    asked = [each for word in options.heuristics for each in _asked(word)]
    if options.values:
        if len(asked) != 1 or not isinstance(asked[0][1], heuristics.Heuristic):
            raise CommandError("--with needs the name of one native heuristic", "isolation-fast cost --help")
        variant = asked[0][1].variant(**values_of_parameters(options))
        asked = [(variant.name, variant, None)]
    found: list[dict[str, Any]] = []
    with progress(len(asked), "heuristic", instead="isolation-fast: counting, some seconds each") as bar:
        for name, form, file in asked:
            bar.reach(len(found), name)
            found.append(_entry(name, form, file))
    rows: list[list[Cell]] = [
        [
            each["name"],
            each["cost"],
            *(each["bands"] or [each["cost"]] * len(BANDS)),
            each["line"],
            each["message"],
        ]
        for each in found
    ]
    bands = [band_in_words(band) for band in range(len(BANDS))]
    document = {"prices": PRICES_VERSION, "bands": list(BANDS), "turns": TURNS, "heuristics": found}
    print_table(options, ["heuristic", "cost", *bands, "line", "why not"], rows, document)
    return LEFT_TO_PYTHON if any(each["cost"] is None for each in found) else 0


def _asked(word: str) -> list[tuple[str, heuristics.Heuristic | Form, Path | None]]:
    """The heuristics of an argument: one that is native, or those of a file."""
    if any(mark in word for mark in (":", ".", os.sep)) or (word and Path(word).is_dir()):
        try:
            return [(name, form, file) for file, name, form in read_forms(word)]
        except SubmissionError as error:
            raise refused_file(error) from error
    return [(word, heuristics.get(word), None)]


def _entry(name: str, form: heuristics.Heuristic | Form, file: Path | None) -> dict[str, Any]:
    cost: Cost | None = None
    where, line, message = file, None, None
    if isinstance(form, Refusal):
        where, line, message = Path(form.filename or str(file)), form.line or None, form.message
    else:
        try:
            cost = count_cost(form)
        except InvalidArgumentError as error:  # it has no value, or no budget binds it
            message = str(error)
    counted = {"cost": None, "bands": None} if cost is None else cost.to_dict()
    return {"name": name, **counted, "file": where and str(where), "line": line, "message": message}

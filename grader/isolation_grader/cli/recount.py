"""`isolation-grade recount`: a report's figures once more, from the recorded games of its journal."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from isolation_fast import output
from isolation_grader.exceptions import ExitStatus, UsageError, in_words
from isolation_grader.recounting import Recount, recount
from isolation_grader.showing.wording import one_line

DESCRIPTION: Final = f"""\
Check every recorded game that a report rests on: its opening is the seed's, each move is legal, and the loser
had none. Then compute games, difference, interval and verdict from the records, and compare with the report.
Nothing is played, and nothing of the submission is run. Exit status: {in_words("recount")}.
"""


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `recount`."""
    parser = commands.add_parser(
        "recount", description=DESCRIPTION, help="check a report against its recorded games"
    )
    parser.add_argument("report", metavar="REPORT", help="the JSON of `check --write json=REPORT`")
    parser.add_argument("journal", metavar="JOURNAL", help="the folder of `check --journal JOURNAL`")
    output.add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print what the games come to; 1 where that is not what the report says."""
    output.require_stdout()
    try:
        report = json.loads(Path(options.report).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"the report cannot be read: {options.report}: {error}") from error
    found = recount(report, Path(options.journal))
    if options.format == "json":
        output.print_text(json.dumps([each.to_dict() for each in found], indent=2) + "\n")
    else:
        output.print_text("".join(f"{line}\n" for each in found for line in _lines(each)))
    if not found:
        output.say("isolation-grade: no heuristic of the report has played")
    return ExitStatus.FAILED if any(each.problem for each in found) else ExitStatus.GOOD


def _lines(found: Recount) -> Iterator[str]:
    name = one_line(found.name)
    if found.games:
        checked = f"{found.games:,} games on {found.openings} openings of the seed, each move legal"
        yield f"{name}: {checked}, {found.won:,} won: {found.verdict}"
        if found.difference is not None:
            yield f"  {found.difference}"
    yield from (f"  lost by a fault: {one_line(each)}" for each in found.faults)
    said = "the report says the same" if found.problem is None else f"differs: {one_line(found.problem)}"
    yield f"  {said}" if found.games else f"{name}: {said}"

"""`isolation-grade copies`: which submissions of a class share code beyond the course's template."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from isolation_fast import output
from isolation_fast.numbers import number
from isolation_grader import __version__
from isolation_grader.classes import find, read_roster
from isolation_grader.classes.copies import THRESHOLD, Copies, Pair, Shared, copies
from isolation_grader.classes.layouts import LAYOUTS
from isolation_grader.exceptions import ExitStatus, in_words
from isolation_grader.options import write_whole
from isolation_grader.showing.wording import one_line, percent

DESCRIPTION: Final = f"""\
Compare all submissions of a folder with each other: which share code beyond the course's template, whatever
its names, comments and order of functions are, with the lines side by side. Nothing of them is run.
Exit status: {in_words("copies")}.
"""
HEADERS: Final = ("first", "second", "evidence", "statements", "of first", "of second")
WIDTH: Final = 56
"""Characters of each of two columns."""
MOST_LINES: Final = 12
"""Of each run of statements: all are in JSON and on the page."""
MOST_RUNS: Final = 3


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `copies`."""
    parser = commands.add_parser(
        "copies", description=DESCRIPTION, help="which submissions of a class share code, for staff"
    )
    parser.add_argument("folder", metavar="FOLDER", help="a folder or a zip of submissions, as downloaded")
    threshold = f"bits of evidence from which a pair is shown (default {THRESHOLD:g})"
    output.add_options(parser, ("--threshold BITS", float, THRESHOLD, threshold))
    template = "what the class was given besides the course's template; may be given several times"
    parser.add_argument("--template", action="append", default=[], metavar="FILE", help=template)
    layout = f"how the folder is laid out: {', '.join(LAYOUTS)} (default: it is recognised)"
    parser.add_argument("--layout", metavar="LAYOUT", help=layout)
    parser.add_argument("--roster", metavar="CSV", help="the students' names")
    parser.add_argument("--html", metavar="FILE", help="write a page with all lines side by side")
    output.add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Compare, and print the pairs."""
    output.require_stdout()
    number("--threshold", options.threshold, error=output.CommandError)
    if options.html is not None:
        output.require_writable(options.html, "the page")
    roster = None if options.roster is None else read_roster(Path(options.roster))
    with TemporaryDirectory(prefix="isolation-copies-") as unpacked:
        handed = find(Path(options.folder), Path(unpacked) / "class", roster, options.layout)
        for each in handed.found:
            if each.problem is not None:
                output.say(f"isolation-grade: not compared: {each.name}: {each.problem.reason}")
        files = {each.key: each.file for each in handed.found if each.file is not None}
        found = copies(
            files, threshold=options.threshold, templates=[Path(each) for each in options.template]
        )
    output.print_table(options, HEADERS, [_row(each) for each in found.pairs], found.to_dict())
    if options.format not in output.DATA_FORMATS:
        for line in _below(found):
            output.print_below(options, line)
    if options.html is not None:
        from isolation_grader.showing import html

        page = html.page("copies.html.jinja", found=found, version=__version__)
        write_whole(Path(options.html), page)
    return ExitStatus.FAILED if found.pairs else ExitStatus.GOOD


def _row(pair: Pair) -> list[output.Cell]:
    shares = percent(pair.share_of_first), percent(pair.share_of_second)
    return [one_line(pair.first), one_line(pair.second), pair.evidence, pair.statements, *shares]


def _below(found: Copies) -> Iterator[str]:
    """The longest shared lines of each pair, then what was compared."""
    for pair in found.pairs:
        yield ""
        yield f"{one_line(pair.first)} and {one_line(pair.second)}:"
        for each in pair.shared[:MOST_RUNS]:
            yield from _side_by_side(each)
        if len(pair.shared) > MOST_RUNS:
            yield f"  ... and {len(pair.shared) - MOST_RUNS} shorter runs: --html or --json has all"
    yield ""
    for unread in found.unread:
        yield f"not compared: {one_line(unread.name)}: {one_line(unread.problem)}"
    pairs = f"{len(found.pairs)} pair{'' if len(found.pairs) == 1 else 's'}"
    yield f"{len(found.submissions)} submissions compared: {pairs} with {found.threshold:g} bits or more"
    if found.others:
        first, second, evidence = found.others[0]
        yield f"the next pair: {one_line(first)} and {one_line(second)}, {evidence:g} bits"


def _side_by_side(run: Shared) -> Iterator[str]:
    heads = [f"{one_line(each.file)}:{each.first}-{each.last}" for each in (run.first, run.second)]
    yield f"  {heads[0]:<{WIDTH}} | {heads[1]}"
    rows = [
        lines
        for left, right in run.rows
        for lines in zip_longest(left.splitlines(), right.splitlines(), fillvalue="")
    ]
    for left, right in rows[:MOST_LINES]:
        yield f"  {one_line(left)[:WIDTH]:<{WIDTH}} | {one_line(right)[:WIDTH]}".rstrip()
    if len(rows) > MOST_LINES:
        yield f"  ... {len(rows) - MOST_LINES} more lines"

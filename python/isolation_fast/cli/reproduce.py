"""`isolation-fast reproduce`: the five reports, row by row and claim by claim, measured properly."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from isolation_fast import heuristics
from isolation_fast.exceptions import JournalError
from isolation_fast.output import (
    DATA_FORMATS,
    Bar,
    CommandError,
    add_format_options,
    ended_politely,
    print_below,
    print_table,
    progress,
    require_writable,
    say,
    table_text,
    write_whole,
)
from isolation_fast.study.drawing import plot
from isolation_fast.study.measuring import Measurer, canonical_budget
from isolation_fast.study.page import page
from isolation_fast.study.ranking import LADDER, Rankings, rankings
from isolation_fast.study.studying import Chosen, Study, chosen, measurements, study
from isolation_fast.study.tables import (
    CLAIM_HEADERS,
    DATA_HEADERS,
    ROW_HEADERS,
    claim_rows,
    data_rows,
    notes,
    row_rows,
)

__all__ = ["BUDGETS", "add_to", "run"]

DESCRIPTION = """\
Measure what five student reports printed and claimed about their heuristics, against the opponents of their
tournaments. For each row: what the report printed, what it comes to here, and how far that is from improved,
each with its 95 % interval; for each claim whether it holds. The results are the same for any number of
workers and after any interruption. Exit status: 0, 2 for bad input, 130 when it was interrupted.
"""

BUDGETS: Final = ("course", "nodes=23000")
"""What the course's 150 ms bought each heuristic; and as many nodes for all as they bought `improved`."""


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `reproduce`."""
    parser = commands.add_parser(
        "reproduce", description=DESCRIPTION, help="measure what five student reports claim, and judge it"
    )
    parser.add_argument(
        "--report",
        action="append",
        default=[],
        metavar="LETTER",
        help="A, B, C, D or E; may be given several times (default: all)",
    )
    parser.add_argument("--row", metavar="NAME", help="one row alone, and improved for comparison")
    parser.add_argument(
        "--budget",
        metavar="BUDGET",
        help="of test players, and of alpha-beta opponents without a fixed depth: course, nodes=500, "
        "work=2000 (default: two tables, course and nodes=23000)",
    )
    parser.add_argument(
        "--games",
        type=int,
        metavar="N",
        help="games of each row, a multiple of 14 (default: until its difference to improved is known to "
        "1 point, about 11,000)",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="decides openings and all chance (default 0)"
    )
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: the processors)")
    parser.add_argument(
        "--journal", metavar="FOLDER", help="keep finished chunks in FOLDER, a file for each row"
    )
    parser.add_argument(
        "--write-study",
        metavar="FILE",
        help="write all of it as a page, with rankings; the plot goes beside it, with the ending .svg",
    )
    parser.add_argument("--date", metavar="TEXT", help="the date that the page states (default: today)")
    parser.add_argument("--machine", metavar="TEXT", help="the machine that the page states")
    parser.add_argument("--resume", action="store_true", help="go on from the journal, if there is one yet")
    parser.add_argument(
        "--time-limit", type=float, metavar="SECONDS", help="end then, with what there is by that time"
    )
    add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Measure, and print the tables."""
    what = chosen(options.report, options.row)
    budgets = BUDGETS if options.budget is None else (canonical_budget(options.budget),)
    if options.resume and options.journal is None:
        raise CommandError("--resume needs the --journal that it goes on from")
    if options.journal == "":
        raise CommandError("--journal is a folder, and its name is empty")
    if options.time_limit is not None and not options.time_limit > 0:
        raise CommandError(f"--time-limit is a number of seconds above 0, not {options.time_limit:g}")
    if sys.stdout is None:  # the shell was told to close it
        raise CommandError("the output cannot be written: it is closed")
    _require_whole(options)
    total = len(measurements(what)) * len(budgets)
    if options.write_study is not None:
        total += len(heuristics.names()) + 1 + len(LADDER)
    try:
        with ended_politely(), progress(total, "row") as bar:
            done, ranked = _measured(options, what, budgets, _shown_by(bar))
    except KeyboardInterrupt:
        say(f"hint: {_go_on(options)}")
        raise
    try:
        _print(options, done)
    finally:  # whoever reads the tables may leave early: the page is wanted all the same
        if ranked is not None:
            _write_page(options, done, ranked)
    return 0


def _shown_by(bar: Bar) -> Callable[[str, int], None]:
    """Show the row that is played and its games; the rows before it are done."""
    rows: dict[str, None] = {}

    def show(row: str, games: int) -> None:
        rows[row] = None
        bar.reach(len(rows) - 1, f"{row.rpartition(' ')[2]}: {games:,} games")

    return show


def _require_whole(options: argparse.Namespace) -> None:
    """Refuse a page of a part, one that could not be written, and words for a page that nobody wants."""
    if options.write_study is None:
        for name in ("date", "machine"):
            if getattr(options, name) is not None:
                raise CommandError(f"--{name} is for the page of --write-study")
        return
    if options.report or options.row is not None:
        raise CommandError("--write-study is about all reports: leave out --report and --row")
    if not (options.machine or "").strip():
        raise CommandError("--write-study needs --machine, such as --machine '2 virtual x86-64 cores'")
    if Path(options.write_study).suffix != ".md":
        raise CommandError(f"--write-study takes a file that ends in .md, not {options.write_study}")
    for path in (options.write_study, _picture(options)):
        require_writable(str(path), "the study")


def _picture(options: argparse.Namespace) -> Path:
    return Path(options.write_study).with_suffix(".svg")


def _write_page(options: argparse.Namespace, done: Study, ranked: Rankings) -> None:
    made = {
        "command": _command(options),
        "date": options.date or date.today().isoformat(),
        "machine": options.machine,
    }
    try:
        text = page(done, ranked, picture=_picture(options).name, made=made)
        write_whole(_picture(options), plot(done.tables[0]))
        write_whole(options.write_study, text)
    except OSError as error:
        raise CommandError(f"the study cannot be written: {error}") from error


def _command(options: argparse.Namespace) -> str:
    """The line that gives the same figures: without what makes no difference to them."""
    words = ["isolation-fast", "reproduce", "--seed", str(options.seed)]
    for name in ("budget", "games", "time_limit", "machine", "write_study"):
        value = getattr(options, name)
        if value is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return shlex.join(words)


def _measured(
    options: argparse.Namespace, what: Chosen, budgets: tuple[str, ...], shown: Callable[[str, int], None]
) -> tuple[Study, Rankings | None]:
    try:
        measurer = Measurer(
            games=options.games,
            seed=options.seed,
            workers=options.workers,
            journal=options.journal,
            resume=options.resume,
            time_limit=options.time_limit,
            progress=shown,
        )
        done = study(what, measurer, budgets)
        if options.write_study is None:
            return done, None
        ranked = rankings(measurer, budgets[0])
        # A clock may have ended the rankings alone.
        return replace(done, reproducible=measurer.reproducible), ranked
    except JournalError as error:
        raise CommandError(str(error), None if options.resume else "--resume goes on from it") from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(f"the study cannot go on: {error}") from error


def _print(options: argparse.Namespace, done: Study) -> None:
    if options.format in DATA_FORMATS:
        print_table(options, DATA_HEADERS, data_rows(done), done.to_dict())
        return
    for table in done.tables:
        print_below(options, f"budget {table.budget}\n")
        print_table(options, ROW_HEADERS, row_rows(table), {})
        if table.judgements:
            claims = table_text(options.format, CLAIM_HEADERS, claim_rows(table), {})
            print_below(options, f"\n{claims}")
        print_below(options, "")
    for line in notes(done):
        print_below(options, line)


def _go_on(options: argparse.Namespace) -> str:
    if options.journal is None:
        return "with --journal FOLDER what is finished is kept, and --resume goes on from there"
    again = [each for each in sys.argv[1:] if each != "--resume"]
    return f"go on with: {shlex.join(['isolation-fast', *again, '--resume'])}"

"""`isolation-fast reproduce`: the five reports, row by row and claim by claim, measured properly."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from isolation_fast import heuristics, output
from isolation_fast.exceptions import JournalError
from isolation_fast.output import CommandError, add_options, say
from isolation_fast.study import studying
from isolation_fast.study.measuring import LADDER, Measurer, Rankings, canonical_budget, rankings
from isolation_fast.study.page import page, plot
from isolation_fast.study.studying import Chosen, Study

DESCRIPTION = """\
Measure what five student reports print and claim about their heuristics, against the opponents of their
tournaments. For each row: the printed rate, the measured rate and its difference to improved, each with its
95 % interval; for each claim whether it holds. The results do not depend on the number of workers or on
interruptions. Exit status: 0, 2 for bad input, 130 after an interruption.
"""

MEASURED_BY: Final = ("games", "seed", "workers", "journal", "resume", "time_limit")
BUDGETS: Final = ("course", "nodes=23000")
"""What the course's 150 ms bought each heuristic; and as many nodes for all as they bought `improved`."""
OPTIONS: Final[tuple[tuple[str, Any, Any, str], ...]] = (
    ("--report LETTER", list, [], "A, B, C, D or E; repeatable (default: all)"),
    ("--row NAME", str, None, "one row alone, with improved for comparison"),
    (
        "--budget BUDGET",
        str,
        None,
        "budget of test players, and of alpha-beta opponents without a fixed depth: course, "
        "nodes=500, work=2000 (default: course, then nodes=23000)",
    ),
    (
        "--games N",
        int,
        None,
        "games of each row, a multiple of 14 (default: until the difference to improved is known to "
        "1 point, about 11,000)",
    ),
    ("--seed N", int, 0, "seed of openings and all chance (default 0)"),
    ("--workers N", int, None, "threads (default: one a processor)"),
    ("--journal FOLDER", str, None, "folder that keeps finished chunks, a file for each row"),
    (
        "--write-study FILE",
        str,
        None,
        "file for all of it as a page, with rankings; the plot goes beside it, as .svg",
    ),
    ("--date TEXT", str, None, "date on the page (default: today)"),
    ("--machine TEXT", str, None, "machine on the page"),
    ("--resume", bool, False, "continue from the journal, if it exists"),
    ("--time-limit SECONDS", float, None, "wall-clock limit; the results are what there is by then"),
)


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `reproduce`."""
    parser = commands.add_parser(
        "reproduce", description=DESCRIPTION, help="the claims of five student reports, measured and judged"
    )
    add_options(parser, *OPTIONS)
    output.add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Measure, and print the tables."""
    what = studying.chosen(options.report, options.row)
    budgets = BUDGETS if options.budget is None else (canonical_budget(options.budget),)
    if options.resume and options.journal is None:
        raise CommandError("--resume needs the --journal that it continues from")
    if options.journal == "":
        raise CommandError("--journal is a folder, and its name is empty")
    if options.time_limit is not None and not options.time_limit > 0:
        raise CommandError(f"--time-limit is a number of seconds above 0, not {options.time_limit:g}")
    output.require_stdout()
    _require_whole(options)
    total = len(studying.measurements(what)) * len(budgets)
    if options.write_study is not None:
        total += len(heuristics.names()) + 1 + len(LADDER)
    try:
        with output.ended_politely(), output.progress(total, "row") as bar:
            done, ranked = _measured(options, what, budgets, _shown_by(bar))
    except KeyboardInterrupt:
        say(f"hint: {output.go_on(options)}")
        raise
    try:
        _print(options, done)
    finally:  # a reader of the tables may leave early: the page is written all the same
        if ranked is not None:
            _write_page(options, done, ranked)
    return 0


def _shown_by(bar: output.Bar) -> Callable[[str, int], None]:
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
        output.require_writable(str(path), "the study")


def _picture(options: argparse.Namespace) -> Path:
    return Path(options.write_study).with_suffix(".svg")


def _write_page(options: argparse.Namespace, done: Study, ranked: Rankings) -> None:
    today = date.today().isoformat()
    made = {"command": _command(options), "date": options.date or today, "machine": options.machine}
    try:
        text = page(done, ranked, picture=_picture(options).name, made=made)
        output.write_whole(_picture(options), plot(done.tables[0]))
        output.write_whole(options.write_study, text)
    except OSError as error:
        raise CommandError(f"the study cannot be written: {error}") from error


def _command(options: argparse.Namespace) -> str:
    """The line that gives the same figures: without what makes no difference to them."""
    words = ["isolation-fast", "reproduce", "--seed", str(options.seed)]
    for name in ("budget", "games", "time_limit", "machine", "write_study"):
        if (value := getattr(options, name)) is not None:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return shlex.join(words)


def _measured(
    options: argparse.Namespace, what: Chosen, budgets: tuple[str, ...], shown: Callable[[str, int], None]
) -> tuple[Study, Rankings | None]:
    try:
        asked = {name: getattr(options, name) for name in MEASURED_BY}
        measurer = Measurer(**asked, progress=shown)
        done = studying.study(what, measurer, budgets)
        if options.write_study is None:
            return done, None
        ranked = rankings(measurer, budgets[0])
        # A clock may have ended the rankings alone.
        return replace(done, reproducible=measurer.reproducible), ranked
    except JournalError as error:
        raise CommandError(str(error), None if options.resume else "--resume continues from it") from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(f"the study cannot go on: {error}") from error


def _print(options: argparse.Namespace, done: Study) -> None:
    if options.format in output.DATA_FORMATS:
        output.print_table(options, studying.DATA_HEADERS, studying.data_rows(done), done.to_dict())
        return
    for table in done.tables:
        output.print_below(options, f"budget {table.budget}\n")
        output.print_table(options, studying.ROW_HEADERS, studying.row_rows(table), {})
        if table.judgements:
            output.print_below(options, "")
            output.print_table(options, studying.CLAIM_HEADERS, studying.claim_rows(table), {})
        output.print_below(options, "")
    for line in studying.notes(done):
        output.print_below(options, line)

"""`isolation-grade rubric`: the rubric of a class, what it gives for, and whether marks agree with it."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from isolation_fast import output
from isolation_grader.classes import Marked, default_rubric, read_facts, read_rubric
from isolation_grader.classes.facts import UNFINISHED
from isolation_grader.classes.jobs import CLASS_PRECISION
from isolation_grader.classes.marks import Rubric
from isolation_grader.classes.tables import grades, part_columns
from isolation_grader.exceptions import ExitStatus, UsageError, in_words
from isolation_grader.showing.wording import one_line

DESCRIPTION: Final = f"""\
Print the rubric that classes are marked by, to be changed and given to `class --rubric`; check one; say in
words what it gives for; or compute the marks of a graded class again, from its results, and compare. Exit
status: {in_words("rubric")}.
"""
HEADINGS: Final = ("student", "column", "in the table", "by the rubric")
MOST_BYTES: Final = 64 * 2**20


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `rubric`."""
    parser = commands.add_parser("rubric", description=DESCRIPTION, help="what a class is marked by")
    add = parser.add_argument
    rubric = "a rubric (default: with --check that of the class, else the one that is used by default)"
    add("rubric", nargs="?", metavar="TOML", help=rubric)
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--explain", action="store_true", help="say in words what it gives points for")
    check = "the grades.csv of a class: compute its marks again, without a game, and name what differs"
    group.add_argument("--check", metavar="CSV", help=check)
    output.add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print, explain or check."""
    output.require_stdout()
    if options.check is not None:
        return _check(options, Path(options.check))
    rubric = default_rubric() if options.rubric is None else read_rubric(Path(options.rubric))
    if warning := rubric.too_much(CLASS_PRECISION / 100):
        output.say(f"isolation-grade: {warning}")
    if options.explain:
        output.print_text("\n".join(rubric.explained()) + "\n")
    else:
        output.print_text(rubric.text)
    return ExitStatus.GOOD


def _check(options: argparse.Namespace, table: Path) -> int:
    kept = table.parent / "state" / "rubric.toml"
    if not table.is_file() and (kept.parent / "class.json").exists():
        raise UsageError(f"the class in {table.parent} is not finished: it has no {table.name}", UNFINISHED)
    if options.rubric is None and not kept.is_file():
        raise UsageError(
            f"{table.parent} has no rubric of a class: {kept}", "name a rubric, or grade the class"
        )
    rubric = read_rubric(kept if options.rubric is None else Path(options.rubric))
    marked = Marked.of(read_facts(table.parent), rubric)
    _say_what_moves(marked)
    found = list(_differences(_rows(table), list(csv.DictReader(grades(marked).splitlines())), rubric))
    document = {"differences": [dict(zip(HEADINGS, row, strict=True)) for row in found]}
    if found or options.format in output.DATA_FORMATS:
        output.print_table(options, HEADINGS, found, document)
    students = sum(len(each.students) for each in marked.facts.submissions) + len(marked.facts.missing)
    if found:
        output.print_below(options, f"\ncells that do not agree with the rubric: {len(found)}")
    else:
        output.print_below(options, f"the marks of all {students} students agree with the rubric")
    return ExitStatus.FAILED if found else ExitStatus.GOOD


def _say_what_moves(marked: Marked) -> None:
    """Say of how many submissions chance moves the mark by more than the rubric allows."""
    known = [each.best.difference for each in marked.facts.submissions if each.best]
    margins = [each.interval.margin for each in known if each is not None]
    moved = [each for each in margins if marked.rubric.too_much(each)]
    if moved:
        of = f"{len(moved)} of {len(margins)} submissions"
        output.say(f"isolation-grade: {of}: {marked.rubric.too_much(max(moved))}")


def _rows(table: Path) -> list[dict[str, str]]:
    try:
        with table.open(newline="", encoding="utf-8-sig") as file:
            return list(csv.DictReader(file.read(MOST_BYTES).splitlines()))
    except OSError as error:
        raise UsageError(f"the grades cannot be read: {table}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"the grades are no CSV: {table}: {error}") from error


def _differences(
    there: list[dict[str, str]], computed: list[dict[str, str]], rubric: Rubric
) -> Iterator[list[output.Cell]]:
    """Each mark that the table has otherwise, and each student that one of them lacks."""
    by_student = {_who(row): row for row in there}
    for row in computed:
        kept = by_student.pop(_who(row), None)
        if kept is None:
            yield [one_line(row["name"]), "name", None, row["name"]]
            continue
        for column in (*part_columns(rubric), "total", "most", "open"):
            before, now = (kept.get(column) or ""), row[column]
            if not _is_same(before, now):
                yield [one_line(row["name"]), column, one_line(before), now]
    for row in by_student.values():
        yield [one_line(row.get("name") or ""), "name", one_line(row.get("name") or ""), None]


def _who(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(row.get(each) or "" for each in ("key", "name", "sid", "email"))


def _is_same(before: str, now: str) -> bool:
    """Whether two cells say the same; a spreadsheet writes numbers in its own way."""
    try:
        return float(before) == float(now)
    except ValueError:
        return before.strip() == now

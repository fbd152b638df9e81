"""A report for people at a terminal: the classic table, the verdicts, what they mean, failures last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from isolation_fast.output import table_text
from isolation_grader.report import Graded, Report
from isolation_grader.showing import tables
from isolation_grader.showing.repeating import Repeat
from isolation_grader.showing.wording import (
    cost_in_words,
    endings_in_words,
    game_in_words,
    meaning,
    one_line,
    outcome,
    printed_lines,
    problem_lines,
    settings,
    warnings,
)

__all__ = ["about", "head", "text"]

MOST_GAMES: Final = 3
"""Lost games that are told of for each; the page in HTML has all of them to replay."""


def text(report: Report, form: str = "simple", repeat: Repeat | None = None) -> str:
    """The report, its tables in a format of the tabulate package.

    `repeat` knows what the commands at the end need beside the report: where the submission is.
    """
    return "\n".join(line.rstrip() for line in _lines(report, form, repeat or Repeat()))


def _lines(report: Report, form: str, repeat: Repeat) -> Iterator[str]:
    yield from head(report, form)
    for graded in report.graded:
        yield ""
        yield from about(report, graded)
    yield from _failures(report, repeat)


def head(report: Report, form: str = "simple") -> Iterator[str]:
    """What there is to be said of all together: the tables, and what the verdicts mean."""
    yield f"{one_line(report.submission)}: {report.verdict}"
    yield from warnings(report)
    if report.problem is not None:
        yield ""
        yield from problem_lines(report.problem)
    if report.graded:
        for table in (tables.classic(report), tables.verdicts(report), tables.rates(report)):
            yield ""
            yield table_text(form, table.headers, table.rows, {}, align=table.align)
    yield ""
    yield from meaning(report)
    yield settings(report)
    yield from printed_lines("while it was loaded", report.printed)


def about(report: Report, graded: Graded) -> Iterator[str]:
    """What there is to be said of one, but for its table and its failures."""
    yield f"{one_line(graded.name)}: {graded.verdict}"
    if graded.problem is None:
        yield f"  {outcome(report, graded)}"
    else:
        yield from (f"  {line}" for line in problem_lines(graded.problem))
    if graded.earlier is not None:
        before, now = cost_in_words(graded.earlier.cost), cost_in_words(graded.grading.cost)
        yield (
            f"  graded twice: at a cost of {before} it was {graded.earlier.verdict!r}, and took more in play "
            f"than that; now at {now}"
        )
    lost = endings_in_words(graded.grading)
    if lost is not None:
        yield f"  lost games: {lost}"
    usual = [each for each in graded.lost_games if each.ending == "no moves"]
    yield from (f"  {game_in_words(graded, each)}" for each in usual[:MOST_GAMES])
    if len(usual) > MOST_GAMES:
        yield f"  ... and {len(usual) - MOST_GAMES:,} more: --write html=report.html has all to replay"
    yield from (f"  try next: {one_line(each)}" for each in graded.advice)
    yield from (f"  {line}" for line in printed_lines("in play", graded.printed) if line)


def _failures(report: Report, repeat: Repeat) -> Iterator[str]:
    """A line for whatever is not better, and for each game lost by a fault, with what repeats it.

    The command comes last: nothing of a submission's stands behind it, where it would be pasted with it.
    """
    lines = []
    if report.problem is not None:
        told = f"{one_line(report.problem.cause)}: {one_line(report.submission)}"
        lines.append(f"{told}: {one_line(report.problem.reason)}; repeat: {repeat.command(report)}")
    for graded in report.graded:
        command = repeat.command(report, graded)
        if graded.verdict != "better":
            told = f"{graded.verdict}: {one_line(graded.name)}: {outcome(report, graded)}"
            lines.append(f"{told}; repeat: {command}")
        lines += [
            f"{each.ending}: {game_in_words(graded, each)}; repeat: {command}"
            for each in graded.lost_games
            if each.ending != "no moves"
        ]
    if lines:
        yield ""
        yield "failures:"
        yield from lines

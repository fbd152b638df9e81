"""A report as Markdown, for a comment below a submission."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from isolation_fast.output import table_text, visible
from isolation_grader.report import Graded, Printed, Problem, Report
from isolation_grader.showing import wording as words
from isolation_grader.showing.repeating import Repeat
from isolation_grader.showing.terminal import MOST_GAMES, Table, tables

MARKUP: Final = re.compile(r"([\\`*_\[\]#|<>~&$])")
# What begins a list or draws a line.
BEGINNING: Final = re.compile(r"^(\d*)([-+.)])(?=[-\s]|$)")
# Sites make links and mentions of these, but not in code.
LINKED: Final = re.compile(r"(@|://|www\.)")
BACKTICKS: Final = re.compile("`+")


def text(report: Report, repeat: Repeat | None = None) -> str:
    """The report; what is a submission's own is code, or escaped."""
    return "\n".join(_lines(report, (repeat or Repeat()).bare()))


def _lines(report: Report, repeat: Repeat) -> Iterator[str]:
    yield f"# {_code(report.submission)}: {report.verdict}"
    yield from ("", _prose(words.summary(report)), "")
    for warning in words.warnings(report):
        yield from (f"**{_prose(warning)}**", "")
    if report.problem is not None:
        yield from _problem(report.problem)
    if causes := [*words.causes(report)]:
        yield from (*(f"- {_prose(each)}" for each in causes), "")
    for table in tables(report):
        yield from (_drawn(table), "", *(line for each in table.below for line in (_prose(each), "")))
    yield from ("## What it means", "")
    yield from (f"- {_prose(each)}" for each in (*words.meaning(report), words.settings(report)))
    yield ""
    yield from _printed("while it was loaded", report.printed)
    for graded in report.graded:
        yield from _about(report, graded, repeat)


def _about(report: Report, graded: Graded, repeat: Repeat) -> Iterator[str]:
    yield from (f"## {_code(graded.name)}: {graded.verdict}", "")
    if graded.problem is None:
        yield from (_prose(f"{words.known(report, graded)} {words.outcome(report, graded)}."), "")
    else:
        yield from _problem(graded.problem)
    lost = words.endings_in_words(graded.grading)
    if lost is not None:
        first = [*graded.faults, *graded.outplayed][:MOST_GAMES]
        yield from (f"Lost games: {_prose(lost)}.{' The first of them:' if first else ''}", "")
        yield from (f"- {_prose(words.game_in_words(graded, each))}" for each in first)
        yield from [""] if first else []
    nans = words.nans_in_words(graded.nans)
    if nans is not None:
        yield from (f"NaN: {_prose(nans)}.", "")
    if graded.advice:
        yield from ("What to try next:", "")
        yield from (f"- {_prose(words.one_line(each))}" for each in graded.advice)
        yield ""
    yield from _printed("in play", graded.printed)
    # Without the seed nobody repeats it.
    if graded.verdict != "better" and report.seed is not None:
        yield from ("Repeat it with:", "")
        yield from _block([repeat.command(report, graded)], "sh")


def _problem(problem: Problem) -> Iterator[str]:
    yield f"- cause: {_prose(words.one_line(problem.cause))}"
    yield f"- reason: {_code(problem.reason)}"
    yield from (f"- help: {_prose(words.one_line(problem.help))}", "")
    if problem.trace:
        yield from _block([words.one_line(each) for each in problem.trace])


def _printed(when: str, printed: Printed) -> Iterator[str]:
    for name in ("stdout", "stderr"):
        lines = visible(getattr(printed, name)).rstrip("\n").split("\n")
        if lines != [""]:
            yield from (f"Printed to {name} {when}:", "")
            more = len(lines) - words.MOST_LINES
            cut = [f"... and {more:,} more lines"] if more > 0 else []
            yield from _block([*lines[: words.MOST_LINES], *cut])
    if printed.dropped:
        yield from (f"{printed.dropped:,} more bytes were printed {when}, and not kept.", "")


def _drawn(table: Table) -> str:
    rows = [[_cell(each) if isinstance(each, str) else each for each in row] for row in table.rows]
    return table_text("github", [_cell(each) for each in table.headers], rows, {}, align=table.align)


def _cell(text: str) -> str:
    # The drawing of the table escapes bars.
    return _prose(text).replace(r"\|", "|")


def _prose(text: str) -> str:
    r"""A text in which nothing is markup.

    >>> print(_prose("<b>*hi*</b> @all"))
    \<b\>\*hi\*\</b\> `@`all
    """
    return LINKED.sub(r"`\1`", BEGINNING.sub(r"\1\\\2", MARKUP.sub(r"\\\1", text)))


def _code(text: str) -> str:
    """A line as code, whatever backticks are in it.

    >>> _code("a`b"), _code("`")
    ('``a`b``', '`` ` ``')
    """
    line = words.one_line(text)
    ticks = "`" * (1 + max((len(each) for each in BACKTICKS.findall(line)), default=0))
    space = " " if line.startswith("`") or line.endswith("`") or not line.strip() else ""
    return f"{ticks}{space}{line}{space}{ticks}"


def _block(lines: Sequence[str], language: str = "") -> Iterator[str]:
    longest = max((len(each) for line in lines for each in BACKTICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}{language or 'text'}"
    # No line begins with a submission's text: runners of workflows obey lines that begin with `::`.
    yield from lines if language else (f"  | {each}" for each in lines)
    yield from (fence, "")

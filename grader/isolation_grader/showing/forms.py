"""A report in any form, by its name; the forms for programs are here.

| form | what it is for |
|---|---|
| `json`, `csv` | programs; `csv` also as `tsv` |
| `markdown` | a comment below a submission |
| `gradescope` | Gradescope's results.json |
| `html` | one file to read in a browser, with the lost games to replay |
| any other | people at a terminal: its tables in that format of the tabulate package |

What a submission printed, raised or named does nothing in any of them.
"""

from __future__ import annotations

from typing import Final

from isolation_fast.output import DATA_FORMATS, Cell, table_text
from isolation_fast.statistics import Interval
from isolation_fast.tournament import Score
from isolation_grader.report import Graded, Report
from isolation_grader.showing import gradescope, markdown, terminal
from isolation_grader.showing.wording import Repeat, one_line

FORMS: Final = ("json", "csv", "markdown", "gradescope", "html")
"""What `--format` and `--write` know beside the formats of the tabulate package."""

DATA_HEADERS: Final = (
    *("name", "opponent", "games", "won", "lost", "rate", "low", "high", "verdict", "difference"),
    *("difference_low", "difference_high", "blocks", "cost", "source"),
)


def shown(report: Report, form: str, repeat: Repeat | None = None) -> str:
    """The report as text, with an end of line; `form` is one of `FORMS` or of the tabulate package."""
    return f"{_text(report, form, repeat)}\n"


def _text(report: Report, form: str, repeat: Repeat | None) -> str:
    if form == "json":
        # The same bytes on every run: no time is in it.
        return table_text("json", [], [], report.to_dict())
    if form in DATA_FORMATS:
        return table_text(form, DATA_HEADERS, _data(report), {})
    if form == "markdown":
        return markdown.text(report, repeat)
    if form == "gradescope":
        return gradescope.text(report, repeat)
    if form == "html":
        # Importing it imports jinja2, which no other form needs.
        from isolation_grader.showing import html

        return html.text(report)
    return terminal.text(report, form, repeat)


def _data(report: Report) -> list[list[Cell]]:
    """A row for each opponent, then one against all, which names none and has the verdict."""
    rows: list[list[Cell]] = []
    if report.baseline is not None:
        base = report.baseline
        rows += [_score(base.name, each) for each in base.scores]
        won, games = sum(each.won for each in base.scores), sum(each.games for each in base.scores)
        counts: list[Cell] = [base.name, None, games, won, games - won, base.rate.rate]
        rows.append([*counts, *_ends(base.rate.interval), *(None,) * 4, base.rate.blocks, None, None])
    for graded in report.graded:
        rows += [_score(one_line(graded.name), each) for each in graded.grading.scores]
        rows.append(_total(graded))
    return rows


def _score(name: str, score: Score) -> list[Cell]:
    counts: list[Cell] = [name, one_line(score.opponent), score.games, score.won, score.lost, score.rate]
    return [*counts, *_ends(score.interval), *(None,) * 7]


def _total(graded: Graded) -> list[Cell]:
    grading = graded.grading
    counts: list[Cell] = [one_line(graded.name), None, grading.games, grading.won]
    difference = grading.difference
    return [
        *counts,
        grading.games - grading.won,
        grading.rate,
        *_ends(grading.interval),
        grading.verdict,
        None if difference is None else difference.value,
        *_ends(None if difference is None else difference.interval),
        None if grading.test is None else grading.test.count,
        None if grading.cost is None else grading.cost.cost.value,
        None if grading.cost is None else grading.cost.source,
    ]


def _ends(interval: Interval | None) -> list[Cell]:
    return [None, None] if interval is None else [interval.low, interval.high]

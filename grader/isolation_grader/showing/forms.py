"""A report in any form, by its name; the forms for programs are here.

| form | what it is for |
|---|---|
| `json`, `csv` | programs; `csv` also as `tsv` |
| `markdown` | a comment below a submission |
| `gradescope` | Gradescope's results.json |
| `html` | one file to read in a browser, with the lost games to replay |
| any other | people at a terminal: its tables in that format of the tabulate package |

What a submission printed, raised or named does nothing in any of them.

Where the openings are to stay secret, those for students leave out what an opening can be had from. A replay
shows it, and a submission can say what it saw: in what it prints, and in the text of an error. So these go
with the seed, and so does what asks for them: the command that repeats a test, and advice to look at a game.
Verdicts, figures and other advice stay.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from isolation_fast.output import DATA_FORMATS, OLD_COMMAND, Cell, table_text
from isolation_fast.statistics import Interval
from isolation_fast.tournament import Score
from isolation_grader.report import Graded, Grading, Printed, Report
from isolation_grader.showing import gradescope, markdown, terminal
from isolation_grader.showing.repeating import Repeat
from isolation_grader.showing.wording import known, one_line, summary

FORMS: Final = ("json", "csv", "markdown", "gradescope", "html")
"""What `--format` and `--write` know beside the formats of the tabulate package."""

DATA_HEADERS: Final = (
    *("name", "opponent", "games", "won", "lost", "rate", "low", "high", "verdict", "difference"),
    *("difference_low", "difference_high", "blocks", "read", "cost", "source"),
)


def shown(report: Report, form: str, repeat: Repeat | None = None, *, secret: bool = False) -> str:
    """The report as text, with an end of line; `form` is one of `FORMS` or of the tabulate package.

    `secret` keeps the openings from the forms for students.
    """
    if secret and form in FOR_STUDENTS:
        report = without_secrets(report)
    text = _text(report, form, repeat)
    if form in ("json", "gradescope"):
        # The same to a reader of JSON, and no command to one of logs.
        text = OLD_COMMAND.sub(r"\\u0023#", text)
    return f"{text}\n"


def _text(report: Report, form: str, repeat: Repeat | None) -> str:
    if form == "json":
        # The same bytes on every run: no time is in it.
        return table_text("json", [], [], document_of(report))
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


def document_of(report: Report) -> dict[str, Any]:
    """The report as JSON knows it, with the sentences that say what is known."""
    document = report.to_dict()
    for each, graded in zip(document["graded"], report.graded, strict=True):
        each["known"] = known(report, graded)
    return {**document, "headline": summary(report)}


def _data(report: Report) -> list[list[Cell]]:
    """A row for each opponent, then one against all, which names none and has the verdict."""
    rows: list[dict[str, Cell]] = []
    if report.baseline is not None:
        base, rate = report.baseline, report.baseline.rate
        rows += [_row(base.name, each) for each in base.scores]
        won, games = sum(each.won for each in base.scores), sum(each.games for each in base.scores)
        counts: dict[str, Cell] = {"games": games, "won": won, "lost": games - won, "rate": rate.rate}
        rows.append({"name": base.name, **counts, **_ends(rate.interval), "blocks": rate.blocks})
    for graded in report.graded:
        name, grading = one_line(graded.name), graded.grading
        rows += [_row(name, each) for each in grading.scores]
        total = {**_row(name, grading), "verdict": grading.verdict}
        if grading.difference is not None:
            total |= {"difference": grading.difference.value}
            total |= _ends(grading.difference.interval, "difference_")
        if grading.test is not None:
            total |= {"blocks": grading.blocks, "read": grading.test.count}
        if grading.cost is not None:
            total |= {"cost": grading.cost.value, "source": grading.cost.source}
        rows.append(total)
    return [[row.get(header) for header in DATA_HEADERS] for row in rows]


def _row(name: str, of: Score | Grading) -> dict[str, Cell]:
    counts: dict[str, Cell] = {"games": of.games, "won": of.won, "lost": of.lost, "rate": of.rate}
    opponent = one_line(of.opponent) if isinstance(of, Score) else None
    return {"name": name, "opponent": opponent, **counts, **_ends(of.interval)}


def _ends(interval: Interval | None, of: str = "") -> dict[str, Cell]:
    return {} if interval is None else {f"{of}low": interval.low, f"{of}high": interval.high}


# ---- secrets


FOR_STUDENTS: Final = ("markdown", "gradescope", "html")
"""The forms that leave it out; the others are for staff and programs."""
# The end of a sentence of advice, such as `: replay these games from that move.`
ABOUT_GAMES: Final = re.compile(r": [^:]*\bgames\b[^:]*\.$")
LEFT_OUT: Final = "what it said in them is in the report for staff"


def without_secrets(report: Report) -> Report:
    """The report without its seed, its games, and all that the submission said in play."""
    return replace(report, seed=None, graded=tuple(map(_without_games, report.graded)))


def _without_games(graded: Graded) -> Graded:
    problem, result = graded.problem, graded.grading.result
    if problem is not None and result is not None and result.faults:
        endings = ", ".join(sorted({repr(each.ending) for each in result.faults}))
        reason = f"it lost {len(result.faults)} games by {endings}; {LEFT_OUT}"
        problem = replace(problem, reason=reason, trace=())
    advice = tuple(ABOUT_GAMES.sub(".", each) for each in graded.advice)
    return replace(graded, problem=problem, lost_games=(), printed=Printed(), advice=advice)

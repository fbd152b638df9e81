"""A report in any form, by its name."""

from __future__ import annotations

from isolation_fast.output import DATA_FORMATS
from isolation_grader.report import Report
from isolation_grader.showing import csv, gradescope, json, markdown, terminal
from isolation_grader.showing.repeating import Repeat

__all__ = ["shown"]


def shown(report: Report, form: str, repeat: Repeat | None = None) -> str:
    """The report as text, with an end of line; `form` is one of `FORMS` or of the tabulate package."""
    return f"{_text(report, form, repeat)}\n"


def _text(report: Report, form: str, repeat: Repeat | None) -> str:
    if form == "json":
        return json.text(report)
    if form in DATA_FORMATS:
        return csv.text(report, form)
    if form == "markdown":
        return markdown.text(report, repeat)
    if form == "gradescope":
        return gradescope.text(report, repeat)
    if form == "html":
        # Its templates are read when it is imported, which no other form needs.
        from isolation_grader.showing import html

        return html.text(report)
    return terminal.text(report, form, repeat)

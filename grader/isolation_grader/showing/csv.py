"""A report as comma-separated values: the counts, rates and verdicts alone."""

from __future__ import annotations

from isolation_fast.output import table_text
from isolation_grader.report import Report
from isolation_grader.showing.tables import data

__all__ = ["text"]


def text(report: Report, form: str = "csv") -> str:
    """A row for each opponent, then one for all; `form` may be `tsv`."""
    table = data(report)
    return table_text(form, table.headers, table.rows, {})

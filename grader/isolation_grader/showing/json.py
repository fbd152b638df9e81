"""A report as JSON: docs/reports.md describes each field. The same bytes on every run: no time is in it."""

from __future__ import annotations

from isolation_fast.output import table_text
from isolation_grader.report import Report

__all__ = ["text"]


def text(report: Report) -> str:
    """One document."""
    return table_text("json", [], [], report.to_dict())

"""The files of `--write`: each there as a whole at any time, and as new as can be."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Final, NamedTuple

from isolation_fast.output import known_format
from isolation_grader.places import write_whole
from isolation_grader.report import Report
from isolation_grader.showing import FORMS
from isolation_grader.showing.forms import shown
from isolation_grader.showing.repeating import Repeat

__all__ = ["Files", "WrittenForm", "written_form"]

SHARE: Final = 20
"""A form that took long to write is not written again before so many times as long has gone by."""


class WrittenForm(NamedTuple):
    """A form, and the file that it is written to."""

    form: str
    path: str


def written_form(text: str) -> WrittenForm:
    """Read `FORMAT=FILE`.

    >>> written_form("gradescope=results/results.json")
    WrittenForm(form='gradescope', path='results/results.json')
    """
    form, equals, path = text.partition("=")
    if not equals or not path:
        raise argparse.ArgumentTypeError(f"it is FORMAT=FILE, such as gradescope=results.json, not {text!r}")
    return WrittenForm(known_format(FORMS, form), path)


class Files:
    """Writes each after each block, and what was last known when grading ends, however it does."""

    def __init__(self, forms: Sequence[WrittenForm], repeat: Repeat) -> None:
        self._forms = forms
        self._repeat = repeat
        self._not_before = dict.fromkeys(forms, 0.0)
        self._last: Report | None = None
        self._behind: set[WrittenForm] = set()

    def __enter__(self) -> Files:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._last is not None:
            for each in list(self._behind):
                self._write(each, self._last)

    def partial(self, report: Report) -> None:
        """Write what is known so far, unless that would take a good part of the time."""
        self._last = report
        for each in self._forms:
            self._behind.add(each)
            if perf_counter() >= self._not_before[each]:
                self._write(each, report)

    def complete(self, report: Report) -> None:
        """Write what came of it."""
        self._last = report
        for each in self._forms:
            self._write(each, report)

    def _write(self, each: WrittenForm, report: Report) -> None:
        started = perf_counter()
        write_whole(Path(each.path), shown(report, each.form, self._repeat))
        now = perf_counter()
        self._not_before[each] = now + SHARE * (now - started)
        self._behind.discard(each)

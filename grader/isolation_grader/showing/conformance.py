"""What of the course's own tests a submission passes, as text for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from isolation_fast import Board
from isolation_fast.output import Cell, table_text
from isolation_grader.conforming import Checked, Conformance
from isolation_grader.course_tests import Failure
from isolation_grader.showing.wording import one_line, sandbox_in_words, trace_lines

HEADERS: Final = ("test", "of", "outcome", "first failure")
MOST_DRAWN: Final = 11
"""A larger board is not drawn: one of 101 by 101 fills a screen with nothing."""


def text(found: Conformance) -> str:
    """The table and what is below it."""
    table = table_text("simple", HEADERS, rows(found), {})
    return "\n".join([table, *details(found)]) + "\n"


def rows(found: Conformance) -> list[list[Cell]]:
    """A row for each test."""
    return [_row(each) for each in found.tests]


def _row(test: Checked) -> list[Cell]:
    first = one_line(f"{test.failures[0].call}: {test.failures[0].came}") if test.failures else None
    return [test.name, test.member, test.outcome, first]


def details(found: Conformance) -> Iterator[str]:
    """Each failure whole, after the table."""
    for test in found.tests:
        for failure in test.failures:
            yield ""
            yield f"{test.name}: {test.about}"
            yield from (f"  {line}" for line in _failure(failure))
    if any("(game, " in each.call for test in found.tests for each in test.failures):
        yield ""
        yield f"score is leaf_value({found.seed}, own cell, the other's cell), from isolation_fast.jail"
    yield ""
    yield f"{one_line(found.submission)}: {found.passed} of {found.of} tests passed (layout {found.layout})"
    yield f"sandbox: {sandbox_in_words(found.sandbox)}"


def _failure(failure: Failure) -> Iterator[str]:
    yield f"call:     {one_line(failure.call)}"
    yield f"expected: {one_line(failure.expected)}"
    yield f"came:     {one_line(failure.came)}"
    yield from trace_lines(failure.trace)
    if failure.position is None:
        return
    board = Board.from_text(failure.position)
    if max(board.width, board.height) <= MOST_DRAWN:
        yield from (line.rstrip() for line in board.to_string().splitlines() if line)
        yield f"game._board_state = {failure.board_state}"
    yield failure.position

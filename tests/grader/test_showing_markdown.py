"""A report as Markdown: nothing of a submission's is markup."""

from __future__ import annotations

import re

import pytest
from hostile_report import HOSTILE, hostile
from report_examples import example_report, report_of_a_file_that_does_not_load

from isolation_grader.showing import shown

CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")


def outside_of_code(text: str) -> list[str]:
    """The lines with their markup alone: without blocks, without code, without what is escaped."""
    found, fence = [], ""
    for line in text.splitlines():
        if fence:
            fence = "" if line == fence else fence
        elif opened := re.match(r"^(`{3,})\w+$", line):
            fence = opened[1]
        else:
            # An escaped backtick opens no code, and behind a backtick nothing is escaped.
            found.append(re.sub(CODE.pattern + "|" + ESCAPED.pattern, "", line))
    assert not fence, "a block is open at the end"
    return found


@pytest.mark.parametrize(
    "text", [HOSTILE, "`" * 5 + "\n````\n", "- [x] a\n+ b\n1. c\n===\n---", "|a|b|\n|-|-|"]
)
def test_nothing_of_a_submission_is_markup(text: str) -> None:
    for report in (example_report(), report_of_a_file_that_does_not_load()):
        for line in outside_of_code(shown(hostile(report, text), "markdown")):
            assert not re.search(r"[<>\[\]*_~&$`]|@|://|www\.", line), line
            # Our own headings, lists and tables alone.
            assert not re.match(r"\s*((\+|\d+[.)])(\s|$)|===|---|~~~)", line), line
            assert not re.match(r"- (\+|-|\d+[.)]) ", line), line


def test_every_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    cells: list[int] = []
    for line in shown(hostile(example_report(), HOSTILE + "|"), "markdown").splitlines():
        if not line.startswith("|"):
            cells = []
            continue
        cells.append(len(re.split(r"(?<!\\)\|", line)))
        assert cells[0] == cells[-1], line


def test_a_command_is_a_block_of_its_own() -> None:
    text = shown(example_report(), "markdown")
    assert "```sh\nisolation-grade check game_agent.py --heuristics custom_score_2 " in text

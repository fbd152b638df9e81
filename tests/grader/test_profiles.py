"""Which lines of a heuristic its counted work goes into."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from grading_scene import BUDGET, graded, quickly, store

from isolation_fast.jail import read_heuristics
from isolation_fast.programs import Program
from isolation_fast.tournament import parse_budget
from isolation_grader.exceptions import UsageError
from isolation_grader.grading import grade
from isolation_grader.profile import Profile, profile_of
from isolation_grader.report import Report
from isolation_grader.showing import shown

# They are fixtures, which tests name.
__all__ = ["graded", "quickly", "store"]

SOURCE = """from helpers import beside

def custom_score(game, player):
    total = 0
    for number in range(900):
        total += number % 7
    return float(mobility(game, player) + beside(game, player) + 0 * total)

def mobility(game, player):
    return len(game.get_legal_moves(player))
"""
HELPERS = """# A line, so that no number is that of the other file.
def beside(game, player):
    if len(game.get_blank_spaces()) > 12:
        return len(set(game.get_legal_moves(game.get_opponent(player))))
    return 0
"""
DRAWN = "import random\n\n\ndef custom_score(game, player):\n    return random.random()\n"


def test_the_shares_of_search_and_lines_are_the_whole(graded: Callable[..., Report], tmp_path: Path) -> None:
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "helpers.py").write_text(HELPERS)
    report = graded(SOURCE, profile=True)
    [member] = report.graded
    assert member.work == "counted"
    found = member.profile
    assert found is not None
    assert found.search is not None
    assert found.search + sum(each.share for each in found.lines) == pytest.approx(1)
    lines = SOURCE.splitlines()
    shares = {each.line: each.share for each in found.lines}
    assert all(each.source == (lines[each.line - 1] if each.line else "") for each in found.lines)
    # The loop takes more than the rest; what is beside counts where it is called, or by itself.
    assert shares[5] + shares[6] > 0.5
    assert {5, 6, 10} <= set(shares) <= {0, 3, 4, 5, 6, 7, 9, 10}
    assert graded(SOURCE, profile=True).graded[0].profile == found
    assert report.to_dict()["graded"][0]["profile"]["lines"][0].keys() == {"line", "share", "source"}


def test_the_terminal_and_the_page_show_it(graded: Callable[..., Report], tmp_path: Path) -> None:
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "helpers.py").write_text(HELPERS)
    report = graded(SOURCE, profile=True)
    text, page = shown(report, "simple"), shown(report, "html")
    assert "total += number % 7" in text
    assert "the search, without values" in text
    assert "<summary>Which lines its work goes into</summary>" in page
    assert "total += number % 7" in page
    assert "work by line" not in shown(graded(SOURCE), "simple")


def test_a_timed_one_says_why_there_is_none(graded: Callable[..., Report]) -> None:
    report = graded(DRAWN, profile=True)
    [member] = report.graded
    assert member.profile == Profile(None, why_none=f"its work is timed: {member.timed}")
    assert "work by line: none, since its work is timed: line 5: " in shown(report, "simple")


def test_a_budget_of_nodes_or_depth_does_as_well(tmp_path: Path) -> None:
    file = tmp_path / "game_agent.py"
    file.write_text("def custom_score(game, player):\n    return float(len(game.get_legal_moves(player)))\n")
    program = read_heuristics(file)["custom_score"]
    assert isinstance(program, Program)
    for budget in (BUDGET, "nodes=40", "depth=2"):
        found = profile_of(program, parse_budget(budget), file)
        assert [each.line for each in found.lines] == [2]
    with pytest.raises(UsageError, match="profile is for heuristics"):
        grade(file, players=True, profile=True)

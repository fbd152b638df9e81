"""Heuristics whose work is counted: read from the text, played as programs, the same to the byte."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from grading_scene import PLAIN, graded, quickly, store

from isolation_fast import Board
from isolation_fast.compiled import not_compiling
from isolation_fast.jail import Level, Limits
from isolation_fast.programs import Program, digest_of_program
from isolation_fast.submission.reading import read
from isolation_grader.counted import preferred
from isolation_grader.loading import load
from isolation_grader.options import Question
from isolation_grader.report import Report
from isolation_grader.showing import Repeat

# They are fixtures, which tests name.
__all__ = ["graded", "quickly", "store"]

FIRST_LISTED = """
def custom_score(game, player):
    row, column = game.get_legal_moves(player)[0]
    return float(7 * row + column)
"""
LOOP = """
def custom_score(game, player):
    total = 0
    for number in range({times}):
        total += number % 7
    return float(len(game.get_legal_moves(player)) + 0 * total)
"""


def as_bytes(report: Report) -> str:
    return json.dumps(report.to_dict(), sort_keys=True)


def test_what_a_program_prefers_does_not_depend_on_chance(tmp_path: Path) -> None:
    file = tmp_path / "game_agent.py"
    file.write_text(FIRST_LISTED)
    program = read(file)["custom_score"]
    assert isinstance(program, Program)
    found = set()
    for seed in range(10):
        random.seed(seed)
        found.add(preferred(program, Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")))
    assert len(found) == 1


def test_a_counted_grading_is_the_same_bytes_for_any_workers(graded: Callable[..., Report]) -> None:
    one, many = (graded(PLAIN, workers=workers, exact=True) for workers in (1, 3))
    (member,) = one.graded
    assert (member.work, one.reproducible, member.timed) == ("counted", True, None)
    assert member.grading.games
    assert as_bytes(one) == as_bytes(many)


def test_the_report_names_the_program_that_was_played(graded: Callable[..., Report], tmp_path: Path) -> None:
    report = graded(PLAIN)
    program = read(tmp_path / "submission")["custom_score"]
    assert isinstance(program, Program)
    assert report.graded[0].program == digest_of_program(program)


def test_what_a_heuristic_computes_is_paid_from_its_budget(graded: Callable[..., Report]) -> None:
    quick, slow = (graded(LOOP.format(times=times)).graded[0].grading for times in (1, 400))
    assert quick.cost is not None
    assert slow.cost is not None
    assert quick.cost.source == slow.cost.source == "counted"
    assert slow.cost.value > 3 * quick.cost.value


def test_a_value_that_takes_more_than_it_may_loses_the_game(graded: Callable[..., Report]) -> None:
    report = graded(LOOP.format(times=2000), value_work=5)
    (member,) = report.graded
    assert (member.verdict, member.grading.endings["value overspent"]) == ("not graded", 3)
    assert member.problem is not None
    assert "search no further" in member.problem.help
    assert report.to_dict()["value_work"] == 5
    assert "--value-work 5" in Repeat("agent.py").command(report)
    free = graded(LOOP.format(times=1), value_work=5)
    assert free.graded[0].grading.rate == graded(LOOP.format(times=1)).graded[0].grading.rate


CHANCE = """
import random

def custom_score(game, player):
    return random.random()
"""
CALLED = """
class Best:
    def __call__(self, game, player):
        return 1.0

custom_score = Best()
"""
REASONS = {CHANCE: (5, "a matter of chance"), CALLED: (6, "Best is a class")}


@pytest.mark.parametrize("text", REASONS)
def test_what_cannot_be_read_is_timed_and_the_report_says_which_line(
    text: str, graded: Callable[..., Report]
) -> None:
    (member,) = graded(text).graded
    line, why = REASONS[text]
    assert (member.work, member.program) == ("timed", None)
    assert member.timed is not None
    assert member.timed.line == line
    assert why in member.timed.reason


ANOTHER = {
    "its frame is asked for": """
        import inspect

        def custom_score(game, player):
            return 1.0

        inspect.currentframe().f_globals.update(custom_score=lambda game, player: 2.0)
        """,
    "it raises": """
        import inspect

        def custom_score(game, player):
            return 1.0

        inspect.currentframe().f_globals.update(custom_score=lambda game, player: [][1])
        """,
    "a class has an effect": """
        BONUS = [0]

        class Trick:
            def __init_subclass__(cls):
                BONUS.append(5)

        class Other(Trick):
            pass

        def custom_score(game, player):
            return float(BONUS[-1])
        """,
}


def test_what_may_not_be_counted_is_timed_and_the_report_says_why(graded: Callable[..., Report]) -> None:
    [found] = graded(PLAIN, nan="refuse").graded
    assert (found.work, str(found.timed)) == ("timed", "a NaN is to lose the game, and a program has none")
    with not_compiling():
        [found] = graded(PLAIN).graded
    assert (found.work, str(found.timed)) == ("timed", "nothing is to be compiled")


@pytest.mark.parametrize("what", ANOTHER)
def test_who_is_another_once_imported_is_timed(what: str, graded: Callable[..., Report]) -> None:
    (member,) = graded(dedent(ANOTHER[what])).graded
    assert member.work == "timed"
    assert member.timed is not None
    assert "where Python gives" in member.timed.reason


NO_VALUE = """
def custom_score(game, player):
    try:
        return [1.0, 2.0, 3.0][len(game.get_blank_spaces()) - 12]
    except IndexError:
        return float(len(game.get_legal_moves(player)))
"""


def test_a_program_without_a_value_is_played_anew_in_python_with_a_fifth_of_alpha(
    graded: Callable[..., Report],
) -> None:
    report = graded(NO_VALUE)
    (member,) = report.graded
    assert member.work == "timed"
    assert member.timed is not None
    assert "its program has no value for player" in member.timed.reason
    assert member.grading.alpha == pytest.approx(report.question.terms("counted").alpha / 5)
    assert member.grading.terms is not None
    assert member.grading.terms.work == "timed"
    assert member.verdict != "not graded"


def test_what_is_asked_by_name_is_read_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "game_agent.py").write_text(PLAIN + PLAIN.replace("custom_score", "custom_score_7"))
    asked: dict[str, Any] = {"limits": Limits(), "reads": True}
    assert list(load(tmp_path, **asked).forms) == ["custom_score"]
    assert list(load(tmp_path, members=["custom_score_7"], **asked).forms) == ["custom_score_7"]
    assert load(tmp_path, limits=Limits()).forms == {}


def test_without_a_jail_what_can_be_read_is_graded_and_nothing_of_it_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "mark"
    (tmp_path / "game_agent.py").write_text(f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n{PLAIN}")
    monkeypatch.setattr("isolation_fast.jail.available", lambda: Level((), ("files",), 0))
    monkeypatch.setattr("isolation_fast.jail.process.available", lambda: Level((), ("files",), 0))
    loading = load(tmp_path, limits=Limits(), reads=True)
    assert isinstance(loading.forms["custom_score"], Program)
    assert not mark.exists()


def test_precision_changes_no_verdict_and_is_kept(graded: Callable[..., Report]) -> None:
    asked = Question(points=20, precision=4)
    quick, precise = (graded(PLAIN, question=each).graded[0] for each in (replace(asked, precision=0), asked))
    assert quick.grading.test == precise.grading.test
    assert quick.verdict == precise.verdict != "undecided"
    assert quick.lost_games == precise.lost_games
    assert quick.grading.blocks is not None
    assert precise.grading.blocks is not None
    assert quick.grading.blocks < precise.grading.blocks
    assert precise.grading.looked_into == quick.grading.games
    assert precise.grading.difference is not None
    assert precise.grading.difference.interval.margin <= 0.04


def test_a_timed_one_stops_with_its_test_and_is_asked_less(graded: Callable[..., Report]) -> None:
    report = graded(CHANCE, question=Question(points=20, precision=4))
    (member,) = report.graded
    assert member.grading.terms == report.question.terms("timed")
    assert member.grading.test is not None
    assert member.grading.blocks == member.grading.test.count

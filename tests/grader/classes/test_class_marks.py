"""Marks at the edges: exact shares, ends of intervals, equal places, and what no verdict came of."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from class_scene import WHOLE, facts, rubric_of
from report_examples import example_report

from isolation_fast.statistics import Difference, Interval
from isolation_grader.classes import Facts, Student
from isolation_grader.classes import facts as known
from isolation_grader.classes.facts import Against, Heuristic
from isolation_grader.report import Graded, Grading, Problem, Verdict

OVERSPENT = Problem("overspent", "it lost 3 games by overspent", "be steady")
OUT_OF_TIME = Problem("out of time", "the time of the grading was over before it played", "give it more")
STRENGTH = ("beats Random", "above 90 % against AB_Open", "verdict", "difference")


def given(found: Facts, text: str, tmp_path: Path, place: int | None = None) -> dict[str, float | None]:
    return {each.label: each.points for each in rubric_of(text, tmp_path).marks(found, place).parts}


def test_who_overspent_is_open_and_0_only_where_the_rubric_says_so(tmp_path: Path) -> None:
    report = example_report()
    played = replace(report.graded[1].grading, verdict="not graded", difference=None)
    found = facts(replace(report, graded=(replace(report.graded[1], grading=played, problem=OVERSPENT),)))
    points = given(found, WHOLE, tmp_path)
    assert [points[each] for each in STRENGTH] == [None] * 4
    assert (points["loading"], points["floats"], points["leaderboard"]) == (10, 8, 0)
    marks = rubric_of(WHOLE, tmp_path).marks(found, None)
    assert (marks.total, marks.is_open, marks.in_words) == (None, True, "18 and open")
    zero = given(found, f"not_graded = 'zero'\n{WHOLE}", tmp_path)
    assert [zero[each] for each in STRENGTH] == [0] * 4


@pytest.mark.parametrize("not_graded", ["open", "zero"])
def test_who_ran_out_of_time_before_it_played_is_open_whatever_the_rubric_says(
    not_graded: str, tmp_path: Path
) -> None:
    report = example_report()
    waiting = Graded("custom_score_9", Grading(), problem=OUT_OF_TIME)
    text = f"not_graded = '{not_graded}'\n{WHOLE}"
    alone = given(facts(replace(report, graded=(waiting,), is_cut=True)), text, tmp_path)
    assert [alone[each] for each in (*STRENGTH, "floats")] == [None] * 5
    # Another one that is not better says nothing of it; one that is better decides.
    worse = given(facts(replace(report, graded=(report.graded[1], waiting), is_cut=True)), text, tmp_path)
    assert (worse["verdict"], worse["floats"]) == (None, None)
    better = given(facts(replace(report, graded=(report.graded[0], waiting), is_cut=True)), text, tmp_path)
    assert better["verdict"] == 50
    # Whose games were all played is marked for what they were.
    decided = given(facts(replace(report, graded=report.graded[:2], is_cut=True)), text, tmp_path)
    assert (decided["verdict"], decided["floats"]) == (50, 8)
    no_better = given(facts(replace(report, graded=report.graded[1:2], is_cut=True)), text, tmp_path)
    assert no_better["verdict"] == 0


def measured(
    value: float = 0.0,
    low: float = -0.1,
    high: float = 0.1,
    *,
    name: str = "custom_score",
    verdict: Verdict = "not better",
    opponents: dict[str, Against] | None = None,
    **fields: Any,
) -> Heuristic:
    """A heuristic that was graded, with this difference to the baseline."""
    difference = Difference(value, 0.01, Interval(low, high, 0.95), 0.5)
    usual: dict[str, Any] = {"cause": "", "problem": "", "rate": 0.5, "cost": 1.0, "program": None}
    usual |= {
        "games": 140,
        "looked_into": 140,
        "thrown": 0,
        "returns_numbers": True,
        "opponents": opponents or {},
        **fields,
    }
    return Heuristic(name, verdict, difference=difference, **usual)


def found_in(*heuristics: Heuristic, key: str = "ada", **fields: Any) -> Facts:
    usual: dict[str, Any] = {"verdict": "not better", "headline": "", "cause": "", "problem": ""}
    return Facts(
        key, key, (Student(key),), heuristics=heuristics, **{**usual, "is_cut": False, "digest": "", **fields}
    )


@pytest.mark.parametrize(
    ("above", "won", "games", "points"),
    [
        (50, 10, 20, 0),
        (50, 11, 20, 5),
        (50, 9, 20, 0),
        # As floats, 100 times these shares are above the number of per cent.
        (55, 11, 20, 0),
        (56, 14, 25, 0),
        (7, 7, 100, 0),
        (55, 12, 20, 5),
        (0, 0, 20, 0),
        (0, 1, 20, 5),
        (99, 20, 20, 5),
    ],
)
def test_who_wins_exactly_the_share_does_not_beat_an_opponent(
    above: int, won: int, games: int, points: float, tmp_path: Path
) -> None:
    text = f"[[opponent]]\nname = 'Random'\npoints = 5\nabove = {above}\n"
    found = found_in(measured(opponents={"Random": Against(games, won / games, None)}))
    assert list(given(found, text, tmp_path).values()) == [points]


@pytest.mark.parametrize(("by", "points"), [("value", 0), ("low", 0), ("high", 5), (None, 0)])
def test_an_opponent_is_beaten_by_the_end_of_the_interval_that_is_asked_for(
    by: str | None, points: float, tmp_path: Path
) -> None:
    text = "[[opponent]]\nname = 'Random'\npoints = 5\n" + (f"by = '{by}'\n" if by else "")
    interval = Interval(0.4, 0.6, 0.95)
    found = found_in(measured(opponents={"Random": Against(20, 0.5, interval)}))
    assert list(given(found, text, tmp_path).values()) == [points]
    unknown = found_in(measured(opponents={"Random": Against(20, 0.5, None)}))
    ends = [None] if by in ("low", "high") else [0]
    assert list(given(unknown, text, tmp_path).values()) == ends
    assert list(given(found_in(measured()), text, tmp_path).values()) == [None]


@pytest.mark.parametrize(
    ("value", "points"),
    [(-0.5, 0), (-0.05, 0), (0.0, 5), (0.05, 10), (0.1499, 19.99), (0.15, 20), (0.9, 20)],
)
@pytest.mark.parametrize("by", ["value", "low", "high"])
def test_a_difference_is_worth_from_nothing_to_all_of_its_points(
    by: str, value: float, points: float, tmp_path: Path
) -> None:
    ends: dict[str, Any] = {"value": 0.07, "low": 0.07, "high": 0.07, by: value}
    text = f"[difference]\npoints = 20\nnone_at = -5\nall_at = 15\nby = '{by}'\n"
    assert list(given(found_in(measured(**ends)), text, tmp_path).values()) == [points]


def test_places_go_by_the_largest_difference_and_equal_ones_share_one(tmp_path: Path) -> None:
    ends = {"ada": (0.1, -0.3), "bob": (0.2, -0.2), "cyd": (0.2, -0.1), "dan": (-0.1, -0.2)}
    class_ = [found_in(measured(value, low, 0.5), key=key) for key, (value, low) in ends.items()]
    by_value = rubric_of("[leaderboard]\nbonus = [6, 3]\n", tmp_path)
    assert by_value.places(class_) == {"ada": 3, "bob": 1, "cyd": 1, "dan": 4}
    by_low = rubric_of("[leaderboard]\nbonus = [6, 3]\nby = 'low'\n", tmp_path)
    assert by_low.places(class_) == {"ada": 4, "bob": 2, "cyd": 1, "dan": 2}
    assert [by_value.marks(class_[0], place).total for place in (1, 2, 3, None)] == [6, 3, 0, 0]
    assert (by_value.most, rubric_of("[loading]\npoints=1\n", tmp_path).places(class_)["bob"]) == (0, 1)
    played = rubric_of("[leaderboard]\nbonus = [6, 3]\ngames = true\n", tmp_path)
    assert played.places([replace(class_[0], place=2), class_[1]]) == {"ada": 2}


def test_a_heuristic_that_is_better_is_the_best_whatever_its_difference() -> None:
    proven = measured(0.06, name="proven", verdict="better")
    lucky = measured(0.3, name="lucky", verdict="undecided")
    for order in ((proven, lucky), (lucky, proven)):
        assert found_in(*order).best == proven
    assert found_in(measured(0.1), measured(0.3, name="more")).best == measured(0.3, name="more")
    assert found_in(replace(proven, difference=None)).best is None


def test_the_tests_of_the_course_are_open_where_they_did_not_run(tmp_path: Path) -> None:
    text = "[conformance]\npoints = 13\n"
    passed = {"minimax": "passed", "alphabeta": "failed"}
    for found, points in (
        (found_in(measured()), None),
        (found_in(measured(), tests=known.Tests({**passed, "games": "not run"})), None),
        (found_in(measured(), tests=known.Tests(passed)), 6.5),
        (found_in(measured(), tests=known.Tests({"minimax": "passed"})), 13),
        (found_in(cause="not loaded", problem="no Python", tests=known.Tests(passed)), 0),
    ):
        assert list(given(found, text, tmp_path).values()) == [points]


def test_points_for_loading_and_numbers_need_a_heuristic_that_is_written(tmp_path: Path) -> None:
    text = "[loading]\npoints = 10\n[floats]\npoints = 9\n"
    template = measured(cause="template", games=0, returns_numbers=False)
    for found, points in (
        (found_in(measured()), [10, 9]),
        (found_in(measured(), template), [10, 4.5]),
        (found_in(template), [0, 0]),
        (found_in(), [0, 0]),
        (found_in(measured(), cause="not loaded", problem="no Python"), [0, 9]),
    ):
        assert list(given(found, text, tmp_path).values()) == points
    report = example_report()
    unplayed = replace(report.graded[0], grading=Grading("not graded"), problem=OVERSPENT)
    assert not facts(replace(report, graded=(unplayed,))).heuristics[0].returns_numbers


def test_the_points_of_a_verdict_are_the_most_of_any(tmp_path: Path) -> None:
    text = "[verdict]\nbetter = 1\nundecided = 3\nnot_better = 2\n"
    rubric = rubric_of(text, tmp_path)
    assert rubric.most == 3
    verdicts: list[Verdict] = ["better", "undecided", "not better"]
    found = [rubric.marks(found_in(measured(verdict=each), verdict=each), None) for each in verdicts]
    assert [each.total for each in found] == [1, 3, 2]
    assert [each.in_words for each in found] == ["1", "3", "2"]
    nothing = rubric.marks(found_in(verdict="not graded"), None)
    assert (nothing.total, nothing.in_words, nothing.decided) == (None, "open", 0)


def test_only_a_test_that_time_cut_is_said_to_be_cut() -> None:
    undecided = found_in(measured(verdict="undecided"), verdict="undecided")
    assert undecided.not_graded_since == ""
    assert replace(undecided, is_cut=True).not_graded_since.startswith("its time was over (--total-wall)")
    assert found_in(measured(), is_cut=True).not_graded_since == ""


CLIFF = "[verdict]\nbetter = 60\nundecided = 0\nnot_better = 0\n"
SLOPE = "[difference]\npoints = 40\nnone_at = -5\nall_at = 8\n"


@pytest.mark.parametrize(
    ("head", "margin", "moved"),
    [("", 0.02, ""), ("", 0.03, "13.1"), ("moves = 4\n", 0.02, "8.7"), ("", 1.0, "40")],
)
def test_a_rubric_warns_where_chance_moves_marks_by_more_than_it_allows(
    head: str, margin: float, moved: str, tmp_path: Path
) -> None:
    warning = rubric_of(head + CLIFF + SLOPE, tmp_path).too_much(margin)
    assert (f"by up to {moved} of 100 points" in warning) if moved else not warning


def test_the_precision_that_a_warning_names_is_enough(tmp_path: Path) -> None:
    rubric = rubric_of(CLIFF + SLOPE, tmp_path)
    [named] = re.findall(r"--precision ([\d.]+) keeps", rubric.too_much(0.03))
    assert not rubric.too_much(float(named) / 100)
    assert rubric.too_much(float(named) / 100 + 0.0011)


def test_chance_moves_marks_no_further_than_the_rubric_says(tmp_path: Path) -> None:
    rubric, stream = rubric_of(SLOPE, tmp_path), random.Random(3)
    [part] = rubric.parts
    moved = []
    for _ in range(2000):
        values = (stream.gauss(0.015, 0.02 / 1.96) for _ in range(2))
        one, other = (part.of(found_in(measured(each)), None)[0] or 0.0 for each in values)
        moved.append(abs(one - other))
    assert 0.93 <= sum(each <= part.moves(0.02) for each in moved) / 2000 <= 0.97


def test_a_mark_by_difference_says_how_sure_it_is(tmp_path: Path) -> None:
    [part] = rubric_of(SLOPE, tmp_path).parts
    assert part.of(found_in(measured(0.045, 0.025, 0.065)), None)[1] == "+4.5 ± 2.0 points to AB_Improved"


def test_the_cliff_of_a_verdict_is_said_where_a_rubric_is_explained(tmp_path: Path) -> None:
    with_it, without = (rubric_of(text, tmp_path) for text in (CLIFF, SLOPE))
    assert any("chance decides its mark" in line for line in with_it.explained())
    assert not any("chance decides its mark" in line for line in without.explained())

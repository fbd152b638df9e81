"""Gradescope's results.json: that it is as its documentation says, and what a verdict is worth.

The format: https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hostile_report import kinds_of_reports
from report_examples import example_report, report_of_a_file_that_does_not_load

from isolation_grader.showing import shown

KINDS = kinds_of_reports()
VISIBILITIES = ("hidden", "after_due_date", "after_published", "visible")
FORMATS = ("text", "html", "simple_format", "md", "ansi")

Check = Callable[[Any], bool]


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def one_of(*words: str) -> Check:
    return lambda value: value in words


TEST: dict[str, Check] = {
    "score": is_number,
    "max_score": is_number,
    "status": one_of("passed", "failed"),
    "name": is_text,
    "name_format": one_of(*FORMATS),
    "number": is_text,
    "output": is_text,
    "output_format": one_of(*FORMATS),
    "tags": lambda value: isinstance(value, list) and all(map(is_text, value)),
    "visibility": one_of(*VISIBILITIES),
    "extra_data": lambda value: isinstance(value, dict),
}
PLACE: dict[str, Check] = {
    "name": is_text,
    "value": lambda value: is_number(value) or is_text(value),
    "order": one_of("asc", "desc"),
}
DOCUMENT: dict[str, Check] = {
    "score": is_number,
    "execution_time": is_number,
    "output": is_text,
    "output_format": one_of(*FORMATS),
    "test_output_format": one_of(*FORMATS),
    "test_name_format": one_of(*FORMATS),
    "visibility": one_of(*VISIBILITIES),
    "stdout_visibility": one_of(*VISIBILITIES),
    "extra_data": lambda value: isinstance(value, dict),
    "tests": lambda value: all(is_of(TEST, each) for each in value),
    "leaderboard": lambda value: all(is_of(PLACE, each) for each in value),
}


def is_of(schema: dict[str, Check], value: Any) -> bool:
    return isinstance(value, dict) and all(name in schema and schema[name](value[name]) for name in value)


def document(kind: str) -> dict[str, Any]:
    found = json.loads(shown(KINDS[kind], "gradescope"))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_every_report_is_a_file_that_gradescope_reads(kind: str) -> None:
    found = document(kind)
    assert is_of(DOCUMENT, found)
    # Required where not every test has a score.
    assert found["score"] == max((each.get("score", 0) for each in found["tests"]), default=0)
    for each in found["tests"]:
        assert ("score" in each) == ("max_score" in each)
        assert {"name", "status", "output", "output_format", "visibility"} <= set(each)


def test_a_verdict_is_worth_what_the_documents_say() -> None:
    tests = {each["name"]: each for each in document("whole")["tests"]}
    found = [(tests[f"{e.name} beats AB_Improved"], e.verdict) for e in example_report().graded]
    assert [(e.get("score"), e.get("max_score"), e["status"], v) for e, v in found] == [
        (1.0, 1.0, "passed", "better"),
        (0.0, 1.0, "failed", "not better"),
        (0.5, 1.0, "failed", "undecided"),
        (None, None, "failed", "not graded"),
    ]
    assert document("whole")["score"] == 1.0


def test_not_graded_is_no_0_and_says_cause_reason_and_help() -> None:
    [*_, test] = document("whole")["tests"]
    problem = example_report().graded[-1].problem
    assert problem is not None
    assert "Not graded. This is not a score of 0" in test["output"]
    assert all(each in test["output"] for each in (problem.cause, problem.reason, problem.help))
    [loading] = document("not loaded")["tests"]
    problem = report_of_a_file_that_does_not_load().problem
    assert problem is not None
    assert loading["status"] == "failed"
    assert all(each in loading["output"] for each in (problem.cause, problem.reason, problem.help))


def test_a_partial_file_says_that_it_is_partial() -> None:
    for kind in ("partial", "just begun"):
        found = document(kind)
        assert "this report is partial" in found["output"]
        assert found["extra_data"]["complete"] is False
    assert all("this report is partial" in each["output"] for each in document("partial")["tests"][1:])


def test_what_is_not_decided_yet_has_no_points() -> None:
    whole = KINDS["whole"]
    found = json.loads(shown(replace(whole, is_complete=False), "gradescope"))
    scores = [each.get("score") for each in found["tests"][1:]]
    assert (scores, found["score"]) == ([1.0, 0.0, None, None], 1.0)
    assert "Not decided yet. This is not a score of 0" in found["tests"][3]["output"]


@pytest.mark.parametrize(("blocks", "points"), [(11, 0.5), (12, 0.5), (13, None)])
@pytest.mark.parametrize(("complete", "cut"), [(False, False), (True, True)])
def test_only_a_test_that_played_all_its_blocks_is_undecided_for_good(
    blocks: int, points: float | None, complete: bool, cut: bool
) -> None:
    report = example_report()
    undecided = report.graded[2]
    assert undecided.grading.test is not None
    assert undecided.grading.test.count == 12
    assert undecided.grading.terms is not None
    terms = replace(undecided.grading.terms, blocks=blocks)
    undecided = replace(undecided, grading=replace(undecided.grading, terms=terms))
    asked = replace(report, graded=(undecided,), is_complete=complete, is_cut=cut)
    found = json.loads(shown(asked, "gradescope"))
    assert (found["tests"][1].get("score"), found["score"]) == (points, points or 0)


def test_who_won_no_game_is_on_the_leaderboard_too() -> None:
    report = example_report()
    graded = report.graded[1]
    assert graded.grading.result is not None
    scores = tuple(replace(each, won=0) for each in graded.grading.result.scores)
    none_won = replace(graded.grading, result=replace(graded.grading.result, scores=scores))
    alone = replace(report, graded=(replace(graded, grading=none_won),))
    _, won = json.loads(shown(alone, "gradescope"))["leaderboard"]
    assert won["value"] == 0


def test_nothing_is_rendered_as_markup() -> None:
    found = document("hostile")
    assert {found["output_format"], found["test_output_format"], found["test_name_format"]} == {"text"}
    assert {each["output_format"] for each in found["tests"]} == {"text"}
    assert {each["name_format"] for each in found["tests"]} == {"text"}


def test_programs_find_the_verdict_in_the_extra_data() -> None:
    data = document("whole")["extra_data"]
    assert (data["verdict"], data["status"], data["reproducible"], data["complete"]) == (
        "better",
        0,
        True,
        True,
    )
    assert [each["verdict"] for each in data["graded"]] == [each.verdict for each in example_report().graded]


def test_the_leaderboard_has_the_one_that_is_furthest_above_the_baseline() -> None:
    above, won = document("whole")["leaderboard"]
    differences = [each.grading.difference for each in example_report().graded]
    best = max(each.value for each in differences if each is not None)
    assert (above["name"], above["value"]) == ("Points above AB_Improved", round(100 * best, 1))
    assert won["value"] == round(100 * (example_report().graded[0].grading.rate or 0), 1)
    assert document("not loaded")["leaderboard"] == []

"""Rubrics: each error names its line, each part gives what it says, and marks come of results alone."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from class_scene import (
    PLAIN,
    UNREADABLE,
    WHOLE,
    WORDS,
    WORST,
    facts,
    grade,
    quickly,
    rubric_of,
    write_class,
)
from report_examples import example_report, report_of_a_file_that_does_not_load

from isolation_grader.classes import ClassRun, Given, default_rubric, read_rubric
from isolation_grader.classes.rubric import DEFAULT
from isolation_grader.cli import main
from isolation_grader.exceptions import ExitStatus, UsageError
from isolation_grader.options import seed_of_tests
from isolation_grader.report import Problem


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[verdict]\nbetter = 1\nundecided = 1\nnot_better = -1", "line 4: [verdict] not_better: it must be"),
        ("[loading]\n\npionts = 3", "line 3: [loading] pionts: unknown key 'pionts', did you mean 'points'?"),
        ("[loding]\npoints = 3", "line 1: loding: unknown key 'loding', did you mean 'loading'?"),
        (
            "[loading]\npoints = 'ten'",
            "line 2: [loading] points: it must be a number from 0 to 10,000, not 'ten'",
        ),
        (
            "[loading]\npoints = true",
            "line 2: [loading] points: it must be a number from 0 to 10,000, not True",
        ),
        ("[loading]\nvisible = true", "line 1: loading: points is missing; its keys are points, visible"),
        (
            "\n[floats]\npoints = 1\nvisible = 'no'",
            "line 4: [floats] visible: it must be true or false, not 'no'",
        ),
        (
            "[[opponent]]\nname='AB_Open'\npoints=1\n[[opponent]]\nname='AB_Opn'\npoints=1",
            "line 5: [opponent] name",
        ),
        ("[[opponent]]\nname='AB_Opn'\npoints=1", "did you mean 'AB_Open'?"),
        ("[opponent]\nname='AB_Open'\npoints=1", "line 1: opponent: it is written as [[opponent]]"),
        ("[[verdict]]\nbetter=1", "line 1: verdict: it is written as [verdict]"),
        (
            "[[opponent]]\nname='Random'\npoints=1\n[[opponent]]\nname='Random'\npoints=2",
            "line 4: opponent: there is such a part already: beats Random",
        ),
        (
            "[difference]\npoints=1\nnone_at=5\nall_at=5",
            "line 4: [difference] all_at: it must be above none_at, 5",
        ),
        (
            "[difference]\npoints=1\nnone_at=0\nall_at=5\nby='middle'",
            "one of 'value', 'low', 'high', not 'middle'",
        ),
        ("[leaderboard]\nbonus = [\n 3,\n 'x',\n]", "line 2: [leaderboard] bonus: it must be a number"),
        ("[leaderboard]\nbonus = 3", "a list of points, one for each place, such as [10, 6, 3], not 3"),
        ("not_graded = 'maybe'\n[loading]\npoints=1", "line 1: not_graded: it must be one of 'open', 'zero'"),
        ("value_work = 0\n[loading]\npoints=1", "line 1: value_work: it must be an integer"),
        ("title = 3\n[loading]\npoints=1", "line 1: title: it must be a text of a line, not 3"),
        ("title = 'x'", "gives no points"),
        ("[loading]\npoints = 0", "gives no points"),
        ("[loading\npoints = 1", "rubric.toml is no TOML: "),
        ("[loading]\npoints = ten", "column 10): points = ten"),
        ("[loading]\npoints = 1\npoints = 2", "rubric.toml is no TOML: "),
        ("#" + "x" * 70_000, "more than 65,536 bytes"),
    ],
)
def test_an_error_names_line_key_and_what_is_allowed(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        rubric_of(text, tmp_path)
    assert told in str(error.value)
    assert "rubric.toml" in str(error.value)


def test_an_opponent_that_does_not_play_is_refused_before_anything_is_graded(tmp_path: Path) -> None:
    folder, rubric = write_class(tmp_path / "class", {"eve.py": UNREADABLE}), tmp_path / "rubric.toml"
    rubric.write_text(
        "[[opponent]]\nname = 'Random'\npoints = 1\n[[opponent]]\nname = 'AB_Null'\npoints = 1\n"
    )
    asked = (folder, "--out", tmp_path / "results", *WORDS, "--rubric", rubric)
    refused = grade(*asked)
    told = "line 5: [opponent] name: 'AB_Null' does not play in the classic roster, which has Random, "
    assert (refused.status, told in refused.stderr) == (ExitStatus.USAGE, True)
    explained = "\n".join(read_rubric(rubric).explained())
    assert "against Random, as measured" in explained
    assert "against AB_Null of the early roster, as measured" in explained
    assert grade(*asked, "--opponents", "early").status == ExitStatus.GOOD


def test_the_default_rubric_is_the_question_of_the_course(capsys: pytest.CaptureFixture[str]) -> None:
    rubric = default_rubric()
    assert (rubric.most, [each.label for each in rubric.parts]) == (100, ["verdict"])
    assert main(["rubric"]) == ExitStatus.GOOD
    assert capsys.readouterr().out == DEFAULT.read_text()
    assert main(["rubric", "--explain"]) == ExitStatus.GOOD
    assert "100 if a heuristic is better than AB_Improved" in capsys.readouterr().out


def test_each_part_gives_what_it_says(tmp_path: Path) -> None:
    rubric = rubric_of(WHOLE, tmp_path)
    report = example_report()
    ada = facts(report)
    assert ada.best is not None
    assert (ada.best.name, ada.best.verdict) == ("custom_score", "better")
    assert ada.best.difference is not None
    marks = {each.label: each for each in rubric.marks(ada, 2).parts}
    assert (marks["loading"].points, marks["verdict"].points, marks["leaderboard"].points) == (10, 50, 3)
    # Of four, one returned NaN and one raised.
    assert (marks["floats"].points, marks["floats"].why) == (4, "2 of 4 heuristics return numbers")
    rate = ada.best.opponents["Random"].rate
    assert marks["beats Random"].points == (5 if rate is not None and rate > 0.5 else 0)
    low = ada.best.opponents["AB_Open"].interval
    assert low is not None
    assert marks["above 90 % against AB_Open"].points == (5 if low.low > 0.9 else 0)
    share = (100 * ada.best.difference.value + 5) / 20
    assert marks["difference"].points == round(20 * min(max(share, 0), 1), 2)
    whole = rubric.marks(ada, 2)
    assert whole.total == round(sum(each.points or 0 for each in whole.parts), 2)
    assert whole.most == 98
    assert [each.label for each in whole.shown().parts] == [each for each in marks if each != "floats"]


def test_what_could_not_be_graded_is_left_to_a_person_or_gets_nothing(tmp_path: Path) -> None:
    bad = facts(report_of_a_file_that_does_not_load())
    rubric = rubric_of(WHOLE, tmp_path)
    marks = rubric.marks(bad, None)
    assert {each.label: each.points for each in marks.parts} == {
        "loading": 0,
        "floats": 0,
        "beats Random": None,
        "above 90 % against AB_Open": None,
        "verdict": None,
        "difference": None,
        "leaderboard": 0,
    }
    assert marks.is_open
    zero = rubric_of(f"not_graded = 'zero'\n{WHOLE}", tmp_path).marks(bad, None)
    assert (zero.total, zero.is_open) == (0, False)


def test_a_limit_of_time_earns_nobody_points_and_costs_nobody_any(tmp_path: Path) -> None:
    report = example_report()
    undecided = replace(report, graded=report.graded[2:3], is_cut=True)
    rubric = rubric_of(f"not_graded = 'zero'\n{WHOLE}", tmp_path)
    marks = {each.label: each for each in rubric.marks(facts(undecided), 1).parts}
    assert (marks["verdict"].points, marks["loading"].points) == (None, 10)
    assert "its time was over" in marks["verdict"].why
    out_of_time = Problem("out of time", "the time of the grading was over", "give it more")
    cut = replace(report_of_a_file_that_does_not_load(), problem=out_of_time, is_cut=True)
    assert {each.points for each in rubric.marks(facts(cut), None).parts} == {None}


def test_what_the_grader_failed_on_is_never_marked(tmp_path: Path) -> None:
    problem = Problem("grader failed", "its process ended", "try again")
    failed = facts(replace(report_of_a_file_that_does_not_load(), problem=problem))
    marks = rubric_of(f"not_graded = 'zero'\n{WHOLE}", tmp_path).marks(failed, None)
    assert {each.points for each in marks.parts} == {None}


def test_the_course_s_own_tests_are_run_for_a_rubric_that_asks_for_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_class(tmp_path / "class", {"ada.py": PLAIN, "eve.py": UNREADABLE})
    rubric, out = tmp_path / "rubric.toml", tmp_path / "results"
    rubric.write_text("title = 'Tests'\n[conformance]\npoints = 13\n")
    words = ["class", tmp_path / "class", "--out", out, "--rubric", rubric, *WORDS]
    assert main([*map(str, words)]) == ExitStatus.GOOD
    kept = json.loads((out / "staff/ada.tests.json").read_text())
    passed = [each["name"] for each in kept["tests"] if each["outcome"] == "passed"]
    assert 0 < len(passed) < len(kept["tests"])
    assert "tests passed" in (out / "staff/ada.tests.txt").read_text()
    # A submission is told the seed of its tests, and students which of them it failed.
    seed = json.loads((out / "staff/ada.json").read_text())["seed"]
    assert kept["seed"] == seed_of_tests(seed) != seed
    ada, eve = csv.DictReader((out / "grades.csv").read_text().splitlines())
    assert float(ada["points: conformance"]) == round(13 * len(passed) / len(kept["tests"]), 2)
    assert (eve["points: conformance"], eve["open"]) == ("0", "")
    told = json.loads((out / "students/ada.json").read_text())["marks"]["parts"][0]["why"]
    assert told.startswith(f"{len(passed)} of {len(kept['tests'])} tests passed; failed: ")
    capsys.readouterr()
    assert checked(capsys, "--check", out / "grades.csv") == (ExitStatus.GOOD, {"differences": []})
    # Of a class for which they were not run, a person decides.
    (out / "staff/ada.tests.json").unlink()
    status, found = checked(capsys, "--check", out / "grades.csv")
    assert (status, found["differences"][0]["by the rubric"]) == (ExitStatus.FAILED, "")


def test_equal_differences_share_a_place(tmp_path: Path) -> None:
    report = example_report()
    two = [facts(report, "ada"), facts(report, "alan")]
    none = facts(report_of_a_file_that_does_not_load(), "eve")
    assert rubric_of(WHOLE, tmp_path).places([*two, none]) == {"ada": 1, "alan": 1}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graded")
    submissions = {"ada.py": PLAIN, "=bob.py": WORST, "eve.py": UNREADABLE}
    write_class(folder / "class", submissions)
    (folder / "rubric.toml").write_text(WHOLE)
    given = Given(rubric=read_rubric(folder / "rubric.toml"))
    with ClassRun(folder / "class", folder / "results", quickly(), given, seed=1) as running:
        running.grade()
        running.write()
    return folder / "results"


def checked(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, dict[str, Any]]:
    status = main(["rubric", *map(str, words), "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_marks_are_computed_again_from_what_is_stored(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = results / "grades.csv"
    assert checked(capsys, "--check", table) == (ExitStatus.GOOD, {"differences": []})
    rows = list(csv.DictReader(table.read_text().splitlines()))
    kept = table.read_text()
    try:
        table.write_text(kept.replace(f",{rows[1]['total']},98,", ",97.5,98,"))
        status, found = checked(capsys, "--check", table)
        assert status == ExitStatus.FAILED
        assert found["differences"] == [
            {"student": "ada", "column": "total", "in the table": "97.5", "by the rubric": rows[1]["total"]}
        ]
    finally:
        table.write_text(kept)
    (tmp_path / "other.toml").write_text(WHOLE.replace("not_better = 0", "not_better = 5"))
    status, found = checked(capsys, tmp_path / "other.toml", "--check", table)
    assert {each["column"] for each in found["differences"]} == {"points: verdict", "total"}


def test_the_tables_are_those_that_the_services_import(results: Path) -> None:
    grades = list(csv.DictReader((results / "grades.csv").read_text().splitlines()))
    assert [row["key"] for row in grades] == ["bob", "ada", "eve"]
    # No spreadsheet computes what a student's file is called.
    assert grades[0]["name"] == "'=bob"
    assert [row["open"] for row in grades] == ["", "", "open"]
    canvas = list(csv.reader((results / "canvas.csv").read_text().splitlines()))
    assert canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Isolation"]
    assert canvas[1] == ["    Points Possible", "", "", "", "", "98"]
    assert [row[0] for row in canvas[2:]] == ["'=bob", "ada"]
    gradescope = list(csv.DictReader((results / "gradescope.csv").read_text().splitlines()))
    assert [(row["Last Name"], row["Status"]) for row in gradescope] == [
        ("'=bob", "Graded"),
        ("ada", "Graded"),
    ]


@pytest.mark.parametrize(
    ("columns", "given", "heading", "is_told"),
    [
        ("", [], "Isolation", False),
        (",Isolation (1234),Assignments Current Points", [], "Isolation (1234)", False),
        (",Isolation (1234),Essay (99)", [], "Isolation", True),
        (",Isolation (1234),Essay (99)", ["--assignment", "Essay (99)"], "Essay (99)", False),
    ],
)
def test_the_column_of_canvas_is_the_only_assignment_of_its_gradebook(
    columns: str, given: list[str], heading: str, is_told: bool, tmp_path: Path
) -> None:
    folder, roster = write_class(tmp_path / "class", {"ada.py": UNREADABLE}), tmp_path / "gradebook.csv"
    roster.write_text(f"Student,ID,SIS User ID,SIS Login ID,Section{columns}\nAda,11,s11,ada,A\n")
    (tmp_path / "rubric.toml").write_text("title = 'Isolation'\n[loading]\npoints = 1\n")
    files = ("--roster", roster, "--rubric", tmp_path / "rubric.toml")
    found = grade(folder, "--out", tmp_path / "results", *WORDS, *files, *given)
    canvas = list(csv.reader((tmp_path / "results/canvas.csv").read_text().splitlines()))
    assert canvas[0][-1] == heading
    told = "2 assignments (Isolation (1234), Essay (99)): name that of canvas.csv with --assignment"
    assert (told in found.stderr) == is_told


def test_students_see_the_marks_that_are_visible(results: Path) -> None:
    page = (results / "students/ada.html").read_text()
    assert page.count('<h2 id="marks">Marks</h2>') == 1
    assert "beats Random" in page
    assert "floats" not in page
    document = json.loads((results / "students/ada.json").read_text())
    assert "floats" not in [each["label"] for each in document["marks"]["parts"]]
    assert document["seed"] is None
    staff = (results / "staff/ada.html").read_text()
    assert staff.count('<h2 id="marks">Marks</h2>') == 1
    assert "floats" in staff


def test_a_rubric_that_chance_moves_too_far_is_warned_of_where_it_is_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rubric.toml"
    path.write_text("[difference]\npoints = 40\nnone_at = -5\nall_at = 8\n")
    assert main(["rubric", str(path), "--explain"]) == 0
    assert "moves by up to 13.1 of 40 points" in capsys.readouterr().err
    path.write_text(f"moves = 40\n{path.read_text()}")
    assert main(["rubric", str(path), "--explain"]) == 0
    assert capsys.readouterr().err == ""

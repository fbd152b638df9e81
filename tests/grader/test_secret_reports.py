"""With `--secret` a report for students has nothing that an opening can be had from."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from report_examples import example_report

from isolation_grader.cli import main
from isolation_grader.cli.check import Files, WrittenForm
from isolation_grader.grading import grade
from isolation_grader.report import Printed, Report
from isolation_grader.showing import FORMS, Repeat, shown
from isolation_grader.showing.forms import FOR_STUDENTS

SEED = 7_046_029_254_386_353
SAID = "the knights stand on 5,2 and 0,1"


def telling() -> Report:
    """A report in which the submission says an opening wherever it can once it sees one."""
    report = example_report()
    graded = []
    for each in report.graded:
        problem = each.problem and replace(each.problem, reason=SAID, trace=(SAID,))
        lost = tuple(replace(game, happened=SAID, trace=(SAID,)) for game in each.lost_games)
        graded.append(
            replace(each, problem=problem, lost_games=lost, printed=Printed(SAID.encode(), SAID.encode()))
        )
    return replace(report, seed=SEED, graded=tuple(graded))


@pytest.mark.parametrize("form", FOR_STUDENTS)
def test_a_report_for_students_has_neither_seed_nor_games(form: str) -> None:
    report = telling()
    openly, secretly = (shown(report, form, secret=each).replace("\\", "") for each in (False, True))
    for hidden in (str(SEED), SAID, "opening 0"):
        assert hidden in openly
        assert hidden not in secretly
    # Neither does a replay, whose position is in the page in another way.
    assert not re.search(r'"moves":|"start":', secretly)
    assert f"{SEED}"[:8] not in secretly
    assert "secret" in secretly
    for each in report.graded:
        assert each.name in secretly
        assert each.verdict in secretly


def test_what_a_submission_draws_while_it_is_loaded_tells_no_seed(tmp_path: Path) -> None:
    # Such as in the name of a function, or in an error, which are shown.
    (tmp_path / "game_agent.py").write_text("import random\nraise ValueError(random.getrandbits(64))\n")
    reasons = {(each := grade(tmp_path, seed=seed).problem) and each.reason for seed in (1, 2)}
    assert len(reasons) == 1
    assert "ValueError" in str(reasons)


@pytest.mark.parametrize("form", FOR_STUDENTS)
def test_no_figure_of_it_changes(form: str) -> None:
    report = telling()
    assert shown(report, form, secret=True) == shown(replace(report, seed=SEED + 1), form, secret=True)
    if form == "gradescope":
        one, other = (json.loads(shown(report, form, secret=each)) for each in (False, True))
        assert (one["score"], one["leaderboard"]) == (other["score"], other["leaderboard"])
        assert other["extra_data"]["seed"] is None


@pytest.mark.parametrize("form", sorted({*FORMS, "simple"} - set(FOR_STUDENTS)))
def test_a_report_for_staff_has_all(form: str) -> None:
    report = telling()
    assert shown(report, form, secret=True) == shown(report, form)


@pytest.mark.parametrize("form", FOR_STUDENTS)
def test_a_report_for_students_asks_for_nothing_that_takes_the_games(form: str) -> None:
    report = telling()
    games = (
        "First fix the errors that lost 3 games: each of these games names its own.",
        "It wins less against Random: first replay the games lost to Random.",
        "A single move gave away a won position. Count all moves: replay these games.",
        "About 60 blocks would decide: try --blocks 120.",
    )
    graded = [replace(each, advice=games) for each in report.graded]
    report = replace(report, graded=tuple(graded))
    secretly, openly = (shown(report, form, secret=each).replace("\\", "") for each in (True, False))
    for told in (
        "isolation-grade check",
        "--seed",
        "replay these",
        "first replay",
        "names its own",
    ):
        assert told not in secretly
        assert told in openly or form == "html"
    for told in ("errors that lost 3 games.", "against Random.", "Count all moves.", "try --blocks 120."):
        assert told in secretly


def test_each_file_has_what_its_readers_may_know(tmp_path: Path) -> None:
    paths = {form: tmp_path / form for form in ("html", "json")}
    forms = [WrittenForm(form, str(path)) for form, path in paths.items()]
    with Files(forms, Repeat(), secret=True) as files:
        files.partial(replace(telling(), is_complete=False))
        assert str(SEED) not in paths["html"].read_text("utf-8")
        files.complete(telling())
    assert str(SEED) not in paths["html"].read_text("utf-8")
    assert json.loads(paths["json"].read_text("utf-8"))["seed"] == SEED


def test_the_help_names_the_forms_for_students(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(FOR_STUDENTS) < set(FORMS)
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    assert f"reports for students: {', '.join(FOR_STUDENTS)}" in " ".join(capsys.readouterr().out.split())

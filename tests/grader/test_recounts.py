"""`isolation-grade recount`: what a report says, against the recorded games of its journal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from class_scene import PLAIN as OF_CLASS
from class_scene import WORDS, ended, grade, timed, write_class
from grading_scene import PLAIN, graded, quickly, store

from isolation_grader.cli import main
from isolation_grader.exceptions import ExitStatus, UsageError
from isolation_grader.options import Question
from isolation_grader.recounting import NO_JOURNAL, recount
from isolation_grader.report import Report

# They are fixtures, which tests name.
__all__ = ["graded", "quickly", "store"]

TIMED = f"""import random
def custom_score_2(game, player):
    return random.random()
{PLAIN}"""
RAISING = """
import random
def custom_score(game, player):
    return 1 / 0 if game.move_count > 8 else random.random()
"""


@pytest.fixture(name="journal")
def journal_fixture(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def lines_of(journal: Path, name: str = "custom_score-") -> tuple[Path, list[Any]]:
    [path] = [each for each in journal.glob(f"{name}*.jsonl") if not each.name.endswith(".uses.jsonl")]
    return path, [json.loads(line) for line in path.read_text().splitlines()]


def changed(journal: Path, change: Callable[[Any], object]) -> None:
    """Change the first game of a journal."""
    path, lines = lines_of(journal)
    change(lines[1]["records"][0])
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines))


def test_the_recorded_games_come_to_what_the_report_says(
    graded: Callable[..., Report], journal: Path
) -> None:
    report = graded(TIMED, journal=journal)
    found = recount(report.to_dict(), journal)
    assert {each.work for each in report.graded} == {"counted", "timed"}
    for each, own in zip(report.graded, found, strict=True):
        assert own.problem is None
        assert (own.name, own.games, own.won) == (each.name, each.grading.games, each.grading.won)
        assert (own.verdict, own.difference) == (each.verdict, each.grading.difference)
        assert own.games


def test_games_beyond_the_test_count_where_the_difference_is_to_be_known(
    graded: Callable[..., Report], journal: Path
) -> None:
    report = graded(PLAIN, journal=journal, question=Question(points=20, precision=6))
    [grading] = [each.grading for each in report.graded]
    assert grading.test is not None
    assert grading.result is not None
    assert grading.result.block_means[grading.test.count :]
    [own] = recount(report.to_dict(), journal)
    assert (own.problem, own.games, own.difference) == (None, grading.games, grading.difference)


def test_a_report_from_the_middle_of_a_grading_is_recounted(
    graded: Callable[..., Report], journal: Path
) -> None:
    found: list[Report] = []

    def stop_after_a_block(report: Report) -> None:
        found.append(report)
        if report.graded and report.graded[0].grading.games:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        graded(PLAIN, journal=journal, workers=1, on_partial=stop_after_a_block)
    [own] = recount(found[-1].to_dict(), journal)
    assert (own.problem, own.games) == (None, found[-1].graded[0].grading.games)


def test_games_lost_by_a_fault_are_named(graded: Callable[..., Report], journal: Path) -> None:
    report = graded(RAISING, journal=journal)
    [found] = recount(report.to_dict(), journal)
    assert (found.problem, found.verdict, found.games) == (None, "not graded", report.graded[0].grading.games)
    assert len(found.faults) == 3
    assert all("raised: ZeroDivisionError" in each for each in found.faults)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda game: game.update(moves=[[9, 9], *game["moves"][1:]]), "move 1, (9, 9), is not legal"),
        (lambda game: game.update(winner=3 - game["winner"]), "field 'winner' is"),
        (
            lambda game: [game[name].pop() for name in ("moves", "values", "depths", "nodes", "reasons")],
            "ending",
        ),
        (lambda game: game.update(opening=5), "is not that of its place in the plan"),
        (lambda game: game.update(players=game["players"][::-1]), "is not that of its place in the plan"),
    ],
)
def test_a_wrong_record_is_named(
    change: Callable[[Any], object], problem: str, graded: Callable[..., Report], journal: Path
) -> None:
    report = graded(PLAIN, journal=journal)
    changed(journal, change)
    [found] = recount(report.to_dict(), journal)
    assert found.problem is not None
    assert "game 1 of chunk " in found.problem  # the first in the file is the first that ended
    assert problem in found.problem


def test_a_report_that_says_more_than_its_games_is_found_out(
    graded: Callable[..., Report], journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = graded(PLAIN, journal=journal).to_dict()
    report = tmp_path / "report.json"
    report.write_text(json.dumps(document))
    words = ["recount", str(report), str(journal)]
    assert main(words) == ExitStatus.GOOD
    shown = capsys.readouterr().out
    assert "each move legal" in shown
    assert "the report says the same" in shown
    document["graded"][0]["grading"]["won"] += 1
    report.write_text(json.dumps(document))
    assert main(words) == ExitStatus.FAILED
    assert "differs: the report says won" in capsys.readouterr().out
    assert main([*words, "--json"]) == ExitStatus.FAILED
    assert json.loads(capsys.readouterr().out)[0]["games"]


def test_what_is_no_report_or_has_no_journal_is_refused(
    graded: Callable[..., Report], journal: Path, tmp_path: Path
) -> None:
    document = graded(PLAIN).to_dict()
    assert recount(document, tmp_path)[0].problem == NO_JOURNAL
    with pytest.raises(UsageError, match="the report has no seed"):
        recount({**document, "seed": None}, journal)
    for wrong in ({}, {**document, "schema": "x"}, {**document, "graded": 3}):
        with pytest.raises(UsageError):
            recount(wrong, journal)


def test_a_class_keeps_its_games_where_that_is_asked(tmp_path: Path) -> None:
    results, rubric = tmp_path / "results", tmp_path / "rubric.toml"
    rubric.write_text("value_work = 100000\n[loading]\npoints = 1\n")
    write_class(tmp_path / "class", {"ada.py": timed(OF_CLASS)})
    words = (tmp_path / "class", "--out", results, *WORDS, "--rubric", rubric)
    assert grade(*words, "--keep-games").status == ExitStatus.GOOD
    report = results / "staff" / "ada.json"
    assert json.loads(report.read_text())["value_work"] == 100_000
    recounted = ended("recount", report, results / "state" / "games" / "ada")
    assert (recounted.status, "the report says the same" in recounted.stdout) == (ExitStatus.GOOD, True)
    rubric.write_text("value_work = 7\n[loading]\npoints = 1\n")
    refused = grade(*words, "--keep-games", "--resume")
    assert (refused.status, "value_work" in refused.stderr) == (ExitStatus.USAGE, True)

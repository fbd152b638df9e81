"""What the results of a class remember: `--resume` needs no option again, and loses nobody."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from class_scene import PLAIN, SECRET, UNREADABLE, WORDS, files_of, grade, quickly, write_class

import isolation_grader.baseline
from isolation_grader.classes import Asked, ClassRun, Given, read_roster
from isolation_grader.exceptions import ExitStatus, UsageError
from isolation_grader.options import Question

# Of which nothing is played, in Canvas's naming.
CANVAS = {
    "lovelaceada_11_901_game_agent.py": UNREADABLE,
    "turingalan_12_902_game_agent.py": UNREADABLE + "# another\n",
}
GRADEBOOK = """Student,ID,SIS User ID,SIS Login ID,Section
"Lovelace, Ada",11,s11,ada,A
"Turing, Alan",12,s12,alan,A
"Liskov, Barbara",13,s13,barbara,A
"""
RUBRIC = "title = 'Ours'\n[loading]\npoints = 7\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_class(tmp_path / "class", CANVAS)


@pytest.fixture
def options(tmp_path: Path) -> list[object]:
    """All that is given with a class."""
    roster, rubric = tmp_path / "gradebook.csv", tmp_path / "ours.toml"
    roster.write_text(GRADEBOOK)
    rubric.write_text(RUBRIC)
    named = ["--layout", "canvas", "--assignment", "Isolation (1234)"]
    return ["--roster", roster, "--rubric", rubric, *named]


def everything(results: Path) -> dict[str, bytes]:
    return {each.as_posix(): each.read_bytes() for each in results.rglob("*") if each.is_file()}


def test_what_was_given_is_that_of_the_last_time(folder: Path, tmp_path: Path, options: list[object]) -> None:
    out = tmp_path / "results"
    assert grade(folder, "--out", out, *WORDS, *options).status == ExitStatus.GOOD
    before = files_of(out)
    assert b"Isolation (1234)" in before["canvas.csv"] + before["state/given.json"]
    # Its files may be gone: what they said is kept.
    (tmp_path / "gradebook.csv").unlink()
    (tmp_path / "ours.toml").unlink()
    again = grade(folder, "--out", out, *WORDS, "--resume")
    assert again.status == ExitStatus.GOOD, again.stderr
    taken = "roster gradebook.csv, layout canvas, rubric ours.toml, assignment Isolation (1234)"
    assert again.stderr.splitlines()[:2] == [
        f"isolation-grade: as last time: {taken}",
        "isolation-grade: 2 submissions, layout canvas, 2 of them finished",
    ]
    assert files_of(out) == before


def test_what_is_given_again_replaces_what_was(folder: Path, tmp_path: Path, options: list[object]) -> None:
    out, strict = tmp_path / "results", tmp_path / "strict.toml"
    grade(folder, "--out", out, *WORDS, *options)
    strict.write_text("title = 'Strict'\n[loading]\npoints = 3\n")
    replaced = grade(folder, "--out", out, *WORDS, "--resume", "--rubric", strict)
    assert "as last time: roster gradebook.csv, layout canvas, assignment" in replaced.stderr
    assert "2 of them finished" in replaced.stderr
    for _ in range(2):
        assert (out / "state/rubric.toml").read_text() == strict.read_text()
        grade(folder, "--out", out, *WORDS, "--resume")


def test_an_interrupted_class_goes_on_with_what_was_given(folder: Path, tmp_path: Path) -> None:
    out, roster = tmp_path / "results", tmp_path / "gradebook.csv"
    roster.write_text(GRADEBOOK)
    with ClassRun(folder, out, quickly(), Given(read_roster(roster), layout="canvas"), seed=SECRET):
        pass
    with ClassRun(folder, out, quickly(), resume=True) as running:
        assert [each.key for each in running.found.found] == ["lovelace-ada", "turing-alan"]
        assert [each.name for each in running.found.missing] == ["Liskov, Barbara"]


def test_a_folder_that_lacks_graded_submissions_is_refused_and_changes_nothing(
    folder: Path, tmp_path: Path, options: list[object]
) -> None:
    out = tmp_path / "results"
    grade(folder, "--out", out, *WORDS, *options)
    before = everything(out)
    wrong = write_class(tmp_path / "wrong", {"hoppergrace_14_903_game_agent.py": UNREADABLE})
    refused = grade(wrong, "--out", out, *WORDS, "--resume")
    assert refused.status == ExitStatus.USAGE
    told = f"2 of 2 graded submissions are not in {wrong}: Lovelace, Ada; Turing, Alan"
    assert told in refused.stderr
    assert "hint: name the folder that has them all; --remove-missing" in refused.stderr
    assert everything(out) == before
    nowhere = grade(tmp_path / "nowhere", "--out", out, *WORDS, "--resume")
    assert (nowhere.status, everything(out)) == (ExitStatus.USAGE, before)


def test_who_has_withdrawn_is_removed_when_asked_for_and_once(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    grade(folder, "--out", out, *WORDS)
    (folder / "turingalan_12_902_game_agent.py").unlink()
    removed = grade(folder, "--out", out, *WORDS, "--resume", "--remove-missing")
    assert removed.status == ExitStatus.GOOD, removed.stderr
    assert not list(out.glob("st*/turingalan*"))
    # The next night asks no more.
    assert grade(folder, "--out", out, *WORDS, "--resume").status == ExitStatus.GOOD


def test_a_student_of_another_name_and_another_submission_is_not_lost(
    folder: Path, tmp_path: Path, options: list[object]
) -> None:
    out, roster = tmp_path / "results", tmp_path / "gradebook.csv"
    grade(folder, "--out", out, *WORDS, *options)
    (folder / "turingalan_12_902_game_agent.py").write_text(UNREADABLE + "# once more\n")
    roster.write_text(GRADEBOOK.replace("Turing, Alan", "Turing, A. M."))
    again = grade(folder, "--out", out, *WORDS, "--resume", "--roster", roster)
    assert again.status == ExitStatus.GOOD, again.stderr
    reports = [each.stem for each in (out / "students").glob("*.json")]
    assert sorted(reports) == ["lovelace-ada", "turing-a-m"]


def test_another_name_for_the_same_content_changes_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(isolation_grader.baseline, "MARGIN", 0.01)
    folder, out = write_class(tmp_path / "class", {"lovelaceada_11_901_game_agent.py": PLAIN}), tmp_path / "r"
    asked = Asked(budget="work=60", question=Question(blocks=10, precision=0))
    (tmp_path / "gradebook.csv").write_text(GRADEBOOK)

    def graded(key: str, given: Given | None = None) -> Any:
        with ClassRun(folder, out, asked, given, seed=SECRET, resume=True) as running:
            renamed.append(running.renamed)
            running.grade()
            running.write()
        return json.loads((out / "staff" / f"{key}.json").read_text())["graded"]

    renamed: list[dict[str, str]] = []
    before = graded("lovelaceada")
    after = graded("lovelace-ada", Given(read_roster(tmp_path / "gradebook.csv")))
    assert renamed == [{}, {"lovelaceada": "lovelace-ada"}]
    assert before == after
    assert not (out / "staff/lovelaceada.json").exists()


def test_what_canvas_calls_late_is_a_column_of_the_grades(tmp_path: Path) -> None:
    handed = {**CANVAS, "hoppergrace_LATE_14_903_game_agent.py": UNREADABLE + "# late\n"}
    out = tmp_path / "results"
    grade(write_class(tmp_path / "class", handed), "--out", out, *WORDS)
    late = {row["key"]: row["late"] for row in csv.DictReader((out / "grades.csv").read_text().splitlines())}
    assert late == {"hoppergrace": "late", "lovelaceada": "", "turingalan": ""}


def test_an_unreadable_memory_is_an_error(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    grade(folder, "--out", out, *WORDS)
    (out / "state/given.json").write_text("{}")
    with pytest.raises(UsageError, match=r"given.json cannot be read"):
        ClassRun(folder, out, quickly(), resume=True)

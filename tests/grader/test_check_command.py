"""`isolation-grade check`: its options, what goes where, and how it ends."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from report_examples import example_report

from isolation_fast import Cost
from isolation_fast.cli.errors import Parser
from isolation_grader.cli import check, main
from isolation_grader.cli.writing import Files, WrittenForm, written_form
from isolation_grader.exit_status import MEANINGS, ExitStatus
from isolation_grader.report import Report
from isolation_grader.showing.forms import shown
from isolation_grader.showing.repeating import Repeat

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "game_agent.py"
HONEST = "def custom_score(game, player):\n    return float(len(game.get_legal_moves(player)))\n"


def parsed(*words: object) -> argparse.Namespace:
    parser = Parser(prog="isolation-grade")
    check.add_to(parser.add_subparsers())
    return parser.parse_args(["check", *map(str, words)])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.py"], "there is no such file"),
        ([EXAMPLE, "--budget", "many"], "many"),
        ([EXAMPLE, "--budget", "work=0"], "work must be an integer of at least 1"),
        ([EXAMPLE, "--heuristics", "custom_scor"], "did you mean 'custom_score'?"),
        ([EXAMPLE, "--roster", "late"], "invalid choice: 'late'"),
        ([EXAMPLE, "--points", "0"], "points must be above 0 and below 100, not 0.0"),
        ([EXAMPLE, "--alpha", "1"], "alpha must be"),
        ([EXAMPLE, "--alpha", "nan"], "alpha must be"),
        ([EXAMPLE, "--beta", "0.99"], "alpha and beta must be below 1 together"),
        ([EXAMPLE, "--blocks", "1"], "blocks must be an integer of at least 10, not 1"),
        ([EXAMPLE, "--cost", "0"], "cost must be a finite number above 0, not 0"),
        ([EXAMPLE, "--cost", "custom_score="], "cost"),
        ([EXAMPLE, "--cost", "custom_score=1:2"], "a cost has 5 bands or none, not 1"),
        ([EXAMPLE, "--cost", "1", "--cost", "2"], "--cost is given twice"),
        ([EXAMPLE, "--cost", "a=1", "--cost", "a=2"], "--cost is given twice for a"),
        (
            [EXAMPLE, "--cost", "1", "--cost", "a=2"],
            "--cost is given for all heuristics, and for one",
        ),
        ([EXAMPLE, "--workers", "0"], "--workers must be at least 1, not 0"),
        ([EXAMPLE, "--resume"], "--resume goes with --journal FOLDER"),
        ([EXAMPLE, "--memory", "1"], "memory in MiB must be an integer of at least 256, not 1"),
        ([EXAMPLE, "--write", "report.html"], "it is FORMAT=FILE, such as gradescope=results.json"),
        ([EXAMPLE, "--write", "html="], "it is FORMAT=FILE, such as gradescope=results.json"),
        ([EXAMPLE, "--write", "htm=report.html"], "did you mean 'html'?"),
        ([EXAMPLE, "--write", f"html={EXAMPLE}"], "--write names the file of a player"),
        ([EXAMPLE, "--write", "html=/"], "a report cannot be written"),
        ([EXAMPLE, "--write", "html=/nowhere/at/all"], "a report cannot be written"),
        (
            [EXAMPLE, "--write", "html=a.out", "--write", "json=./a.out"],
            "--write and --write name the same file",
        ),
        (
            [EXAMPLE, "--write", "html=a.out", "--timings", "a.out"],
            "--write and --timings name the same file",
        ),
        ([EXAMPLE, "--format", "gradscope"], "did you mean 'gradescope'?"),
        ([], "SUBMISSION"),
    ],
    ids=lambda each: " ".join(map(str, each))[-30:] if isinstance(each, list) else "",
)
def test_bad_usage_ends_with_2_and_says_what_is_wrong(
    arguments: list[object],
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        status = main(["check", *map(str, arguments)])
    except SystemExit as ended:  # argparse ends by itself
        status = int(str(ended.code))
    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert said.err.startswith("isolation-grade: error: ")
    assert told in said.err
    assert "Traceback" not in said.err
    assert list(tmp_path.iterdir()) == []


def test_the_help_names_every_status() -> None:
    described = " ".join(check.DESCRIPTION.split())
    assert all(f"{int(status)} {meaning}" in described for status, meaning in MEANINGS["check"].items())
    page = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    assert all(f"| {int(status)} | " in page for status in MEANINGS["check"])


def test_every_verdict_has_its_status() -> None:
    whole = example_report()
    better, worse, undecided, broken = whole.graded

    def status(*graded: Any) -> ExitStatus:
        return replace(whole, graded=graded).status

    assert status(broken, worse, undecided, better) == 0
    assert status(broken, worse, undecided) == 4
    assert status(broken, worse) == 1
    assert status(broken) == status() == 3


def test_a_cost_is_for_all_or_for_one() -> None:
    assert check._costs([]) is None
    assert check._costs(parsed("a.py", "--cost", "1.25").cost) == 1.25
    words = ("--cost", "custom_score=2", "--cost", "custom_score_2=3:8/4/3/2/1")
    assert check._costs(parsed("a.py", *words).cost) == {
        "custom_score": 2,
        "custom_score_2": Cost(3, (8, 4, 3, 2, 1)),
    }


def test_a_written_form_may_be_of_any_name() -> None:
    assert written_form("grid=a=b.txt") == WrittenForm("grid", "a=b.txt")


def partial(report: Report, known: int) -> Report:
    return replace(report, is_complete=False, graded=report.graded[:known])


def test_files_are_written_after_each_block_and_at_the_end(tmp_path: Path) -> None:
    whole, file = example_report(), tmp_path / "results.json"
    with Files([WrittenForm("gradescope", str(file))], Repeat()) as files:
        assert not file.exists()
        files.partial(partial(whole, 1))
        assert file.read_text(encoding="utf-8") == shown(partial(whole, 1), "gradescope")
        files.complete(whole)
    assert file.read_text(encoding="utf-8") == shown(whole, "gradescope")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit, RuntimeError])
def test_files_keep_what_was_last_known_however_grading_ends(
    tmp_path: Path, end: type[BaseException]
) -> None:
    whole, paths = example_report(), {each: tmp_path / each for each in ("json", "simple", "gradescope")}
    forms = [WrittenForm(form, str(path)) for form, path in paths.items()]

    def graded() -> None:
        with Files(forms, Repeat()) as files:
            # The second comes too soon behind the first to be written at once.
            for known in (1, 2):
                files.partial(partial(whole, known))
            raise end

    with pytest.raises(end):
        graded()
    for form, path in paths.items():
        assert path.read_text(encoding="utf-8") == shown(partial(whole, 2), form)

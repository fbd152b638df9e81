"""The autograder's zip, unpacked as Gradescope does it: whatever is handed in, results.json is valid."""

import io
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from report_examples import example_report, report_of_a_file_that_does_not_load

from isolation_grader import __version__
from isolation_grader.autograder import Settings, bundle, container
from isolation_grader.classes.rubric import default_rubric, read_rubric
from isolation_grader.cli import main
from isolation_grader.conforming import conformance
from isolation_grader.exceptions import ExitStatus, UsageError
from isolation_grader.options import Question
from isolation_grader.report import Report

ROOT = Path(__file__).resolve().parents[2]
TERRITORY = (ROOT / "examples" / "territory_agent.py").read_text("utf-8")
QUICK = Settings(seed=1, heuristics=("custom_score",), question=Question(blocks=10, precision=0))
LONGEST = 300
RUBRIC = """
title = "Both"
[loading]
points = 10
[verdict]
better = 90
undecided = 45
not_better = 5
visible = false
"""
KNOWN = {
    *("score", "output", "output_format", "test_output_format", "test_name_format", "visibility"),
    *("stdout_visibility", "extra_data", "tests", "leaderboard", "execution_time"),
}
"""The fields of a results file that Gradescope documents, and those of a test."""
KNOWN_OF_TEST = {
    *("score", "max_score", "status", "name", "name_format", "number", "output", "output_format"),
    *("tags", "visibility", "extra_data"),
}


def require_gradescopes_form(results: dict[str, Any]) -> None:
    """As https://gradescope-autograders.readthedocs.io/en/latest/specs/ has it."""
    assert results.keys() <= KNOWN
    assert isinstance(results["score"], int | float)
    assert results["visibility"] in ("visible", "hidden", "after_due_date", "after_published")
    for test in results["tests"]:
        assert test.keys() <= KNOWN_OF_TEST
        assert test.get("status", "passed") in ("passed", "failed")
        assert isinstance(test["output"], str)
        assert ("score" in test) == ("max_score" in test)
    for entry in results.get("leaderboard", []):
        assert entry.keys() <= {"name", "value", "order"}


def require_prairielearns_form(results: dict[str, Any]) -> None:
    """As its docs/externalGrading.md has it."""
    if results["gradable"]:
        assert 0.0 <= results["score"] <= 1.0
    else:
        assert "score" not in results
        assert results["format_errors"]
    for test in results["tests"]:
        assert test.keys() == {"name", "output", "points", "max_points"}


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """Files with the names of wheels."""
    folder = tmp_path / "dist"
    folder.mkdir()
    for name in ("isolation_fast-{}-cp311-cp311-manylinux_x86_64", "isolation_grader-{}-py3-none-any"):
        (folder / f"{name.format(__version__)}.whl").write_bytes(b"a wheel")
    (folder / f"isolation_fast-{__version__}-cp311-cp311-win_amd64.whl").write_bytes(b"another one")
    return folder


def unpacked(archive: Path, root: Path, submission: dict[str, str]) -> Path:
    """The folder /autograder as Gradescope makes it."""
    for name in ("source", "submission", "results"):
        (root / name).mkdir(parents=True)
    with zipfile.ZipFile(archive) as opened:
        for each in opened.infolist():
            opened.extract(each, root / "source")
            (root / "source" / each.filename).chmod(each.external_attr >> 16)
    shutil.copy(root / "source" / "run_autograder", root)
    for name, content in submission.items():
        (root / "submission" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "submission" / name).write_text(content)
    return root


def graded(root: Path, settings: Settings = QUICK) -> dict[str, Any]:
    """What the container's program writes last, run here."""
    (root / "source").mkdir(parents=True, exist_ok=True)
    (root / "source" / "settings.json").write_text(json.dumps(settings.to_dict()))
    written: list[dict[str, Any]] = []
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        container.grade_into(container.Places.of(root), time.time(), written.append)
    for each in written:
        require_gradescopes_form(json.loads(json.dumps(each)))
        require_prairielearns_form(container.for_prairielearn(each))
    return written[-1]


def handed_in(root: Path, **files: str) -> Path:
    for name, content in files.items():
        path = root / "submission" / name.replace("__", "/")
        path = path.with_name(f"{path.name}.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return root


def run(*arguments: object) -> tuple[int, str]:
    err = io.StringIO()
    with redirect_stderr(err), redirect_stdout(io.StringIO()):
        status = main([*map(str, arguments)])
    return status, err.getvalue()


def test_the_zip_has_scripts_wheels_settings_and_the_rubric(wheels: Path, tmp_path: Path) -> None:
    rubric, out = tmp_path / "rubric.toml", tmp_path / "out.zip"
    rubric.write_text(default_rubric().text)
    status, told = run(
        *("bundle", "--out", out, "--wheels", wheels, "--rubric", rubric, "--time-limit", "90s", "--seed", 7)
    )
    assert (status, "seed 7" in told) == (ExitStatus.GOOD, True)
    with zipfile.ZipFile(out) as opened:
        modes = {each.filename: each.external_attr >> 16 for each in opened.infolist()}
        settings = Settings.of(json.loads(opened.read("settings.json")))
        require_gradescopes_form(json.loads(opened.read("first_results.json")))
        assert opened.read("rubric.toml") == rubric.read_bytes()
        assert opened.read("packages.txt") == b"numpy\n"
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755
    assert {name for name in modes if name.startswith("wheels/")} == {
        f"wheels/{each.name}" for each in wheels.iterdir() if "win" not in each.name
    }
    assert (settings.seed, settings.time_limit, settings.workers) == (7, 90.0, 1)


def test_the_same_settings_give_the_same_bytes(wheels: Path, tmp_path: Path) -> None:
    for name in ("one.zip", "other.zip"):
        bundle(tmp_path / name, wheels, QUICK)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()


def test_what_cannot_be_bundled_is_refused(wheels: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    next(wheels.glob("isolation_grader*")).rename(wheels / "isolation_grader-0.0.9-py3-none-any.whl")
    with pytest.raises(UsageError, match="no wheel of isolation-grader"):
        bundle(out, wheels, QUICK)
    rubric = tmp_path / "rubric.toml"
    rubric.write_text("pionts = 3")
    for arguments in (
        ("--wheels", tmp_path / "none"),
        ("--wheels", wheels, "--time-limit", "5s"),
        ("--wheels", wheels, "--budget", "work"),
        ("--wheels", wheels, "--packages", "numpy", "numpy @ elsewhere"),
    ):
        assert run("bundle", "--out", out, *arguments)[0] == ExitStatus.USAGE
    assert not out.exists()


def test_a_submission_in_a_folder_is_graded_under_its_students_name(tmp_path: Path) -> None:
    root = handed_in(tmp_path, project__game_agent=TERRITORY)
    users = [{"name": "Ada Lovelace"}, {"name": "Grace Hopper"}]
    (root / "submission_metadata.json").write_text(json.dumps({"users": users}))
    found = graded(root)
    assert found["tests"][0]["name"] == "Ada Lovelace, Grace Hopper can be graded"
    assert found["tests"][1]["name"] == "custom_score beats AB_Improved"
    assert found["extra_data"]["seed"] is None


def test_a_rubric_gives_the_points(tmp_path: Path) -> None:
    rubric = tmp_path / "rubric.toml"
    rubric.write_text(RUBRIC)
    better = example_report()
    undecided = replace(better, graded=better.graded[2:3])
    reports: list[tuple[Report, dict[str, float]]] = [
        (better, {"loading": 10, "verdict": 90}),
        (replace(better, graded=better.graded[1:2]), {"loading": 10, "verdict": 5}),
        (undecided, {"loading": 10, "verdict": 45}),
        # A limit of time earns nobody points.
        (replace(undecided, is_complete=False), {"loading": 10}),
        (report_of_a_file_that_does_not_load(), {"loading": 0}),
    ]
    for report, points in reports:
        found = container.document(report, read_rubric(rubric))
        require_gradescopes_form(found)
        parts = [each for each in found["tests"] if "score" in each]
        assert {each["name"]: each["score"] for each in parts} == points
        assert found["score"] == sum(points.values())
        assert [each["visibility"] for each in found["tests"][:2]] == ["visible", "hidden"]
        learned = container.for_prairielearn(found)
        require_prairielearns_form(learned)
        assert learned["score"] == sum(points.values()) / 100
        assert "verdict" not in [each["name"] for each in learned["tests"]]


def test_a_rubric_gives_points_for_the_courses_own_tests(tmp_path: Path) -> None:
    rubric = tmp_path / "rubric.toml"
    rubric.write_text('title = "Tests"\n[conformance]\npoints = 11\n')
    tested = conformance(ROOT / "examples", games=False)
    found = container.document(example_report(), read_rubric(rubric), tested)
    assert (found["score"], found["tests"][0]["output"]) == (11.0, "11 of 11 tests passed")
    open_ = container.document(example_report(), read_rubric(rubric))
    assert "score" not in open_["tests"][0]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def custom_score(game, player)\n    return 1", "expected ':'"),
        ("raise SystemExit(0)", "SystemExit"),
        ("import os\nprint('{\"score\": 100}')\nos._exit(0)", "exited"),
    ],
    ids=["no Python", "ends", "pretends"],
)
def test_what_cannot_be_graded_has_no_points_and_its_cause(source: str, told: str, tmp_path: Path) -> None:
    found = graded(handed_in(tmp_path, game_agent=source))
    assert found["score"] == 0
    assert told in json.dumps(found["tests"])


@pytest.mark.parametrize(
    ("files", "told"),
    [({}, "There is nothing to grade"), ({"one": "a = 1", "two": "a = 2"}, "2 others")],
    ids=["nothing", "two files"],
)
def test_a_submission_that_is_none_is_told_so(files: dict[str, str], told: str, tmp_path: Path) -> None:
    (tmp_path / "submission").mkdir()
    found = graded(handed_in(tmp_path, **files))
    assert told in found["output"]
    assert found["score"] == 0


def test_a_mistake_of_ours_is_called_ours(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    written: list[dict[str, Any]] = []
    with redirect_stderr(io.StringIO()) as told:
        container.grade_into(container.Places.of(tmp_path), time.time(), written.append)
    assert written[-1]["output"] == container.OURS
    assert "settings.json" in told.getvalue()


@pytest.mark.skipif(sys.platform != "linux", reason="Gradescope's containers are Linux")
def test_results_are_valid_at_every_moment(wheels: Path, tmp_path: Path) -> None:
    bundle(tmp_path / "out.zip", wheels, QUICK)
    root = unpacked(tmp_path / "out.zip", tmp_path / "autograder", {"game_agent.py": TERRITORY})
    python = root / "source" / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    file, states, is_over = root / "results" / "results.json", list[str](), threading.Event()

    def look() -> None:
        while not is_over.is_set():
            # It is not there before the script begins; from then on it is, and whole.
            if file.exists() or states:
                states.append(file.read_text("utf-8"))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        environment = {**os.environ, "AUTOGRADER": str(root)}
        done = subprocess.run(
            ["bash", root / "run_autograder"],
            env=environment,
            timeout=LONGEST,
            capture_output=True,
            check=False,
        )
    finally:
        is_over.set()
        looking.join()
    assert done.returncode == 0, done.stderr
    for each in dict.fromkeys(states):
        require_gradescopes_form(json.loads(each))
    assert "has not come to a result" in states[0]
    assert json.loads(file.read_text("utf-8"))["extra_data"]["complete"] is True
    assert [each.name for each in file.parent.iterdir()] == ["results.json"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="Gradescope's containers are Linux")
def test_the_real_wheels_are_installed_without_network_and_grade(tmp_path: Path) -> None:
    dist = tmp_path / "dist"
    build = [sys.executable, "-m", "maturin", "build", "--release", "--strip", "--compatibility", "linux"]
    for command, folder in (
        ([*build, "--out", str(dist), "--interpreter", sys.executable], ROOT),
        (
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "--directory", str(dist)],
            ROOT / "grader",
        ),
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    needed = ["jinja2", "platformdirs", "tabulate", "tqdm", "tomli; python_version < '3.11'"]
    download = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--only-binary",
        ":all:",
        "--dest",
        str(dist),
    ]
    if subprocess.run([*download, *needed], capture_output=True, check=False).returncode != 0:
        pytest.skip("what the wheels need cannot be fetched")
    bundle(tmp_path / "out.zip", dist, QUICK, packages=())
    root = unpacked(tmp_path / "out.zip", tmp_path / "autograder", {"game_agent.py": TERRITORY})
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "AUTOGRADER": str(root),
        "PYTHON": sys.executable,
    }
    offline = ["unshare", "--net"] if os.geteuid() == 0 else []
    for script in (root / "source" / "setup.sh", root / "run_autograder"):
        done = subprocess.run(
            [*offline, "bash", script],
            env=environment,
            cwd="/",
            timeout=LONGEST,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    found = json.loads((root / "results" / "results.json").read_text("utf-8"))
    require_gradescopes_form(found)
    assert found["extra_data"]["complete"] is True

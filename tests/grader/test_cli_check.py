"""`isolation-grade check`: its options, what goes where, and how it ends."""

from __future__ import annotations

import argparse
import io
import json
import re
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from report_examples import example_report

from isolation_fast.output import Parser
from isolation_fast.tournament import ROSTERS
from isolation_grader.cli import check, main
from isolation_grader.cli.check import Files, WrittenForm, written_form
from isolation_grader.exceptions import MEANINGS, ExitStatus
from isolation_grader.report import Report
from isolation_grader.showing import shown
from isolation_grader.showing.repeating import Repeat

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "game_agent.py"
ALONE = ROOT / "examples" / "territory_agent.py"
LONGEST = 300
# Depth 1 of a game or two: the baseline and a test of ten blocks take some seconds.
QUICK = ("--budget", "work=20", "--blocks", "10", "--seed", "0")
# Each opponent is a process in the jail, and seven say no more than two about statuses and forms.
FEW = ("Random", "AB_Open")
AGAINST_FEW = (*QUICK, "--roster", "few")
IMPROVED = """
def custom_score(game, player):
    own = len(game.get_legal_moves(player))
    return float(own - len(game.get_legal_moves(game.get_opponent(player))))
"""
WORST = """
def custom_score(game, player):
    own = len(game.get_legal_moves(player))
    return float(len(game.get_legal_moves(game.get_opponent(player))) - own)
"""
RAISES = """
def custom_score(game, player):
    return 1 / 0
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Baselines, of all tests here."""
    return tmp_path_factory.mktemp("store")


IN_THE_JAIL = ("--nan", "refuse", "--budget", "nodes=60")
"""Nothing is counted, and games are the same each time."""


class Graded(NamedTuple):
    """How the command ended and what it printed."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture(autouse=True)
def few_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROSTERS, "few", FEW)


def grade(store: Path, *arguments: object) -> Graded:
    """What the command prints, in this process, whose jailed ones serve all tests."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(["check", *map(str, arguments), "--store", str(store)])
    return Graded(status, out.getvalue(), err.getvalue())


def written(folder: Path, text: str) -> Path:
    """In a folder of its own, below which nothing may be written."""
    file = folder / "submission" / "game_agent.py"
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    return file


def parsed(*words: object) -> argparse.Namespace:
    parser = Parser(prog="isolation-grade")
    check.add_to(parser.add_subparsers())
    return parser.parse_args(["check", *map(str, words)])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.py"], "there is no such file"),
        ([EXAMPLE, "--budget", "many"], "many"),
        ([EXAMPLE, "--budget", "nodes=-5"], "nodes must be an integer of at least 1, not -5"),
        ([EXAMPLE, "--budget", "work=0"], "work must be an integer of at least 1"),
        ([EXAMPLE, "--heuristics", "custom_scor"], "did you mean 'custom_score'?"),
        ([EXAMPLE, "--heuristics", "MinimaxPlayer"], "MinimaxPlayer is a player: --players grades players"),
        ([EXAMPLE, "--roster", "late"], "invalid choice: 'late'"),
        ([EXAMPLE, "--points", "0"], "points must be a number of at least 0.1 and below 100, not 0.0"),
        ([EXAMPLE, "--alpha", "1"], "alpha must be"),
        ([EXAMPLE, "--alpha", "nan"], "alpha must be"),
        ([EXAMPLE, "--beta", "0.99"], "alpha and beta must be below 1 together"),
        ([EXAMPLE, "--blocks", "1"], "blocks must be an integer from 10 to 1,000,000, not 1"),
        ([EXAMPLE, "--budget", "work=50,cost=2"], "a budget has no cost here"),
        ([EXAMPLE, "--workers", "0"], "--workers must be an integer of at least 1, not 0"),
        (
            [EXAMPLE, "--total-wall", "nan"],
            "--total-wall must be a number above 0 and at most 2,592,000.0, not nan",
        ),
        ([EXAMPLE, "--resume"], "--resume goes with --journal FOLDER"),
        ([EXAMPLE, "--memory", "1"], "memory in MiB must be an integer from 256 to 1,048,576, not 1"),
        ([EXAMPLE, "--write", "report.html"], "it must be FORMAT=FILE, such as gradescope=results.json"),
        ([EXAMPLE, "--write", "html="], "it must be FORMAT=FILE, such as gradescope=results.json"),
        ([EXAMPLE, "--write", "htm=report.html"], "did you mean 'html'?"),
        ([EXAMPLE, "--write", f"html={EXAMPLE}"], "lies in the folder of the submission"),
        ([ALONE, "--write", f"html={ALONE}"], "--write names the file of a player"),
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
        ([EXAMPLE, "--worker", "2"], "unrecognized arguments: --worker 2, did you mean --workers?"),
        ([EXAMPLE, "--budgt=course"], "did you mean --budget?"),
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


@pytest.mark.parametrize(
    ("text", "asked", "verdict", "status"),
    [
        (ALONE.read_text(), ("--budget", "nodes=30", "--blocks", "40", "--roster", "classic"), "better", 0),
        (IMPROVED, ("--points", "20"), "not better", 1),
        (RAISES, (), "not graded", 3),
        ("def custom_score(game, player):\n    raise NotImplementedError\n", (), "not graded", 3),
        ("raise ValueError('no')\n", (), "not graded", 3),
        ("x = 1\n", (), "not graded", 3),
    ],
    ids=["better", "not better", "raises", "template", "does not load", "empty"],
)
def test_the_status_is_the_verdict_and_every_form_has_it(
    tmp_path: Path, store: Path, text: str, asked: tuple[str, ...], verdict: str, status: int
) -> None:
    results = tmp_path / "results.json"
    options = (*AGAINST_FEW, *asked, "--write", f"gradescope={results}", "--json")
    done = grade(store, written(tmp_path, text), *options)
    assert done.returncode == status, done.stderr
    document = json.loads(done.stdout)
    assert (document["verdict"], document["status"], document["complete"]) == (verdict, status, True)
    data = json.loads(results.read_text(encoding="utf-8"))["extra_data"]
    assert (data["verdict"], data["status"], data["digest"]) == (verdict, status, document["digest"])


def test_undecided_ends_with_4(tmp_path: Path, store: Path) -> None:
    file = written(tmp_path, IMPROVED)
    done = grade(store, file, *AGAINST_FEW, "--alpha", "1e-9", "--beta", "1e-9")
    assert done.returncode == 4, done.stderr
    assert "submission: undecided" in done.stdout


def test_the_same_bytes_with_other_workers_and_times_elsewhere(tmp_path: Path, store: Path) -> None:
    folder = tmp_path
    file, times = written(folder, WORST), tmp_path / "times.json"
    arguments = (file, *AGAINST_FEW, *IN_THE_JAIL, "--json")
    one = grade(store, *arguments, "--workers", "1", "--timings", times)
    two = grade(store, *arguments, "--workers", "2")
    assert one.stdout == two.stdout
    assert "seconds" not in one.stdout
    timings = json.loads(times.read_text(encoding="utf-8"))
    assert [each["name"] for each in timings["members"]] == ["custom_score"]
    assert 0 < timings["members"][0]["playing"] <= timings["seconds"]
    assert "custom_score: " in one.stderr
    assert "processor time" in one.stderr


def test_the_command_of_a_failure_gives_the_same_games(tmp_path: Path, store: Path) -> None:
    file = written(tmp_path, WORST + RAISES.replace("custom_score", "custom_score_2"))
    done = grade(store, file, *QUICK, *IN_THE_JAIL)
    assert done.returncode == 1
    first = next(each for each in done.stdout.splitlines() if ": custom_score: " in each)
    command = first.partition("; repeat: isolation-grade ")[2]
    script = f"exec {sys.executable} -m isolation_grader {command} --json"
    again = subprocess.run(["bash", "-c", script], capture_output=True, timeout=LONGEST, check=False)
    assert again.returncode == 1
    before = json.loads(grade(store, file, *QUICK, *IN_THE_JAIL, "--json").stdout)["graded"][0]
    after = json.loads(again.stdout)["graded"][0]
    assert before == after


SLOW = """
def custom_score(game, player):
    for _ in range(100_000):
        pass
    return 0.0
"""
INTERRUPTIBLE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from isolation_grader.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_drawn_seed_is_told_to_staff_and_kept_from_students(tmp_path: Path, store: Path) -> None:
    file, page = written(tmp_path, "x = 1\n"), tmp_path / "report.html"
    options = ("--secret", "--format", "markdown", "--write", f"html={page}", "--name", "Ada L.")
    done = grade(store, file, *options)
    told = re.search(r"^isolation-grade: seed (\d+)$", done.stderr, re.MULTILINE)
    assert told is not None, done.stderr
    for text in (done.stdout, page.read_text(encoding="utf-8")):
        assert "Ada L." in text
        assert "secret" in text
        assert told[1] not in text
    again = grade(store, file, "--seed", told[1], "--json")
    assert json.loads(again.stdout)["seed"] == int(told[1])
    assert "isolation-grade: seed" not in again.stderr


@pytest.mark.parametrize(("seed", "is_small"), [("1", True), ("-7", True), (str(1 << 52), False)])
def test_a_small_seed_is_no_secret(seed: str, is_small: bool, tmp_path: Path, store: Path) -> None:
    file = written(tmp_path, "x = 1\n")
    done = grade(store, file, "--secret", "--seed", seed)
    assert (f"isolation-grade: --seed {seed} is too small to be a secret" in done.stderr) is is_small
    hints = re.findall(r"^hint: --seed (\d+), which was drawn just now$", done.stderr, re.MULTILINE)
    assert len(hints) == is_small
    openly = grade(store, file, "--seed", seed)
    assert "secret" not in openly.stderr


def has_content(file: Path) -> bool:
    """Whether a file is written: whether it can be is tried before by one that is empty and goes again."""
    try:
        return file.stat().st_size > 0
    except FileNotFoundError:
        return False


def interrupted(program: str, words: list[str], *, once: Path) -> tuple[str, str]:
    """What a grading prints, on stdout and stderr, that is interrupted once a file is written."""
    command = [sys.executable, "-c", program, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        until = time.monotonic() + LONGEST
        while not has_content(once):
            assert time.monotonic() < until
            assert running.poll() is None, running.stderr and running.stderr.read()
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        stdout, stderr = running.communicate(timeout=LONGEST)
    assert running.returncode == 130, stderr
    return stdout, stderr


def test_an_interruption_ends_it_with_130_and_keeps_what_was_known(tmp_path: Path, store: Path) -> None:
    results = tmp_path / "results"
    results.mkdir()
    file, target = written(tmp_path, SLOW), results / "results.json"
    options = ("--store", store, "--write", f"gradescope={target}")
    words = [*map(str, ("check", file, *QUICK, *options))]
    stdout, stderr = interrupted(INTERRUPTIBLE, words, once=target)
    assert "this report is partial" in stdout, stderr
    assert "isolation-grade: interrupted: the report is what was known by then\nhint: " in stderr
    assert "the same command begins the same games again" in stderr
    found = json.loads(target.read_text(encoding="utf-8"))
    assert found["extra_data"]["complete"] is False
    assert "this report is partial" in found["output"]
    assert [*results.iterdir()] == [target]


def test_an_interruption_while_it_is_loaded_reports_what_is_known(tmp_path: Path, store: Path) -> None:
    loading = tmp_path / "loading"
    waits = f"print('loading', flush=True)\nimport time\ntime.sleep(3600)\n{WORST}"
    options = ("--load-cpu", "3600", "--store", store, "--json")
    words = [*map(str, ("check", written(tmp_path, waits), *QUICK, *options))]
    # Its file is copied first, so this is while it is loaded.
    told = INTERRUPTIBLE.replace(
        "from isolation_grader.cli",
        f"""
import pathlib
from isolation_fast.jail import JailedProcess
load = JailedProcess.load
def loading(*arguments, **options):
    pathlib.Path({str(loading)!r}).write_text('now')
    return load(*arguments, **options)
JailedProcess.load = loading
from isolation_grader.cli""",
    )
    stdout, stderr = interrupted(told, words, once=loading)
    document = json.loads(stdout)
    assert (document["submission"], document["complete"], document["graded"]) == ("submission", False, [])
    assert document["headline"] == "Nothing is graded yet."
    assert "isolation-grade: interrupted: the report is what was known by then\nhint: " in stderr
    assert "--journal FOLDER can be resumed" in stderr


def test_what_is_written_may_not_be_where_the_submission_reads_it(tmp_path: Path, store: Path) -> None:
    file = written(tmp_path, WORST)
    for option in (
        f"--write=markdown={file.parent / 'report.md'}",
        f"--timings={file.parent / 'times.json'}",
    ):
        done = grade(store, file, *QUICK, option)
        assert done.returncode == 2
        assert "lies in the folder of the submission" in done.stderr
    assert [*file.parent.iterdir()] == [file]

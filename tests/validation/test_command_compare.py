"""`python -m validation` as it is typed: tables and documents, exit status, interruption, `make corpus`."""

import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from isolation_fast import jail
from validation.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
SUBMISSIONS = ROOT / "tests" / "submissions" / "comparison"
Write = Callable[..., Path]
QUICK = ("--positions", "5", "--games", "1")
MISCOUNTING = """
right = Board.get_legal_moves
Board.get_legal_moves = lambda self, player=None: right(self, player)[1:]
"""


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "validation", *map(str, arguments)]


def compare(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments, *QUICK), capture_output=True, text=True, check=False, timeout=120, cwd=ROOT
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("asking_the_player", "broken", "half_a_template"):
        shutil.copytree(SUBMISSIONS / name, tmp_path / "all" / name)
    return tmp_path / "all"


def test_a_table_has_a_line_for_each_thing_and_problems_last(folder: Path, write_checkout: Write) -> None:
    done = compare(folder, "--classic", write_checkout())
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["submission", "what", "verdict", "detail"]
    assert [line[:4] for line in lines[2:]][:6] == [
        ["asking_the_player", "custom_score", "same", "values"],
        ["asking_the_player", "OwnPlayer", "same", "games"],
        ["half_a_template", "custom_score", "same", "values"],
        ["half_a_template", "MinimaxPlayer", "same", "games"],
        ["half_a_template", "custom_score_2", "template"],
        ["broken", "not", "compared", "game_agent.py:1:"],
    ]
    assert done.stdout.splitlines()[-1] == (
        "2 submissions compared, 1 not compared, 2 heuristics (2 same values), 2 players (2 same games): "
        "nothing differs"
    )


def test_a_log_has_a_line_for_each_finished_submission(folder: Path, write_checkout: Write) -> None:
    (folder / "notes").mkdir()
    done = compare(folder, "--classic", write_checkout(), "--workers", 1)
    assert "isolation-fast: no game_agent.py in 1 of the sub-folders: notes" in done.stderr.splitlines()
    lines = [line for line in done.stderr.splitlines() if line.startswith("[")]
    assert lines[0] == "[1/3] asking_the_player: 1 same values, 1 same games"
    assert lines[1].startswith("[2/3] broken: game_agent.py:1: ")
    assert len(lines) == 3


def test_a_difference_is_drawn_and_is_the_exit_status(write_checkout: Write) -> None:
    done = compare(SUBMISSIONS / "asking_the_player", "--classic", write_checkout(added=MISCOUNTING))
    assert done.returncode == 1
    assert "asking_the_player, custom_score: differs first here, for player 1" in done.stdout
    assert "  classic: 174.0\n  ours:    174.5\n  7x7 7/7/7/7/7/7/7 - - 1\n" in done.stdout
    assert "  6  |   |   |   |   |   |   |   |" in done.stdout
    assert done.stdout.rstrip().endswith("something differs")


def test_where_nothing_could_be_compared_nothing_is_called_equal(
    tmp_path: Path, write_checkout: Write
) -> None:
    shutil.copytree(SUBMISSIONS / "broken", tmp_path / "all" / "broken")
    done = compare(tmp_path / "all", "--classic", write_checkout())
    assert done.returncode == 2
    assert "isolation-fast: error: nothing was compared" in done.stderr
    assert "broken" in done.stdout


def test_json_is_the_same_bytes_for_every_number_of_workers(folder: Path, write_checkout: Write) -> None:
    checkout = write_checkout()
    one, three = (compare(folder, "--classic", checkout, "--json", "--workers", each) for each in (1, 3))
    assert one.stdout == three.stdout
    document = json.loads(one.stdout)
    assert (document["version"], document["differs"]) == (1, False)
    assert document["options"]["checkouts"] == ["classic"]
    assert [each["name"] for each in document["submissions"]] == sorted(
        path.name for path in folder.iterdir()
    )
    assert str(folder.parent) not in one.stdout
    assert one.stderr.splitlines()[-1].endswith("nothing differs")


def test_csv_has_a_row_for_each_thing_and_nothing_else(folder: Path, write_checkout: Write) -> None:
    done = compare(folder, "--classic", write_checkout(), "--csv")
    rows = list(csv.reader(io.StringIO(done.stdout)))
    assert len(rows) == 7
    assert rows[1] == ["asking_the_player", "custom_score", "same values", "10 calls"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([SUBMISSIONS], "--classic"),
        (["nowhere", "--classic", "{classic}"], "'nowhere' does not exist"),
        ([ROOT / "docs", "--classic", "{classic}"], "no submission in"),
        ([SUBMISSIONS, "--classic", "nowhere"], "the classic checkout 'nowhere' is no folder"),
        ([SUBMISSIONS, "--classic", ROOT / "docs"], "has no isolation/__init__.py"),
        ([SUBMISSIONS, "--classic", "{classic}", "--workers", "0"], "workers must be at least 1, not 0"),
        ([SUBMISSIONS, "--classic", "{classic}", "--seconds", "soon"], "soon"),
        (
            [SUBMISSIONS, "--classic", "{classic}", "--seconds", "1e10"],
            "at most 10,000,000, not 10000000000.0",
        ),
        ([SUBMISSIONS, "--classic", "{classic}", "--memory", 2**50], "memory must be at most"),
        ([SUBMISSIONS, "--classic", "{classic}", "--resume", ROOT], "cannot be used to resume"),
        ([SUBMISSIONS, "--classic", "{classic}", "--format", "jsno"], "did you mean 'json'?"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(
    arguments: list[object], message: str, write_checkout: Write
) -> None:
    checkout = write_checkout()
    done = compare(*(checkout if each == "{classic}" else each for each in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    errors = [line for line in done.stderr.splitlines() if line.startswith("isolation-fast: error: ")]
    assert len(errors) == 1
    assert message in errors[0]
    assert not errors[0].endswith(".")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("form", ["simple", "json"])
def test_where_nothing_can_be_written_a_line_says_so(form: str, write_checkout: Write) -> None:
    arguments = command(SUBMISSIONS / "broken", "--classic", write_checkout(), "--format", form)
    # As with a full disk, writing fails; and it does so on every system.
    with Path(os.devnull).open() as unwritable:
        done = subprocess.run(
            arguments,
            stdout=unwritable,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
            cwd=ROOT,
        )
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last == "isolation-fast: error: the output cannot be written: Bad file descriptor"
    assert "Traceback" not in done.stderr


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def has_ended(process: int) -> bool:
    try:
        os.kill(process, 0)
        # One that nobody waited for is there, and has ended.
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_interruption_ends_every_process_at_once_and_keeps_what_is_finished(
    number: signal.Signals, status: int, tmp_path: Path, write_checkout: Write
) -> None:
    shutil.copytree(SUBMISSIONS / "asking_the_player", tmp_path / "all" / "ann")
    (tmp_path / "all" / "hanging").mkdir()
    noted, temporary, kept = tmp_path / "pid.txt", tmp_path / "temporary", tmp_path / "kept.jsonl"
    temporary.mkdir()
    hanging = f"import os, time\nopen({str(noted)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)\n"
    (tmp_path / "all" / "hanging" / "game_agent.py").write_text(hanging)
    options = "--resume", kept, "--workers", "1", "--no-jail", *QUICK  # in the jail it could note nothing
    arguments = tmp_path / "all", "--classic", write_checkout(), *options
    with subprocess.Popen(
        command(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
        cwd=ROOT,
        # Whoever started the tests may have them ignore it, and a new process inherits that.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    ) as process:
        wait_for(lambda: noted.exists() and noted.read_text() != "")
        process.send_signal(number)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == status
    wait_for(lambda: has_ended(int(noted.read_text())))
    assert list(temporary.iterdir()) == []
    assert len(kept.read_text().splitlines()) == 1
    if number == signal.SIGINT:
        assert "interrupted with 1 of 2 submissions finished" in stderr
        assert f"hint: they are kept in {kept}" in stderr
        assert "Traceback" not in stderr


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ([], "which submissions? make corpus CORPUS=folder CLASSIC='checkout ...'"),
        (["CORPUS=x"], "compared with what? make corpus CORPUS=folder CLASSIC='checkout ...'"),
        (["CLASSIC=x"], "which submissions? make corpus CORPUS=folder CLASSIC='checkout ...'"),
    ],
)
def test_make_corpus_says_what_is_missing(variables: list[str], message: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("CORPUS", "CLASSIC")}
    made = subprocess.run(
        ["make", "--no-print-directory", "-C", str(ROOT), "corpus", *variables],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=environment,
    )
    assert made.returncode != 0
    assert made.stderr.splitlines()[0] == message


def test_without_the_jail_the_output_says_so(write_checkout: Write) -> None:
    arguments = (SUBMISSIONS / "asking_the_player", "--classic", write_checkout(), "--no-jail")
    table, document = compare(*arguments), compare(*arguments, "--json")
    assert table.stdout.splitlines()[-2] == "jail: none"
    assert json.loads(document.stdout)["jail"] == "none"


def test_where_a_sandbox_is_required_less_is_a_status_of_its_own(
    write_checkout: Write, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(SUBMISSIONS / "asking_the_player"), "--classic", str(write_checkout()), *QUICK]
    status = 0 if jail.available().name == "full" else 6
    assert main([*arguments, "--require-sandbox"]) == status
    monkeypatch.setattr("validation.__main__.available", lambda: jail.Level(("files",), ("system calls",)))
    capsys.readouterr()
    assert main([*arguments, "--require-sandbox"]) == 6
    printed = capsys.readouterr()
    assert printed.out == ""
    told = "isolation-fast: error: --require-sandbox: not all of the jail is enforced: system calls missing\n"
    assert printed.err == told


def test_a_jail_is_either_required_or_not_wanted(write_checkout: Write) -> None:
    done = compare(SUBMISSIONS, "--classic", write_checkout(), "--no-jail", "--require-sandbox")
    assert done.returncode == 2
    assert "--require-sandbox is about the jail, and --no-jail does without it" in done.stderr

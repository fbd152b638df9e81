"""Grading a class: the same files for any workers and after any interruption, and nobody stops the rest."""

from __future__ import annotations

import csv
import json
import os
import signal
import struct
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from class_scene import (
    PLAIN,
    SECRET,
    UNREADABLE,
    WORDS,
    WORST,
    ended,
    files_of,
    grade,
    quickly,
    write_class,
)

from isolation_fast.jail import Limits
from isolation_grader.classes import Asked, ClassRun, Step, apart
from isolation_grader.cli import main
from isolation_grader.exceptions import MEANINGS, ExitStatus, UsageError

LONGEST = 600
"""Seconds; a backstop, on a machine that does much else."""
BAD = {"eve.py": UNREADABLE, "mallory.py": UNREADABLE + "# another\n"}
"""Of which nothing is played."""


def run(folder: Path, out: Path, asked: Asked | None = None, **options: Any) -> list[Step]:
    steps: list[Step] = []
    with ClassRun(folder, out, asked or quickly(), seed=SECRET, **options) as running:
        running.grade(steps.append)
        running.write()
    return [step for step in steps if step.last is not None]


@pytest.fixture
def few(tmp_path: Path) -> Path:
    return write_class(tmp_path / "class", BAD)


def killed_after(lines: int, *words: object) -> str:
    """What the command says until it has said so much of submissions, and is killed with no warning."""
    command = [sys.executable, "-m", "isolation_grader", "class", *map(str, words)]
    said = ""
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        assert process.stderr is not None
        backstop = iter(range(100))
        for line in process.stderr:
            said += line
            if (
                " of " in line
                and ": " in line
                and sum(" of 7: " in each for each in said.splitlines()) >= lines
            ):
                break
            assert next(backstop, None) is not None
        process.kill()
        process.wait(timeout=LONGEST)
    return said


def test_the_files_do_not_depend_on_the_workers_nor_on_being_killed(tmp_path: Path) -> None:
    submissions = {"ada.py": PLAIN, "bob/game_agent.py": WORST, "carl.py": PLAIN + "\n# his own\n"}
    folder = write_class(tmp_path / "class", submissions, "exits_at_import", "raises_much", "kills_itself")
    with zipfile.ZipFile(folder / "zed.zip", "w") as archive:
        archive.writestr("../game_agent.py", PLAIN)
    whole = grade(folder, "--out", tmp_path / "whole", *WORDS, "--workers", 1)
    assert whole.status == ExitStatus.GOOD, whole.stderr
    again = (folder, "--out", tmp_path / "again", *WORDS, "--workers", 2)
    killed_after(1, *again)
    killed_after(2, *again, "--resume")
    goes_on = grade(*again, "--resume")
    assert goes_on.status == ExitStatus.GOOD, goes_on.stderr
    assert "of them finished" in goes_on.stderr
    assert files_of(tmp_path / "again") == files_of(tmp_path / "whole")
    assert goes_on.stdout.replace("again", "whole") == whole.stdout
    grades = list(csv.DictReader((tmp_path / "whole" / "grades.csv").read_text().splitlines()))
    assert {row["key"]: row["verdict"] for row in grades} == {
        "ada": "undecided",
        "bob": "not better",
        "carl": "undecided",
        "exits-at-import": "not graded",
        "kills-itself": "not graded",
        "raises-much": "not graded",
        "zed": "not graded",
    }
    assert "leads out of its folder" in grades[-1]["why"]


def test_students_are_not_told_the_seed(tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada.py": PLAIN})
    run(folder, tmp_path / "results")
    told = [path for path in (tmp_path / "results").rglob("*") if path.is_file()]
    with_seed = {
        path.relative_to(tmp_path / "results").as_posix() for path in told if str(SECRET) in path.read_text()
    }
    assert with_seed == {
        "index.html",
        "staff/ada.html",
        "staff/ada.json",
        "staff/ada.txt",
        "state/journal.jsonl",
    }
    assert "lost_games" in json.loads((tmp_path / "results/students/ada.json").read_text())["graded"][0]


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let gradings run another program."""

    def replaced(source: str) -> None:
        monkeypatch.setattr(apart, "PROGRAM", source)

    return replaced


def test_a_grading_whose_process_ends_is_tried_again_and_stops_nobody(
    few: Path, tmp_path: Path, program: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    count = tmp_path / "count"
    with monkeypatch.context() as patched:
        noted = f"open({str(count)!r}, 'a').write('x')"
        ending = f"{noted}; import os; os.write(2, b'no memory'); os.kill(os.getpid(), 9)"
        patched.setattr(apart, "PROGRAM", ending)
        found = grade(few, "--out", tmp_path / "results", *WORDS)
    assert found.status == ExitStatus.GRADER_FAILED
    assert len(count.read_text()) == 2 * len(BAD)
    report = json.loads((tmp_path / "results/staff/eve.json").read_text())
    assert report["problem"]["cause"] == "grader failed"
    assert report["problem"]["reason"] == "its process ended: its process was ended by SIGKILL: no memory"
    goes_on = grade(few, "--out", tmp_path / "results", *WORDS, "--resume")
    assert goes_on.status == ExitStatus.GOOD
    report = json.loads((tmp_path / "results/staff/eve.json").read_text())
    assert report["problem"]["cause"] == "syntax"


ON_ITS_SECOND = """
from isolation_grader.classes import jobs
calls, grade_by, started = [], jobs.grade_by, open({count!r}, "a").write("x")
def graded_by(*given, **named):
    calls.append(1)
    if len(calls) == 2:
        {ending}
    return grade_by(*given, **named)
jobs.grade_by = graded_by
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each grading has a process")
@pytest.mark.parametrize(
    ("ending", "processes"),
    [("pass", 1), ("import os; os._exit(3)", 4), ("raise MemoryError", 4)],
    ids=["goes on", "ends", "is full"],
)
def test_what_gradings_leave_in_a_process_is_no_fault_of_the_next_one(
    ending: str, processes: int, tmp_path: Path, program: Callable[[str], None]
) -> None:
    folder = write_class(
        tmp_path / "class", {f"{name}.py": UNREADABLE for name in ("ada", "bob", "eve", "moe")}
    )
    count = tmp_path / "count"
    program(ON_ITS_SECOND.format(count=str(count), ending=ending) + apart.PROGRAM)
    steps = run(folder, tmp_path / "results", workers=1)
    assert [step.last.has_failed for step in steps if step.last] == [False] * 4
    assert len(count.read_text()) == processes


def test_a_grading_that_never_ends_is_ended(
    few: Path, tmp_path: Path, program: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "GRACE", 0.0)
    program("import time; time.sleep(1000)")
    steps = run(few, tmp_path / "results", quickly(total_wall=0.2))
    assert [step.last.has_failed for step in steps if step.last] == [True, True]
    assert "did not answer within 0.2 s" in (tmp_path / "results/grades.csv").read_text()


def test_any_executor_grades_a_class(few: Path, tmp_path: Path) -> None:
    run(few, tmp_path / "here")
    with ThreadPoolExecutor(2) as pool:
        steps = run(few, tmp_path / "there", executor=pool)
    assert [(step.done, step.failed) for step in steps] == [(1, 1), (2, 2)]
    assert files_of(tmp_path / "here") == files_of(tmp_path / "there")


def test_what_has_changed_or_was_removed_is_graded_again(few: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    run(few, out)
    assert run(few, out, resume=True) == []
    (few / "eve.py").write_text("import nothing_of_that_name\n")
    (few / "mallory.py").unlink()
    (few / "newcomer.py").write_text(UNREADABLE)
    steps = run(few, out, resume=True, remove_missing=True)
    assert {step.last.key for step in steps if step.last} == {"eve", "newcomer"}
    assert sorted(each.name for each in (out / "staff").iterdir() if each.suffix == ".json") == [
        "eve.json",
        "newcomer.json",
    ]
    (out / "staff/eve.html").write_text("forged")
    assert [step.last.key for step in run(few, out, resume=True) if step.last] == ["eve"]


def test_what_is_never_loaded_is_told_that_it_was_loading(tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"loop.py": "while True: pass\n" + PLAIN})
    run(folder, tmp_path / "results", quickly(limits=Limits(load_cpu=1.0, wall_factor=600)))
    problem = json.loads((tmp_path / "results/staff/loop.json").read_text())["problem"]
    assert problem["reason"].endswith("s of CPU time (1 s are allowed), while it was loaded")
    assert problem["help"].startswith("do less while the file is imported")
    assert "SHA-256 of what was graded" not in (tmp_path / "results/students/loop.html").read_text()


def test_ctrl_c_keeps_what_is_finished(few: Path, tmp_path: Path) -> None:
    def interrupt(step: Step) -> None:
        if step.last is not None:
            os.kill(os.getpid(), signal.SIGINT)

    with ClassRun(few, tmp_path / "results", quickly(), seed=SECRET, workers=1) as running:
        with pytest.raises(KeyboardInterrupt):
            running.grade(interrupt)
        assert len(running.waiting) == 1
    for words in (
        ("rubric", "--check", tmp_path / "results/grades.csv"),
        ("leaderboard", tmp_path / "results"),
    ):
        unfinished = ended(*words)
        assert (unfinished.status, "is not finished: " in unfinished.stderr) == (ExitStatus.USAGE, True)
        assert "--resume goes on with it" in unfinished.stderr
    assert len(run(few, tmp_path / "results", resume=True)) == 1


def test_results_are_of_one_class(few: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    run(few, out)
    with pytest.raises(UsageError, match="there is a graded class already"):
        run(few, out)
    with pytest.raises(UsageError, match=r"with another nan: course there, and refuse here"):
        run(few, out, quickly(nan="refuse"), resume=True)
    with pytest.raises(UsageError, match=f"with another seed: {SECRET} there, and 7 here"):
        ClassRun(few, out, quickly(), seed=7, resume=True)
    with ClassRun(few, out, quickly(), resume=True) as running:
        assert running.seed == SECRET
    (out / "state/journal.jsonl").write_text('{"schema":"isolation-fast/journal/1"}\n')
    with pytest.raises(UsageError, match="no journal of a class"):
        run(few, out, resume=True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["{class}", "--out", "{class}/results"], "lies in the folder of the submissions"),
        (["nowhere", "--out", "{tmp}/r"], "there is no such folder or zip: nowhere"),
        (["{class}/eve.py", "--out", "{tmp}/r"], "eve.py is neither a folder nor a zip"),
        (["{class}", "--out", "{tmp}/r", "--layout", "canvs"], "did you mean 'canvas'"),
        (["{class}", "--out", "{tmp}/r", "--blocks", "1"], "blocks must be an integer from 10"),
        (
            ["{class}", "--out", "{tmp}/r", "--workers", "0"],
            "workers must be an integer of at least 1, not 0",
        ),
        (["{class}", "--out", "{tmp}/r", "--total-wall", "0"], "--total-wall must be a number above 0"),
        (["{class}", "--out", "{tmp}/r", "--seed", "-1"], "seed must be an integer of at least 0, not -1"),
        (["{class}", "--out", "{tmp}/r", "--budget", "many"], "many"),
        (
            ["{class}", "--out", "{tmp}/r", "--rubric", "nowhere.toml"],
            "the rubric cannot be read: nowhere.toml",
        ),
        (
            ["{class}", "--out", "{tmp}/r", "--roster", "nowhere.csv"],
            "the roster cannot be read: nowhere.csv",
        ),
        (["{class}"], "--out"),
    ],
)
def test_bad_usage_is_told_before_anything_is_graded(
    words: list[str], told: str, few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [each.replace("{class}", str(few)).replace("{tmp}", str(tmp_path)) for each in words]
    try:
        status = main(["class", *given])
    except SystemExit as exited:
        status = int(str(exited.code))
    assert status == ExitStatus.USAGE
    assert told in capsys.readouterr().err
    # What has not begun leaves no folder that the next one would find results in.
    assert not (tmp_path / "r").exists()


def test_two_runs_do_not_share_results(few: Path, tmp_path: Path) -> None:
    with (
        ClassRun(few, tmp_path / "results", quickly(), seed=SECRET),
        pytest.raises(UsageError, match="another run grades this class") as refused,
    ):
        ClassRun(few, tmp_path / "results", quickly(), seed=SECRET, resume=True)
    assert refused.value.hint == "wait for its end"


def children_of(process: int) -> set[int]:
    # Of each thread: those that start gradings are not the first one.
    listed = Path(f"/proc/{process}/task").glob("*/children")
    with suppress(OSError):  # one has ended meanwhile
        return {int(each) for file in listed for each in file.read_text().split()}
    return set()


def runs(process: int) -> bool:
    """Whether it is there and has not ended: who inherits it may let it lie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="it looks at /proc")
def test_gradings_end_with_the_class_even_if_that_is_killed(tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {}, "loops_in_python", "sleeps")
    command = [
        sys.executable,
        "-m",
        "isolation_grader",
        "class",
        folder,
        "--out",
        tmp_path / "results",
        *WORDS,
    ]
    with subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL) as process:
        started: set[int] = set()
        backstop = time.monotonic() + LONGEST
        while not started:
            # Its gradings, and what forks the jailed processes of each.
            gradings = children_of(process.pid)
            below = {each for grading in gradings for each in children_of(grading)}
            started = gradings | below if below else set()
            assert time.monotonic() < backstop
            time.sleep(0.05)
        process.kill()
    while any(map(runs, started)):
        assert time.monotonic() < backstop
        time.sleep(0.05)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="it needs a terminal")
def test_a_terminal_shows_how_many_are_done_run_and_failed(few: Path, tmp_path: Path) -> None:
    import fcntl
    import termios

    ours, theirs = os.openpty()
    # 24 lines of 120 columns: one without a size shows nothing.
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 120, 0, 0))
    words = (few, "--out", tmp_path / "results", *WORDS)
    command = [sys.executable, "-m", "isolation_grader", "class", *map(str, words)]
    with subprocess.Popen(command, stderr=theirs, stdout=subprocess.DEVNULL) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # the other end is closed
            while part := os.read(ours, 4096):
                shown += part
    os.close(ours)
    assert process.returncode == ExitStatus.GOOD
    assert "2 running, 0 not graded" in shown.decode()
    assert "2/2" in shown.decode()
    assert "1 of 2: " not in shown.decode()


def test_each_submission_has_a_line_where_there_is_no_terminal(few: Path, tmp_path: Path) -> None:
    (few / "notes.txt").write_text("")
    (tmp_path / "roster.csv").write_text("Name,Email\neve,eve@example.org\nlana,lana@example.org\n")
    found = grade(
        few, "--out", tmp_path / "results", *WORDS, "--workers", 1, "--roster", tmp_path / "roster.csv"
    )
    first, *lines = found.stderr.splitlines()
    assert first == "isolation-grade: 2 submissions, layout plain"
    assert lines[0].startswith("isolation-grade: no submission: notes.txt: ")
    assert lines[1] == "isolation-grade: nothing handed in: lana"
    assert [line.partition(": ")[2][:15] for line in lines[2:]] == ["1 of 2: eve: no", "2 of 2: mallory"]
    assert set(MEANINGS["class"]) >= {ExitStatus.GOOD, ExitStatus.INTERRUPTED, ExitStatus.GRADER_FAILED}

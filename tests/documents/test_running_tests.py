"""Tests can be run in any company: some folders, from anywhere, under `nohup`."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
# Other people's code, which only tests run.
SUBMISSIONS = TESTS / "submissions", TESTS / "grader" / "hostile"
WITH_CONFTEST = [
    str(file.parent)
    for file in sorted(TESTS.glob("*/**/conftest.py"), reverse=True)
    if not any(map(file.is_relative_to, SUBMISSIONS))
]


def pytest_of(
    *words: object, cwd: Path, first: Callable[[], object] | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, preexec_fn=first)


def copied_settings(folder: Path) -> None:
    """What holds for all tests, in a folder of other tests."""
    (folder / "tests" / "grader").mkdir(parents=True)
    for name in ("pyproject.toml", "tests/conftest.py"):
        shutil.copy(TESTS.parent / name, folder / name)


def test_all_folders_with_a_conftest_are_collected_together_from_anywhere(tmp_path: Path) -> None:
    assert len(WITH_CONFTEST) > 1
    done = pytest_of("--collect-only", *WITH_CONFTEST, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    for folder in WITH_CONFTEST:
        named = Path(folder).relative_to(TESTS.parent).as_posix()
        assert any(line.startswith(f"{named}/test_") for line in done.stdout.splitlines()), named


@pytest.mark.parametrize("order", ["first second", ". second", "second .", "second/test_it.py first"])
def test_folders_with_a_conftest_are_collected_in_any_order(order: str, tmp_path: Path) -> None:
    copied_settings(tmp_path)
    for name in ("first", "second"):
        (tmp_path / "tests" / name).mkdir()
        (tmp_path / "tests" / name / "conftest.py").write_text("")
        (tmp_path / "tests" / name / f"test_{name}.py").write_text("def test_nothing(): pass\n")
    (tmp_path / "tests/second/test_it.py").write_text("def test_nothing(): pass\n")
    done = pytest_of("--collect-only", *order.split(), cwd=tmp_path / "tests")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("folder", ["tests/submissions/odd", "tests/grader/hostile"])
def test_no_submission_is_imported_wherever_the_tests_are_run_from(folder: str, tmp_path: Path) -> None:
    # A harmless one in a copy of the tree: the real ones attack whoever imports them.
    copied_settings(tmp_path)
    submission = tmp_path / folder / "harmless" / "game_agent.py"
    submission.parent.mkdir(parents=True)
    submission.write_text(f"open({str(tmp_path / 'imported')!r}, 'w')\n")
    (tmp_path / "tests/grader/test_none.py").write_text("def test_nothing(): pass\n")
    done = pytest_of("--collect-only", tmp_path / "tests", cwd=tmp_path / "tests/grader")
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / "imported").exists()


HEARING = """
import os, signal, subprocess, sys
import pytest

SENDING = "import os, sys; os.kill(os.getpid(), int(sys.argv[1]))"

def test_ctrl_c_is_heard():
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)

@pytest.mark.parametrize("name", ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"])
def test_a_program_ends_by_it(name):
    number = getattr(signal, name)
    assert subprocess.run([sys.executable, "-c", SENDING, str(int(number))]).returncode == -number

def test_the_tests_outlive_their_terminal():
    os.kill(os.getpid(), signal.SIGHUP)
"""


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["here", "by workers"])
def test_signals_are_heard_in_tests_that_run_in_the_background(
    workers: tuple[str, ...], tmp_path: Path
) -> None:
    copied_settings(tmp_path)
    (tmp_path / "tests/test_hearing.py").write_text(HEARING)

    def in_the_background() -> None:
        for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"):
            signal.signal(getattr(signal, name), signal.SIG_IGN)

    done = pytest_of(*workers, tmp_path / "tests", cwd=tmp_path, first=in_the_background)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed" in done.stdout

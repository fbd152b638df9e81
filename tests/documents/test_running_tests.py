"""Tests can be run in any company: some folders, from anywhere, under `nohup`."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
# Other people's code, which only tests run.
SUBMISSIONS = TESTS / "submissions", TESTS / "grader" / "hostile"
WITH_CONFTEST = [
    str(file.parent)
    for file in sorted(TESTS.glob("*/**/conftest.py"))
    if not any(map(file.is_relative_to, SUBMISSIONS))
]


def pytest_of(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("folders", [WITH_CONFTEST, WITH_CONFTEST[::-1]], ids=["forwards", "backwards"])
def test_folders_with_a_conftest_are_collected_together_from_anywhere(
    folders: list[str], tmp_path: Path
) -> None:
    assert len(folders) > 1
    done = pytest_of("--collect-only", *folders, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    for folder in folders:
        named = Path(folder).relative_to(TESTS.parent).as_posix()
        assert any(line.startswith(f"{named}/test_") for line in done.stdout.splitlines()), named


@pytest.mark.parametrize("folder", ["tests/submissions/odd", "tests/grader/hostile"])
def test_no_submission_is_imported_wherever_the_tests_are_run_from(folder: str, tmp_path: Path) -> None:
    # A harmless one in a copy of the tree: the real ones attack whoever imports them.
    for name in ("pyproject.toml", "tests/conftest.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(TESTS.parent / name, tmp_path / name)
    submission = tmp_path / folder / "harmless" / "game_agent.py"
    submission.parent.mkdir(parents=True)
    submission.write_text(f"open({str(tmp_path / 'imported')!r}, 'w')\n")
    (tmp_path / "tests/grader").mkdir(exist_ok=True)
    (tmp_path / "tests/grader/test_none.py").write_text("def test_nothing(): pass\n")
    done = pytest_of("--collect-only", tmp_path / "tests", cwd=tmp_path / "tests/grader")
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / "imported").exists()

"""`isolation-grade check --watch`: a verdict at each save."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from isolation_grader.cli import main
from isolation_grader.exceptions import ExitStatus
from isolation_grader.watching import Watch

PLAIN = "def custom_score(game, player):\n    return float(len(game.get_legal_moves(player)))\n"
OTHER = "def custom_score(game, player):\n    return 0.0\n"


def test_each_content_is_seen_once(tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    watch = Watch(file)
    assert [watch.look(), watch.look()] == ["gone", "same"]
    file.write_text(PLAIN)
    assert [watch.look(), watch.look()] == ["changed", "same"]
    os.utime(file, ns=(1, 1))  # saved, and nothing changed
    assert watch.look() == "same"
    file.write_text(OTHER)
    assert [watch.look(), watch.look()] == ["changed", "same"]
    # As editors save: the file is gone for a moment.
    file.unlink()
    assert [watch.look(), watch.look()] == ["gone", "same"]
    file.write_text(OTHER)
    assert watch.look() == "same"
    file.write_text(PLAIN)
    assert watch.look() == "changed"


def test_modules_beside_a_game_agent_are_watched_too(tmp_path: Path) -> None:
    (tmp_path / "game_agent.py").write_text(PLAIN)
    watch, alone = Watch(tmp_path), Watch(tmp_path / "ada.py")
    (tmp_path / "ada.py").write_text(PLAIN)
    assert (watch.look(), alone.look()) == ("changed", "changed")
    (tmp_path / "helper.py").write_text(OTHER)
    assert (watch.look(), alone.look()) == ("changed", "same")
    (tmp_path / "helper.py").rename(tmp_path / "renamed.py")
    assert (watch.look(), watch.look()) == ("changed", "same")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text(PLAIN)
    assert (watch.look(), alone.look()) == ("changed", "same")


@contextmanager
def watching(file: Path, store: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    quick = ("--budget", "nodes=5", "--blocks", "10", "--seed", "0", "--store", str(store), *more)
    command = [sys.executable, "-m", "isolation_grader", "check", str(file), "--watch", *quick]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def until(process: subprocess.Popen[str], wanted: str) -> str:
    """The next line with these words."""
    assert process.stdout is not None
    return next(line for line in process.stdout if wanted in line)


def test_a_verdict_follows_each_save_until_ctrl_c(tmp_path: Path) -> None:
    file, report = tmp_path / "agent.py", tmp_path / "report.json"
    file.write_text(PLAIN)
    with watching(file, tmp_path / "store", "--write", f"json={report}") as process:
        first = until(process, "custom_score: ")
        assert " won, " in first
        assert report.exists()
        file.write_text(OTHER)
        assert until(process, "custom_score: ") != first
        file.unlink()
        until(process, "cannot be read: waiting for it")
        file.write_text("def custom_score(game, player) return")
        until(process, "not graded: ")
        file.write_text("def nothing():\n    return 1\n")
        until(process, "not graded: ")
        file.write_text(PLAIN)
        assert until(process, "custom_score: ") == first
        process.send_signal(signal.SIGINT)
        last = until(process, "the last verdict: ")
        status = process.wait(timeout=120)
    verdict = last.rpartition(": ")[2].strip()
    assert (verdict, status) in (("not better", ExitStatus.FAILED), ("undecided", ExitStatus.UNDECIDED))


def test_what_does_not_go_with_it_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "agent.py").write_text(PLAIN)
    words = ["check", str(tmp_path / "agent.py"), "--watch", "--journal", str(tmp_path / "games")]
    assert main(words) == ExitStatus.USAGE
    assert "takes no --journal" in capsys.readouterr().err

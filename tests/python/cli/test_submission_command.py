"""`isolation-fast submission`: what it prints, and its exit status."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SUBMISSIONS = Path(__file__).parents[2] / "submissions" / "loading"
Write = Callable[..., Path]


def submission(path: Path | str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the command as people do, from the folder above the submission."""
    path = Path(path)
    command = [sys.executable, "-m", "isolation_fast", "submission", path.name, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, cwd=path.parent)


def test_it_lists_what_a_submission_holds() -> None:
    done = submission(SUBMISSIONS / "players")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "what       name",
        "---------  -----------------",
        "layout     v2",
        "heuristic  custom_score",
        "player     ImportedPlayer",
        "player     Written",
        "player     Inheriting",
        "player     OfTheCourse",
        "template   Template.get_move",
        "timeout    SearchTimeout",
        "import     helpers",
        "import     isolation",
        "import     sample_players",
    ]


def test_nothing_that_it_writes_is_part_of_the_answer(write_submission: Write) -> None:
    source = "import os, sys\nprint('one')\nprint('two', file=sys.__stdout__)\nos.write(1, b'three')\n"
    score = "def custom_score(game, player):\n    return 0.0\n"
    done = submission(write_submission(source + score), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["loads"] is True
    assert sorted(done.stderr.replace("three", "three\n").split()) == ["one", "three", "two"]


def test_the_document_has_a_list_for_each_kind() -> None:
    document = json.loads(submission(SUBMISSIONS / "players", "--json").stdout)
    assert document == {
        "loads": True,
        "layout": "v2",
        "heuristics": ["custom_score"],
        "players": ["ImportedPlayer", "Written", "Inheriting", "OfTheCourse"],
        "templates": ["Template.get_move"],
        "timeouts": ["SearchTimeout"],
        "imports": ["helpers", "isolation", "sample_players"],
        "early_names": [],
    }


def test_a_submission_that_cannot_be_loaded_is_told_on_stderr(write_submission: Write) -> None:
    done = submission(write_submission("import os\nimport torch"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "isolation-fast: error: submission/game_agent.py:2: it imports torch, which is not installed\n"
        "hint: pip install torch\n"
    )


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        (
            {"scores/__init__.py": "from fractions import gcd"},
            {
                "reason": "outdated import",
                "file": "scores/__init__.py",
                "line": 1,
                "name": "fractions.gcd",
                "replacement": "math.gcd",
                "problem": "it uses fractions.gcd, which Python 3.9 removed",
                "remedy": "use math.gcd",
            },
        ),
        (
            {"scores.py": ""},
            {
                "reason": "no heuristics",
                "file": "game_agent.py",
                "line": None,
                "name": None,
                "replacement": None,
                "problem": "it has no heuristic",
                "remedy": "define custom_score(game, player)",
            },
        ),
    ],
)
def test_the_document_of_a_failure_has_its_reason(
    write_submission: Write, beside: dict[str, str], expected: dict[str, object]
) -> None:
    done = submission(write_submission("import scores", beside), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout) == {"loads": False, **expected}


def test_a_path_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = submission(tmp_path / "nobody")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "isolation-fast: error: nobody: there is no such file\n"


def test_what_a_submission_prints_is_no_part_of_the_answer(write_submission: Write) -> None:
    source = "print('hello')\ndef custom_score(game, player): return 1.0"
    done = submission(write_submission(source), "--json")
    assert json.loads(done.stdout)["heuristics"] == ["custom_score"]
    assert done.stderr == "hello\n"


@pytest.mark.parametrize("source", ["import os; os.kill(os.getpid(), 2)", "import sys; sys.exit(0)"])
def test_no_traceback_of_ours_is_shown(write_submission: Write, source: str) -> None:
    done = submission(write_submission(source + "\nfor each in range(1000): pass"))
    assert done.returncode in (1, 130)
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("isolation-fast: ")
    assert os.linesep.join(done.stderr.splitlines()) == done.stderr.rstrip()

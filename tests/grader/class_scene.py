"""What tests of classes share: a few submissions, good and bad, that are graded in a moment."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from isolation_grader.classes import Asked, Facts, Rubric, Student, read_rubric
from isolation_grader.classes.facts import facts_of
from isolation_grader.cli import main
from isolation_grader.options import Question
from isolation_grader.report import Report
from isolation_grader.showing import shown

HOSTILE = Path(__file__).parent / "hostile"
PLAIN = """
def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))
"""
WORST = """
def custom_score(game, player):
    own = len(game.get_legal_moves(player))
    return float(len(game.get_legal_moves(game.get_opponent(player))) - own)
"""
UNREADABLE = "def custom_score(game, player) return 1.0\n"
SECRET = 4815162342
# Ten nodes a move, and few games: a second for each.
BUDGET, BLOCKS = "nodes=10", 10
QUICK: Mapping[str, Any] = {
    "budget": BUDGET,
    "question": Question(alpha=0.05, beta=0.1, blocks=BLOCKS, precision=0),
}
WORDS = (
    "--budget",
    BUDGET,
    "--blocks",
    str(BLOCKS),
    "--alpha",
    "0.05",
    "--beta",
    "0.1",
    "--precision",
    "0",
    "--seed",
    str(SECRET),
)
WHOLE = """
title = "Isolation"

[loading]
points = 10

[floats]
points = 8
visible = false

[[opponent]]
name = "Random"
points = 5

[[opponent]]
name = "AB_Open"
points = 5
above = 90
by = "low"

[verdict]
better = 50
undecided = 25
not_better = 0

[difference]
points = 20
none_at = -5
all_at = 15
by = "value"

[leaderboard]
bonus = [6, 3]
"""
SUBMISSIONS: Mapping[str, str] = {"ada.py": PLAIN, "bob/game_agent.py": WORST, "eve.py": UNREADABLE}


def timed(source: str) -> str:
    """The same heuristic, which the text alone does not tell: so its work is timed."""
    return source.replace("(game, player):", "(game, player, _=id(object())):")


class Ended(NamedTuple):
    """How a command ended and what it printed."""

    status: int
    stdout: str
    stderr: str


def ended(*words: object) -> Ended:
    """`isolation-grade` with these words."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main([*map(str, words)])
    return Ended(status, out.getvalue(), err.getvalue())


def grade(*words: object) -> Ended:
    """`isolation-grade class` with these words."""
    return ended("class", *words)


def write_class(folder: Path, submissions: Mapping[str, str] = SUBMISSIONS, *hostile: str) -> Path:
    """A folder of submissions by the names of their files, with those of the hostile suite."""
    for name, source in submissions.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")
    for name in hostile:
        shutil.copytree(HOSTILE / name, folder / name)
    return folder


def quickly(**asked: Any) -> Asked:
    """What is asked of all, so that a grading takes a second."""
    return Asked(**{**QUICK, **asked})


def files_of(results: Path) -> dict[str, bytes]:
    """All that has to be the same on every run; the journal has times and the order in which they ended."""
    kept = (each for each in results.rglob("*") if each.is_file() and each.name != "journal.jsonl")
    return {each.relative_to(results).as_posix(): each.read_bytes() for each in kept}


def rubric_of(text: str, tmp_path: Path) -> Rubric:
    """The rubric that a file with this text is."""
    (tmp_path / "rubric.toml").write_text(text, encoding="utf-8")
    return read_rubric(tmp_path / "rubric.toml")


def facts(report: Report, key: str = "ada") -> Facts:
    """What the report for staff says of a submission."""
    return facts_of(json.loads(shown(report, "json")), key, key, (Student(key),))

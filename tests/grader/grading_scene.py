"""What tests of gradings share: a store for all, and gradings that are quick."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import isolation_grader.baseline
from isolation_fast.tournament import ROSTERS
from isolation_grader.grading import grade
from isolation_grader.options import Question
from isolation_grader.report import Report

SHORT = Question(blocks=10, precision=0)
BUDGET = "work=60"
# Each opponent is a process in the jail, and most of what is graded here is seen against any.
FEW = ("Random", "AB_Open")
PLAIN = """
def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))
"""


JAILED: dict[str, Any] = {"nan": "refuse", "budget": "nodes=60"}
"""Nothing is counted, and what plays in the jail plays the same each time."""
QUICKLY: dict[str, Any] = {"seed": 0, "budget": BUDGET, "question": SHORT, "roster": "few"}


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all: a baseline takes some seconds."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """To a point is near enough here, a fifth of the games; and two opponents."""
    monkeypatch.setattr(isolation_grader.baseline, "MARGIN", 0.01)
    monkeypatch.setitem(ROSTERS, "few", FEW)


@pytest.fixture
def graded(tmp_path: Path, store: Path) -> Callable[..., Report]:
    def graded(source: str, **options: Any) -> Report:
        folder = tmp_path / "submission"
        folder.mkdir(exist_ok=True)
        (folder / "game_agent.py").write_text(source)
        return grade(folder, **{**QUICKLY, "store": store, **options})

    return graded

"""Constants that another process says an import has told: whatever it says makes a program, or a refusal."""

from pathlib import Path

import pytest

from isolation_fast import Board
from isolation_fast.compiled import Refusal
from isolation_fast.endings import Fault
from isolation_fast.jail import Assignment, JailedProcess, ask_constants
from isolation_fast.programs import Program
from isolation_fast.worker.messages import packed

TEXT = """
import re
TABLE = [len(re.findall("a", "banana"))]
def custom_score(game, player):
    return float(sum(TABLE))
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game_agent.py"
    path.write_text(TEXT)
    return path


def test_data_that_lies_makes_another_heuristic_of_it(file: Path) -> None:
    board = Board("Ann", "Ben")
    with JailedProcess.start(Assignment(file)) as process:
        refusal = process.read("custom_score")
        assert isinstance(refusal, Refusal)
        assert refusal.unread == ("TABLE",)
        for lie in ("no text", packed([1]), packed({"sum": 1}), packed({"TABLE": ["set", 1]})):
            assert isinstance(process.read("custom_score", lie), Refusal)
        program = process.read("custom_score", packed({"TABLE": ["list", 40, 2]}))
        assert isinstance(program, Program)
        assert program.run(board, "Ann") == 42.0


def test_what_two_imports_agree_on_is_told(file: Path) -> None:
    told = ask_constants(Assignment(file), {"custom_score": ("TABLE",)})
    assert told == {"custom_score": packed({"TABLE": ["list", 3]})}


def test_what_ends_its_process_tells_nothing(file: Path) -> None:
    file.write_text("import os\nos._exit(3)\n")
    with pytest.raises(Fault, match="status 3"):
        ask_constants(Assignment(file), {"custom_score": ("TABLE",)})

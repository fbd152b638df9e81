"""What the tests of submissions share: ways to write one, and to write a checkout like the classic one."""

import inspect
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from isolation_fast.reference import board

# Elsewhere there is no jail, and nothing to try.
collect_ignore = ["jail_attempts.py", *([] if sys.platform == "linux" else ["test_jail.py"])]

# The reference board in a module of its own, so that what is changed in it is changed nowhere else. It lists
# moves in one order, as the first classic boards do.
CLASSIC_BOARD = inspect.getsource(board).replace("draw_order_bits()", "0")
PARAMETERS = {"v1": "self, game, legal_moves, time_left", "v2": "self, game, time_left"}
SAMPLE_PLAYERS = """
from random import randint

class RandomPlayer:
    def get_move({parameters}):
        moves = game.get_legal_moves()
        return moves[randint(0, len(moves) - 1)] if moves else (-1, -1)
"""


@pytest.fixture
def write_submission(tmp_path: Path) -> Callable[..., Path]:
    """Write a submission: its text or bytes, those of the files beside it by name; gives its folder."""

    def written(
        game_agent: str | bytes, beside: dict[str, str | bytes] | None = None, folder: str = "submission"
    ) -> Path:
        for name, content in {"game_agent.py": game_agent, **(beside or {})}.items():
            file = tmp_path / folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / folder

    return written


@pytest.fixture
def write_checkout(tmp_path: Path) -> Callable[..., Path]:
    """Write a checkout like the classic one, its board changed by what is added to the board's module."""

    def written(layout: str = "v2", added: str = "", folder: str = "classic") -> Path:
        package = tmp_path / folder / "isolation"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("from .isolation import Board\n")
        (package / "isolation.py").write_text(f"{CLASSIC_BOARD}\n\n{added}\n")
        players = SAMPLE_PLAYERS.format(parameters=PARAMETERS[layout])
        (tmp_path / folder / "sample_players.py").write_text(players)
        return tmp_path / folder

    return written

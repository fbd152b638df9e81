"""What all tests share: both boards, a clock, and ways to write a submission or a checkout."""

import inspect
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import isolation_fast
import isolation_fast.reference
from isolation_fast.board import turns
from isolation_fast.reference import board

# How long an example takes, or to think of one, is decided by who else is at work.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

# Submissions are run by tests alone: some of them attack the process that imports them. `make browser` tries
# the page of a report. Paths given to pytest are collected all the same.
collect_ignore = ["submissions", "grader/hostile", "browser"]
# pytest loads these by itself; as modules with examples several of one name would get in each other's way.
collect_ignore_glob = ["*conftest.py"]


def heard(number: int, frame: FrameType | None) -> None:
    """Do nothing, unlike a signal that is ignored: a program started here gets its usual effect back."""


@pytest.fixture(scope="session", autouse=True)
def signals_are_heard() -> Iterator[None]:
    """Under `nohup` or in the background of a shell signals are ignored, also by what is started there."""
    names = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM")
    signals = [getattr(signal, name) for name in names if hasattr(signal, name)]
    ignored = [each for each in signals if signal.getsignal(each) is signal.SIG_IGN]
    for each in ignored:
        signal.signal(each, signal.default_int_handler if each == signal.SIGINT else heard)
    yield
    for each in ignored:
        signal.signal(each, signal.SIG_IGN)


@pytest.fixture(
    params=[isolation_fast.Board, isolation_fast.reference.Board],
    ids=["engine", "reference"],
)
def board_class(request: pytest.FixtureRequest) -> Any:
    """The engine's board, then the reference one."""
    return request.param


class HandClock:
    """A clock that stands still until a test moves it on: no busy machine makes a player late."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture(scope="module")
def clock() -> Iterator[HandClock]:
    """The clock by which `play` measures turns, for all tests of a module that asks for it."""
    hand_clock = HandClock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(turns, "perf_counter", hand_clock)
        yield hand_clock


# The reference board in a module of its own, so that what is changed in it is changed nowhere else. It lists
# moves in one order, as the first classic boards do.
CLASSIC_BOARD = inspect.getsource(board).replace("random.getrandbits(64)", "0")
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

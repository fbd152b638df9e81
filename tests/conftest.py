"""What all tests share: both boards, so that a law is stated once and holds for the two, and a clock."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import isolation_fast
import isolation_fast.reference
from isolation_fast.board import turns

# How long an example takes, or to think of one, is decided by who else is at work.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


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

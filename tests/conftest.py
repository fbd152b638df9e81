"""What all tests share: both boards, so that a law of the board is stated once and holds for the two."""

from typing import Any

import pytest

import isolation_fast
import isolation_fast.reference


@pytest.fixture(
    params=[isolation_fast.Board, isolation_fast.reference.Board],
    ids=["engine", "reference"],
)
def board_class(request: pytest.FixtureRequest) -> Any:
    """The engine's board, then the reference one."""
    return request.param

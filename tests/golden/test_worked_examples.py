"""The worked examples of report C, with the figures that its own definitions give.

The report sums 5.25 and 4.1875 for `knight_decay_2`, and 6.65 and 5.033 for `bfs`. The second of each pair is
a slip: by the definition it is 4.6875 and 6.2. The report's figures are known here, its board is not; this is
one of several boards of 5 by 5 that have all four sums.

      0   1   2   3   4
 0  | 2 |   | 1 |   |   |
 1  |   | - |   | - |   |
 2  |   |   | - |   |   |
 3  |   | - |   |   |   |
 4  |   |   |   | - |   |
"""

from typing import Any

import pytest

import isolation_fast
from isolation_fast import heuristics, reference

BOARD = "5x5 x1x2/1x1x1/2x2/1x3/3x1"
SUMS = {"knight_decay_2": (5.25, 4.6875), "bfs": (6.65, 6.2)}
HEURISTICS = [
    pytest.param(name, heuristic, id=f"{side}-{name}")
    for side, known in (
        ("reference", reference.HEURISTICS),
        ("engine", {name: heuristics.get(name) for name in heuristics.names()}),
    )
    for name, heuristic in known.items()
    if name in SUMS
]


def value(name: str, heuristic: Any, knights: str, player: str) -> Any:
    board_class: Any = reference.Board if heuristic is reference.HEURISTICS[name] else isolation_fast.Board
    return heuristic(board_class.from_text(f"{BOARD} {knights} 2"), player)


@pytest.mark.parametrize(("name", "heuristic"), HEURISTICS)
def test_the_sum_of_each_player(name: str, heuristic: Any) -> None:
    """A player who is not placed counts 0, so the other one's sum stands alone."""
    assert value(name, heuristic, "0,2 -", "player 1") == pytest.approx(SUMS[name][0], abs=1e-12)
    assert value(name, heuristic, "- 0,0", "player 2") == pytest.approx(SUMS[name][1], abs=1e-12)


@pytest.mark.parametrize(("name", "heuristic"), HEURISTICS)
def test_the_difference_of_the_sums(name: str, heuristic: Any) -> None:
    difference = SUMS[name][0] - SUMS[name][1]
    assert value(name, heuristic, "0,2 0,0", "player 1") == pytest.approx(difference, abs=1e-12)
    assert value(name, heuristic, "0,2 0,0", "player 2") == pytest.approx(-difference, abs=1e-12)

"""Positions with their moves, values and outcomes, worked out by other code than ours.

`tests/vectors/golden.jsonl` has one JSON object a line: `moves` are played from the empty board, a
`teleport` jumps freely; `legal` are the sorted moves of players 1 and 2, `values` those of each heuristic
for players 1 and 2, those that walk the tree only where it is small; `minimax3_improved` and `minimax2_open`
are a value and a count of nodes; `side_to_move_wins` is the outcome under perfect play. Another such file
may be named in `ISOLATION_GOLDEN`.
"""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import isolation_fast
from isolation_fast import heuristics, reference

GOLDEN = Path(
    os.environ.get("ISOLATION_GOLDEN", Path(__file__).resolve().parents[1] / "vectors" / "golden.jsonl")
)

# Lines are bundled, so that a run says something about where, without a line for each.
BUNDLE = 60
# What the reference search follows to the end of every line in a moment.
MOST_BLANK_TO_SOLVE = 16


def bundles() -> list[Any]:
    lines = lines_of(GOLDEN)
    return [
        pytest.param(lines[start : start + BUNDLE], id=f"lines-{start + 1}")
        for start in range(0, len(lines), BUNDLE)
    ]


@cache
def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def played(board_class: Any, line: dict[str, Any]) -> Any:
    board = board_class("player 1", "player 2", width=line["width"], height=line["height"])
    for move in line["moves"]:
        board.apply_move(move)
    return board


@cache
def boards_with_lines(board_class: Any) -> list[tuple[Any, dict[str, Any]]]:
    """The board of each line, for all tests that only read it."""
    return [(played(board_class, line), line) for line in lines_of(GOLDEN)]


def package_of(board_class: Any) -> Any:
    return reference if board_class is reference.Board else isolation_fast


def heuristics_of_both() -> list[Any]:
    """Each heuristic of each registry, with the board that it goes with."""
    twins = [
        pytest.param(reference.Board, heuristic, name, id=f"reference-{name}")
        for name, heuristic in reference.HEURISTICS.items()
    ]
    natives = [
        pytest.param(isolation_fast.Board, isolation_fast.heuristics.get(name), name, id=f"engine-{name}")
        for name in isolation_fast.heuristics.names()
    ]
    return twins + natives


@pytest.mark.parametrize("lines", bundles())
def test_legal_moves(board_class: Any, lines: list[dict[str, Any]]) -> None:
    for line in lines:
        board = played(board_class, line)
        found = [sorted(board.get_legal_moves(player)) for player in ("player 1", "player 2")]
        assert [[list(move) for move in moves] for moves in found] == line["legal"], board.to_text()


@pytest.mark.parametrize(("board_class", "heuristic", "name"), heuristics_of_both())
def test_values(board_class: Any, heuristic: Any, name: str) -> None:
    for board, line in boards_with_lines(board_class):
        if name not in line["values"]:
            continue
        found = [heuristic(board, player) for player in ("player 1", "player 2")]
        assert found == pytest.approx([float(value) for value in line["values"][name]], rel=0, abs=1e-9), (
            board.to_text()
        )


def test_every_heuristic_of_the_course_and_of_a_report_has_values() -> None:
    named = {name for line in lines_of(GOLDEN) for name in line["values"]}
    of_reports = {name for name in heuristics.names() if heuristics.get(name).report is not None}
    assert named == of_reports | {"null", "open", "center", "improved"}


@pytest.mark.parametrize("lines", bundles())
@pytest.mark.parametrize(("name", "depth"), [("improved", 3), ("open", 2)])
def test_minimax(board_class: Any, lines: list[dict[str, Any]], name: str, depth: int) -> None:
    search = package_of(board_class).search
    searched = [line for line in lines if f"minimax{depth}_{name}" in line]
    assert searched
    for line in searched:
        value, nodes = line[f"minimax{depth}_{name}"]
        board = played(board_class, line)
        report = search(board, name, depth=depth, method="minimax")
        assert (report.value, report.nodes) == (pytest.approx(float(value), abs=1e-9), nodes), board.to_text()
        assert search(board, name, depth=depth).value == report.value


@pytest.mark.parametrize("lines", bundles())
def test_outcomes(board_class: Any, lines: list[dict[str, Any]]) -> None:
    search = package_of(board_class).search
    for line in lines:
        board = played(board_class, line)
        if "side_to_move_wins" not in line or len(board.get_blank_spaces()) > MOST_BLANK_TO_SOLVE:
            continue
        report = search(board, "null", depth=MOST_BLANK_TO_SOLVE + 1)
        assert (report.value, report.reason) == (
            float("inf" if line["side_to_move_wins"] else "-inf"),
            "exhausted",
        )

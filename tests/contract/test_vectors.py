"""The vectors that the engine's own tests read too: engine and reference say the same of each line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import isolation_fast
from isolation_fast import reference
from isolation_fast.exceptions import InvalidPositionError
from isolation_fast.reference.board import shuffle_moves

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
# The reference would take a minute for all lines.
MOST_REFERENCE_NODES = 4_000


def lines_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / name).read_text(encoding="utf-8").splitlines()]


def perft_by_hand(board: reference.Board, depth: int) -> int:
    moves = board.get_legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft_by_hand(board.forecast_move(move), depth - 1) for move in moves)


def search_of(board_class: Any) -> Callable[..., isolation_fast.SearchReport]:
    return reference.search if board_class is reference.Board else isolation_fast.search


def test_perft_of_the_engine() -> None:
    for line in lines_of("perft.jsonl"):
        board = isolation_fast.Board.from_text(line["position"])
        found = [isolation_fast.perft(board, depth) for depth in range(1, len(line["counts"]) + 1)]
        assert found == line["counts"], line["position"]


def test_perft_of_the_reference() -> None:
    for line in lines_of("perft.jsonl"):
        board = reference.Board.from_text(line["position"])
        for depth, count in enumerate(line["counts"], start=1):
            if count <= MOST_REFERENCE_NODES:
                assert perft_by_hand(board, depth) == count, (line["position"], depth)


@pytest.mark.parametrize("line", lines_of("notation.jsonl"), ids=lambda line: line["text"][:40])
def test_notation(board_class: Any, line: dict[str, Any]) -> None:
    if "canonical" in line:
        assert board_class.from_text(line["text"]).to_text() == line["canonical"]
    else:
        with pytest.raises(InvalidPositionError, match=line["error"]):
            board_class.from_text(line["text"])


def test_order_of_a_list() -> None:
    for line in lines_of("order.jsonl"):
        order = [(place, 0) for place in range(line["count"])]
        shuffle_moves(order, line["bits"], line["origin"])
        assert [place for place, _ in order] == line["order"], line


def test_order_of_a_boards_moves(board_class: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for line in lines_of("order.jsonl"):
        # A board draws its bits when it is made.
        monkeypatch.setattr("random.getrandbits", lambda _, bits=line["bits"]: bits)
        board = board_class.from_text(line["position"])
        assert board.get_legal_moves() == [tuple(move) for move in line["moves"]], line["position"]


def test_order_of_a_searchs_root(board_class: Any) -> None:
    for line in lines_of("order.jsonl"):
        board = board_class.from_text(line["position"])
        report = search_of(board_class)(board, "open", depth=1, seed=line["bits"], root_values=True)
        assert report.root_values is not None
        assert list(report.root_values) == [tuple(move) for move in line["moves"]], line["position"]


def test_search(board_class: Any) -> None:
    for line in lines_of("search.jsonl"):
        report = search_of(board_class)(
            board_class.from_text(line["position"]),
            line["heuristic"],
            **line["budget"],
            method=line["method"],
            seed=line["bits"],
        )
        move = line["move"] and tuple(line["move"])
        value = None if line["value"] is None else float(line["value"])
        found = (report.move, report.value, report.nodes, report.depth, report.reason)
        assert found == (move, value, line["nodes"], line["depth"], line["reason"]), line

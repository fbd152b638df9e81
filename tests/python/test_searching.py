"""`search` and `perft` as a caller sees them: arguments, reports, repeatability."""

import copy
import pickle
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from isolation_fast import (
    Board,
    Budget,
    InvalidArgumentError,
    InvalidBudgetError,
    SearchReport,
    UnknownHeuristicError,
    perft,
    reference,
    search,
)
from isolation_fast.reports import Move

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"


def start() -> Any:
    return Board.from_text(START)


def count_own_moves(game: Any, player: Any) -> Any:
    return len(game.get_legal_moves(player))


def root_values(board: Board, **options: Any) -> Mapping[Move, float]:
    values = search(board, "improved", root_values=True, **options).root_values
    assert values is not None
    return values


@pytest.mark.parametrize("method", ["minimax", "alphabeta"])
@pytest.mark.parametrize("heuristic", ["improved", count_own_moves])
def test_a_depth_alone_is_one_search_of_that_depth(method: Any, heuristic: Any) -> None:
    report = search(start(), heuristic, depth=3, method=method)
    assert (report.depth, report.reason, report.root_values) == (3, "depth", None)
    assert report.move in start().get_legal_moves()


def test_minimax_counts_every_child() -> None:
    first = len(start().get_legal_moves())
    below = sum(len(start().forecast_move(move).get_legal_moves()) for move in start().get_legal_moves())
    assert search(start(), "open", depth=2, method="minimax").nodes == first + below


@pytest.mark.parametrize("limit", [1, 2, 7, 100, 1234])
def test_a_node_budget_is_kept_to_the_node(limit: Any) -> None:
    report = search(start(), "improved", nodes=limit)
    assert (report.nodes, report.reason) == (limit, "nodes")


def test_a_search_that_finishes_no_depth_answers_the_first_move_without_a_value() -> None:
    report = search(start(), "improved", nodes=1, seed=5)
    assert (report.value, report.depth, report.reason) == (None, 0, "nodes")
    assert report.move == next(iter(root_values(start(), depth=1, seed=5)))


def test_a_depth_with_another_limit_deepens_up_to_it() -> None:
    alone = search(start(), "improved", depth=3, seed=0)
    deepened = search(start(), "improved", depth=3, nodes=10**9, seed=0)
    assert (deepened.move, deepened.value, deepened.depth) == (alone.move, alone.value, 3)
    assert deepened.reason == "depth"
    assert deepened.nodes == sum(
        search(start(), "improved", depth=depth, seed=0).nodes for depth in (1, 2, 3)
    )


def test_a_time_budget_ends_a_search() -> None:
    report = search(Board(), "improved", ms=20)
    assert report.reason == "time"
    assert report.depth >= 1


@pytest.mark.parametrize("root_values", [False, True])
def test_without_a_legal_move_there_is_a_value_but_no_move(root_values: Any) -> None:
    stuck = Board.from_text("1x1 x - - 1")
    report = search(stuck, "improved", depth=3, root_values=root_values)
    assert (report.move, report.value, report.depth, report.nodes, report.reason) == (
        None,
        float("-inf"),
        0,
        0,
        "exhausted",
    )
    assert not report.root_values


def test_root_values_are_exact_and_in_the_roots_order() -> None:
    board = start()
    values = root_values(board, depth=3)
    assert list(values) == board.get_legal_moves()
    assert search(board, "improved", depth=3).move == max(values, key=lambda move: values[move])
    assert values == root_values(board, depth=3, method="minimax")


@pytest.mark.parametrize("seed", [0, 1, -1, 2**64 - 1, 2**70, 12345678901234567890])
def test_a_seed_repeats_a_search_on_any_board_and_counts_modulo_64_bits(seed: Any) -> None:
    report = search(start(), "improved", depth=3, seed=seed)
    assert report == search(start(), "improved", depth=3, seed=seed)
    assert report == search(start(), "improved", depth=3, seed=seed % 2**64)


@pytest.mark.parametrize("seed", ["1", 1.0, (1,)])
def test_a_seed_is_an_integer(seed: Any) -> None:
    with pytest.raises(TypeError, match="seed must be an integer"):
        search(start(), "improved", depth=1, seed=seed)


def test_a_search_leaves_its_board_alone() -> None:
    board = start()
    before = board.to_text(), board.get_legal_moves(), board.move_count
    search(board, count_own_moves, depth=3)
    search(board, "improved", nodes=1000)
    assert (board.to_text(), board.get_legal_moves(), board.move_count) == before


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"method": "alfabeta"}, "unknown method 'alfabeta', did you mean 'alphabeta'?"),
        ({"method": "zzz"}, "unknown method 'zzz'. Allowed: 'alphabeta', 'minimax'"),
        ({"method": 3}, "method must be one of 'alphabeta', 'minimax', not 3"),
        ({"mode": "fats"}, "unknown mode 'fats', did you mean 'fast'?"),
        ({"mode": None}, "mode must be one of 'plain', 'fast', not None"),
        ({"method": "minimax", "mode": "fast"}, "mode='fast' is for method='alphabeta'"),
    ],
)
def test_a_choice_that_does_not_exist_is_refused_with_those_that_do(choice: Any, message: Any) -> None:
    with pytest.raises(InvalidArgumentError) as refusal:
        search(start(), "improved", depth=1, **choice)
    assert message in str(refusal.value)


@pytest.mark.parametrize("board", [None, START, [0] * 52, object()])
def test_what_is_no_board_is_a_type_error(board: Any) -> None:
    with pytest.raises(TypeError, match=r"takes an isolation_fast\.Board"):
        search(board, "improved", depth=1)
    with pytest.raises(TypeError, match=r"takes an isolation_fast\.Board"):
        perft(board, 1)


@pytest.mark.parametrize(
    ("board", "named"),
    [
        (START, f"a str: {START!r}"),
        (None, "None"),
        (Board, "the class isolation_fast.Board"),
        (reference.Board(), "an isolation_fast.reference.Board"),
        ([1], "a list: [1]"),
    ],
)
def test_what_is_no_board_is_named_by_its_type(board: Any, named: Any) -> None:
    for name, call in (
        ("search", lambda: search(board, "open", depth=1)),
        ("perft", lambda: perft(board, 1)),
    ):
        with pytest.raises(TypeError) as refusal:
            call()
        assert str(refusal.value) == f"{name} takes an isolation_fast.Board, not {named}"


def test_a_budget_in_the_place_of_the_heuristic_is_answered_with_what_is_missing() -> None:
    with pytest.raises(TypeError, match=r"a heuristic is missing.* before budget=Budget\(depth=3\)"):
        search(start(), Budget(depth=3))  # type: ignore[arg-type]
    with pytest.raises(UnknownHeuristicError):
        search(start(), "improoved")


def test_perft_counts_lines() -> None:
    board = Board(width=3, height=3)
    assert [perft(board, depth) for depth in range(4)] == [
        1,
        9,
        72,
        sum(
            len(board.forecast_move(first).forecast_move(second).get_legal_moves())
            for first in board.get_legal_moves()
            for second in board.forecast_move(first).get_legal_moves()
        ),
    ]


@pytest.mark.parametrize("depth", [-1, 1.0, True, None, "2"])
def test_perft_refuses_what_is_no_depth(depth: Any) -> None:
    with pytest.raises(InvalidBudgetError) as refusal:
        perft(Board(), depth)
    assert str(refusal.value) == f"depth must be an integer of at least 0, not {depth!r}"


def test_a_report_is_frozen_comparable_hashable_and_travels() -> None:
    report = search(start(), "improved", depth=2, root_values=True)
    with pytest.raises(FrozenInstanceError):
        report.value = 0.0  # type: ignore[misc]
    for arrived in (copy.copy(report), copy.deepcopy(report), pickle.loads(pickle.dumps(report))):
        assert arrived == report
        assert hash(arrived) == hash(report)


@pytest.mark.parametrize(
    ("report", "text"),
    [
        (SearchReport((2, 3), 4.5, 5, 12345, "depth"), "(2, 3) is worth 4.5 at depth 5"),
        (SearchReport((2, 3), float("inf"), 5, 12345, "exhausted"), "every line searched to its end"),
        (SearchReport((2, 3), None, 0, 1, "nodes"), "no depth was finished (1 nodes; out of nodes)"),
        (SearchReport(None, float("-inf"), 0, 0, "exhausted"), "no legal move, worth -inf"),
    ],
)
def test_a_report_prints_what_was_found_and_why_it_stopped(report: Any, text: Any) -> None:
    assert text in str(report)


def test_deepening_on_a_huge_board_stops_at_the_deepest_search_there_is() -> None:
    # Each knight goes down two columns by forced moves, longer than any search looks ahead.
    corridor = Board.from_text("2x2000 xx" + "/2" * 1999 + " 0,0 0,1 1")
    reports = [search(corridor, "open", depth=depth, nodes=10**7) for depth in (None, 1024, 5000)]
    assert [(report.depth, report.reason) for report in reports] == [(1024, "depth")] * 3
    with pytest.raises(InvalidBudgetError, match="at most 1024"):
        search(corridor, "open", depth=5000)


def test_a_depth_beyond_every_game_is_reported_as_it_was_asked_for() -> None:
    board = Board.from_text("3x3 x2/3/2x 0,0 2,2 1")
    assert search(board, "open", depth=10**30).depth == 10**30

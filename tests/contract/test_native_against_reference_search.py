"""The engine's search and the reference's report the same, to the node and to the order of root moves.

With a heuristic in Python both ask it the same questions: the same positions, one after the other.
"""

from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any
from zlib import crc32

import numpy
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import isolation_fast
from isolation_fast import reference
from isolation_fast.reference.heuristics import HEURISTICS

LAW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

SIZES = st.tuples(st.integers(1, 13), st.integers(1, 12)) | st.sampled_from(
    [(3, 3), (4, 3), (4, 4), (5, 3), (7, 7), (8, 8), (13, 5), (16, 8), (43, 3), (20, 20)]
)
METHODS = st.sampled_from(["alphabeta", "minimax"])
BASELINES = st.sampled_from(["null", "open", "center", "improved"])
# The engine counts the positions that a walk comes to as nodes; a twin's walk stops for nothing.
FORMULAS = [
    name
    for name in isolation_fast.heuristics.names()
    if name in HEURISTICS and "continuations" not in name and "longest_win" not in name
]
SEEDS = st.none() | st.integers(-(2**65), 2**65)
BITS = st.integers(0, 2**64 - 1)


# What a position is made from: size, bits, tenths of the cells that are blocked and which of them, moves as
# shares of the list of moves and whether they go anywhere, and whether the board's list was ever touched.
POSITIONS = st.tuples(
    SIZES,
    BITS,
    st.sampled_from([0, 0, 2, 5, 8]),
    st.integers(0, 2**64 - 1),
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=6),
    st.booleans(),
)


def both_boards(description: Any) -> tuple[Any, Any]:
    """Some position, game-like or not, on both boards."""
    (width, height), bits, tenths, which, moves, touched = description
    shuffled = Random(which).sample(range(width * height), width * height * tenths // 10)
    made = []
    for board_class in (isolation_fast.Board, reference.Board):
        board = board_class("Ann", "Ben", width, height)
        board._order_bits = bits
        for cell in shuffled:
            board._board_state[cell] = 1
        for share, anywhere in moves:
            cells = board.get_blank_spaces() if anywhere else board.get_legal_moves()
            if cells:
                board.apply_move(cells[int(share * (len(cells) - 1))])
        if not touched:
            board = board_class.from_text(board.to_text(), "Ann", "Ben")
            board._order_bits = bits
        made.append(board)
    return made[0], made[1]


def limits(most_nodes: int) -> Any:
    """Never more than so many nodes, for the reference takes 20 µs for each."""
    nodes = st.integers(1, most_nodes)
    return st.fixed_dictionaries({"nodes": nodes}, optional={"depth": st.integers(1, 60)})


def reports(native: Any, twin: Any, heuristic: Any, other: Any, options: Any) -> tuple[Any, Any]:
    return (
        isolation_fast.search(native, heuristic, **options),
        reference.search(twin, other, **options),
    )


def assert_same(native: Any, twin: Any) -> None:
    assert native == twin
    if native.root_values is not None:
        assert list(native.root_values) == list(twin.root_values)


@LAW
@given(POSITIONS, BASELINES, limits(700), METHODS, SEEDS, st.booleans())
def test_searches_within_a_budget_of_nodes_report_the_same(
    position: Any, name: str, budget: Any, method: str, seed: Any, root_values: bool
) -> None:
    options = {**budget, "method": method, "seed": seed, "root_values": root_values}
    assert_same(*reports(*both_boards(position), name, name, options))


@LAW
@given(POSITIONS, BASELINES, st.integers(1, 40), METHODS, SEEDS, st.booleans())
def test_searches_of_one_depth_report_the_same(
    position: Any, name: str, depth: int, method: Any, seed: Any, root_values: bool
) -> None:
    native, twin = both_boards(position)
    # The deepest that the reference can do in a moment, which the engine finds out.
    while (
        depth > 1
        and isolation_fast.search(
            native, name, depth=depth, nodes=700, method=method, root_values=root_values
        ).reason
        == "nodes"
    ):
        depth -= 1
    assume(depth > 1 or len(twin.get_legal_moves()) < 700)
    options = {"depth": depth, "method": method, "seed": seed, "root_values": root_values}
    assert_same(*reports(native, twin, name, name, options))


@LAW
@given(POSITIONS, st.sampled_from(FORMULAS), limits(60), METHODS, SEEDS)
def test_searches_with_any_formula_report_the_same(
    position: Any, name: str, budget: Any, method: str, seed: Any
) -> None:
    native, twin = both_boards(position)
    # Some twins take a millisecond for each blank cell where a player is not placed.
    assume(len(twin.get_blank_spaces()) <= 50)
    assert_same(*reports(native, twin, name, name, {**budget, "method": method, "seed": seed}))


def asked_for(questions: list[Any], values: list[float]) -> Any:
    """A heuristic that writes down what it is asked, and whose answers repeat."""

    def written_score(game: Any, player: Any) -> float:
        moves = game.get_legal_moves(), game.get_legal_moves(game.get_opponent(player))
        questions.append((game.to_text(), player, game.active_player, game.move_count, *moves))
        return values[crc32(questions[-1][0].encode()) % len(values)]

    return written_score


VALUES = st.lists(
    st.sampled_from([0.0, -0.0, 1.0, -1.0, float("inf"), float("-inf"), 5e-324, 1e308])
    | st.floats(allow_nan=False)
    | st.integers(-3, 3),
    min_size=1,
    max_size=12,
)


@LAW
@given(POSITIONS, VALUES, limits(250), METHODS, SEEDS, st.booleans())
def test_a_heuristic_in_python_is_asked_the_same_in_the_same_order(
    position: Any, values: list[float], budget: Any, method: str, seed: Any, root_values: bool
) -> None:
    options = {**budget, "method": method, "seed": seed, "root_values": root_values}
    asked_natively: list[Any] = []
    asked: list[Any] = []
    assert_same(
        *reports(*both_boards(position), asked_for(asked_natively, values), asked_for(asked, values), options)
    )
    assert asked_natively == asked


NO_NUMBERS: list[Any] = [
    *(None, "4", b"1", float("nan"), 1j, (1, 2), [1.0], 10**400, Decimal("NaN")),
    *(numpy.complex64(1), numpy.array([1.0]), numpy.float64("nan")),
]


@pytest.mark.parametrize("answer", NO_NUMBERS, ids=repr)
def test_an_answer_that_is_no_number_is_the_same_error(answer: Any) -> None:
    text = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"
    for module, board_class in ((isolation_fast, isolation_fast.Board), (reference, reference.Board)):
        with pytest.raises(isolation_fast.HeuristicResultError):
            module.search(board_class.from_text(text), lambda game, player: answer, depth=2)


# What numpy.where makes of two numbers is an array without a length.
NUMBERS: list[Any] = [
    *(3, True, Fraction(7, 2), Decimal("1.5"), -(10**300)),
    *(numpy.float32(1.5), numpy.int8(-3), numpy.bool_(True), numpy.where(True, 1.5, 2.0)),
]


@pytest.mark.parametrize("answer", NUMBERS, ids=repr)
def test_whatever_is_a_real_number_is_its_value(answer: Any) -> None:
    text = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"
    for module, board_class in ((isolation_fast, isolation_fast.Board), (reference, reference.Board)):
        report = module.search(board_class.from_text(text), lambda game, player: answer, depth=2)
        assert (report.value, type(report.value)) == (float(answer), float)

"""A NaN that a heuristic returns is compared as the course's pseudo-code compares it, in Python.

The course refers to MINIMAX-DECISION and ALPHA-BETA-SEARCH of the AIMA text, `v <- MAX(v, MIN-VALUE(...))`.
Both are transcribed here to the letter. The engine, in every mode, and the reference find what they find.
"""

from collections.abc import Iterator
from itertools import count, product
from math import inf, isnan, nan
from random import Random
from typing import Any
from zlib import crc32

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import isolation_fast
from isolation_fast import reference
from isolation_fast.searching import Mode

LAW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# Many NaNs, and many ties with what NaN stands beside: the worst value of all.
VALUES = st.lists(
    st.sampled_from([nan, nan, nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 1e308]) | st.floats(),
    min_size=1,
    max_size=12,
)
# Size, bits of the order of moves, which cells are blocked, how many moves were made.
POSITIONS = st.tuples(
    st.sampled_from([(3, 3), (4, 3), (4, 4), (5, 5), (7, 7)]),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**64 - 1),
    st.integers(0, 12),
)


def both_boards(description: Any) -> tuple[Any, Any]:
    (width, height), bits, which, moves = description
    made = []
    for board_class in (isolation_fast.Board, reference.Board):
        random = Random(which)
        board = board_class("Ann", "Ben", width, height)
        for _ in range(moves):
            legal = sorted(board.get_legal_moves())
            if legal:
                board.apply_move(random.choice(legal))
        board._order_bits = bits
        made.append(board)
    return made[0], made[1]


def scoring(values: list[float]) -> Any:
    """A heuristic with one of these values for each position."""

    def custom_score(game: Any, player: Any) -> float:
        return values[crc32(f"{game.to_text()} {player}".encode()) % len(values)]

    return custom_score


def min_value(game: Any, depth: int, score: Any) -> float:
    moves = game.get_legal_moves()
    if depth == 0 or not moves:
        value: float = score(game)
        return value
    v = inf
    for move in moves:
        v = min(v, max_value(game.forecast_move(move), depth - 1, score))
    return v


def max_value(game: Any, depth: int, score: Any) -> float:
    moves = game.get_legal_moves()
    if depth == 0 or not moves:
        value: float = score(game)
        return value
    v = -inf
    for move in moves:
        v = max(v, min_value(game.forecast_move(move), depth - 1, score))
    return v


def minimax_decision(game: Any, depth: int, score: Any) -> tuple[Any, float]:
    """The move and its value; the first move where no value is above negative infinity."""
    moves = game.get_legal_moves()
    best_move, best = moves[0], -inf
    for move in moves:
        v = min_value(game.forecast_move(move), depth - 1, score)
        if v > best:
            best_move, best = move, v
    return best_move, best


def min_value_pruned(game: Any, depth: int, alpha: float, beta: float, score: Any) -> float:
    moves = game.get_legal_moves()
    if depth == 0 or not moves:
        value: float = score(game)
        return value
    v = inf
    for move in moves:
        v = min(v, max_value_pruned(game.forecast_move(move), depth - 1, alpha, beta, score))
        if v <= alpha:
            return v
        beta = min(beta, v)
    return v


def max_value_pruned(game: Any, depth: int, alpha: float, beta: float, score: Any) -> float:
    moves = game.get_legal_moves()
    if depth == 0 or not moves:
        value: float = score(game)
        return value
    v = -inf
    for move in moves:
        v = max(v, min_value_pruned(game.forecast_move(move), depth - 1, alpha, beta, score))
        if v >= beta:
            return v
        alpha = max(alpha, v)
    return v


def alpha_beta_search(game: Any, depth: int, score: Any) -> tuple[Any, float]:
    moves = game.get_legal_moves()
    best_move, best = moves[0], -inf
    for move in moves:
        v = min_value_pruned(game.forecast_move(move), depth - 1, best, inf, score)
        if v > best:
            best_move, best = move, v
    return best_move, best


def affordable(game: Any, most: int = 1500) -> Iterator[int]:
    """The depths of which all lines together are few."""
    for depth in count(1):
        if sum(isolation_fast.perft(game, each) for each in range(1, depth + 1)) > most:
            return
        yield depth
        if depth == 6:
            return


@LAW
@given(POSITIONS, VALUES)
def test_every_search_finds_what_the_pseudo_code_finds(position: Any, values: list[float]) -> None:
    native, twin = both_boards(position)
    if not native.get_legal_moves():
        return
    heuristic = scoring(values)
    for depth in affordable(native):

        def score(game: Any) -> float:
            value: float = heuristic(game, native.active_player)
            return value

        expected = minimax_decision(native, depth, score)
        assert alpha_beta_search(native, depth, score) == expected
        found = [
            isolation_fast.search(native, heuristic, depth=depth, nan="course", **options)
            for options in (
                {"method": "minimax"},
                {"mode": "plain"},
                {"mode": "fast"},
                {"mode": "plain", "root_values": True},
                {"mode": "fast", "root_values": True},
                {"mode": "plain", "nodes": 10**6},
                {"mode": "fast", "nodes": 10**6},
            )
        ]
        found += [
            reference.search(twin, heuristic, depth=depth, nan="course", method=method)
            for method in ("minimax", "alphabeta")
        ]
        assert [(each.move, each.value) for each in found if each.depth == depth] == [expected] * sum(
            each.depth == depth for each in found
        )
        # Deepening ends early only where it has seen every line to its end.
        assert all(each.depth == depth or each.reason == "exhausted" for each in found)
        assert [each.value for each in found] == [expected[1]] * len(found)


@LAW
@given(
    POSITIONS,
    VALUES,
    st.integers(1, 250),
    st.sampled_from(["alphabeta", "minimax"]),
    st.none() | st.integers(0, 2**64 - 1),
    st.booleans(),
)
def test_engine_and_reference_report_the_same_whatever_is_nan(
    position: Any, values: list[float], nodes: int, method: Any, seed: Any, root_values: bool
) -> None:
    native, twin = both_boards(position)
    heuristic = scoring(values)
    options = {"nodes": nodes, "method": method, "seed": seed, "root_values": root_values, "nan": "course"}
    found = isolation_fast.search(native, heuristic, **options)
    expected = reference.search(twin, heuristic, **options)
    # NaN is not equal to itself, and shows as the value of a position without a move and of a root move.
    assert repr(found) == repr(expected)


def test_each_nan_that_was_returned_is_counted() -> None:
    board = isolation_fast.Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
    answers = [nan, 1.0, numpy.float64("nan"), numpy.float32("nan"), 2, -nan]
    asked: list[float] = []

    def custom_score(game: Any, player: Any) -> Any:
        asked.append(answers[len(asked) % len(answers)])
        return asked[-1]

    report = isolation_fast.search(board, custom_score, depth=3, method="minimax", nan="course")
    assert report.nans == sum(map(isnan, asked)) > 50
    assert isolation_fast.search(board, lambda game, player: 1.0, depth=3, nan="course").nans == 0


def test_where_all_is_nan_the_first_move_is_chosen() -> None:
    board = isolation_fast.Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
    first = board.get_legal_moves()[0]
    modes: tuple[Mode, ...] = ("plain", "fast")
    for mode, depth in product(modes, range(1, 5)):
        report = isolation_fast.search(board, lambda game, player: nan, depth=depth, mode=mode, nan="course")
        # The worst value is that of whoever makes the last move.
        assert (report.move, report.value) == (first, -inf if depth % 2 else inf)


def test_a_root_move_to_nan_shows_as_nan() -> None:
    board = isolation_fast.Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
    chosen = sorted(board.get_legal_moves())[2]

    def custom_score(game: Any, player: Any) -> float:
        return -5.0 if game.get_player_location(player) == chosen else nan

    report = isolation_fast.search(board, custom_score, depth=1, root_values=True, nan="course")
    assert (report.move, report.value) == (chosen, -5.0)
    assert report.root_values is not None
    assert sum(map(isnan, report.root_values.values())) == report.nans == len(report.root_values) - 1


def test_without_a_move_the_value_is_nan_itself() -> None:
    for module, kind in ((isolation_fast, isolation_fast.Board), (reference, reference.Board)):
        report = module.search(kind.from_text("1x1 x - - 1"), lambda *_: nan, depth=2, nan="course")
        assert report.move is None
        assert report.value is not None
        assert isnan(report.value)
        assert report.nans == 1


def test_nan_is_refused_unless_it_is_asked_for() -> None:
    text = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"

    def custom_score(game: Any, player: Any) -> float:
        return nan

    for module, kind in ((isolation_fast, isolation_fast.Board), (reference, reference.Board)):
        for options in ({}, {"nan": "refuse"}):
            with pytest.raises(
                isolation_fast.HeuristicResultError, match=r"NaN is neither larger nor smaller.* returned nan"
            ):
                module.search(kind.from_text(text), custom_score, depth=2, **options)
        with pytest.raises(isolation_fast.InvalidArgumentError, match="did you mean 'course'"):
            module.search(kind.from_text(text), custom_score, depth=2, nan="cuorse")


def test_other_answers_that_are_no_number_stay_errors() -> None:
    board = isolation_fast.Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
    for answer in ("x", None, (1.0, 2.0), 1j, 10**400):
        with pytest.raises(isolation_fast.HeuristicResultError, match="a score is a real number"):
            isolation_fast.search(board, lambda *_, value=answer: value, depth=2, nan="course")


def greedy_of_the_course(game: Any, score: Any) -> Any:
    """As `GreedyPlayer.get_move` of the course's `sample_players`."""
    legal_moves = game.get_legal_moves()
    _, move = max([(score(game.forecast_move(m), "Ann"), m) for m in legal_moves])
    return move


@LAW
@given(POSITIONS, VALUES)
def test_a_greedy_player_compares_pairs_as_the_courses_does(position: Any, values: list[float]) -> None:
    board, _ = both_boards(position)
    if not board.get_legal_moves():
        return
    heuristic = scoring(values)

    def fresh(game: Any, player: Any) -> float:
        # Tuples look first whether two things are the same object: most computations make a new NaN.
        return float(str(heuristic(game, "Ann")))

    player = isolation_fast.GreedyPlayer(fresh, nan="course")
    assert player.get_move(board, lambda: 150.0) == greedy_of_the_course(board, fresh)


def test_players_count_the_nans_of_all_their_searches() -> None:
    board = isolation_fast.Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
    for make in (isolation_fast.AlphaBetaPlayer, isolation_fast.MinimaxPlayer, isolation_fast.GreedyPlayer):
        options: dict[str, Any] = {} if make is isolation_fast.GreedyPlayer else {"depth": 2}
        player: Any = make(lambda game, player: nan, nan="course", **options)
        for turn in (1, 2):
            assert player.get_move(board, lambda: 150.0) in board.get_legal_moves()
            assert player.nans == turn * player.report.nans > 0
        assert "nan='course'" in repr(player)
        with pytest.raises(isolation_fast.HeuristicResultError):
            make(lambda game, player: nan, **options).get_move(board, lambda: 150.0)
        with pytest.raises(isolation_fast.InvalidArgumentError, match="nan"):
            make("open", **{**options, "nan": "never"})

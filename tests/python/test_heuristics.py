"""The registry of native heuristics, and what may be given where a heuristic is asked for."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from isolation_fast import (
    AlphaBetaPlayer,
    Board,
    InvalidArgumentError,
    UnknownHeuristicError,
    cost,
    heuristics,
    search,
)
from isolation_fast.reference import HEURISTICS

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"


@pytest.mark.parametrize("name", heuristics.names())
def test_every_registered_name_is_an_attribute_and_can_be_looked_up(name: Any) -> None:
    heuristic = getattr(heuristics, name)
    assert heuristics.get(name) == heuristic
    assert hash(heuristics.get(name)) == hash(heuristic)
    assert heuristic.name == name
    assert heuristic.summary


def test_the_baselines_come_first_in_the_order_of_the_course() -> None:
    assert heuristics.names()[:4] == ["null", "open", "center", "improved"]


def test_every_registered_name_has_a_twin_in_plain_python() -> None:
    assert list(HEURISTICS) == heuristics.names()


def test_the_list_of_names_is_the_callers() -> None:
    heuristics.names().clear()
    assert heuristics.names()


@pytest.mark.parametrize(
    ("name", "value"), [("null", 0.0), ("open", 5.0), ("center", 8.5), ("improved", -2.0)]
)
def test_a_native_heuristic_is_a_callable_like_those_of_the_course(name: Any, value: Any) -> None:
    board = Board.from_text(START)
    assert heuristics.get(name)(board, board.active_player) == value
    assert type(heuristics.get(name)(board, board.active_player)) is float


@pytest.mark.parametrize("name", heuristics.names())
def test_a_native_heuristic_survives_copying_and_pickling(name: Any) -> None:
    heuristic = heuristics.get(name)
    assert pickle.loads(pickle.dumps(heuristic)) == heuristic
    assert copy.copy(heuristic) == heuristic
    assert copy.deepcopy(heuristic) == heuristic


@pytest.mark.parametrize("name", heuristics.names())
def test_a_native_heuristic_is_frozen(name: Any) -> None:
    with pytest.raises(AttributeError):
        heuristics.get(name).name = "another"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("improoved", "improved"),
        ("Improved", "improved"),
        ("improved_score", "improved"),
        ("centre", "center"),
    ],
)
def test_an_unknown_name_is_answered_with_the_one_that_was_meant(written: Any, meant: Any) -> None:
    with pytest.raises(UnknownHeuristicError) as refusal:
        heuristics.get(written)
    assert f"{written!r}, did you mean {meant!r}?" in str(refusal.value)


def test_an_unknown_name_is_answered_with_the_list() -> None:
    with pytest.raises(UnknownHeuristicError) as refusal:
        heuristics.get("zzz")
    assert "did you mean" not in str(refusal.value)
    for name in heuristics.names():
        assert repr(name) in str(refusal.value)


def test_resolve_takes_names_natives_and_functions() -> None:
    def custom_score(game: Any, player: Any) -> Any:
        return 0.0

    assert heuristics.resolve("open") == heuristics.open
    assert heuristics.resolve(heuristics.open) is heuristics.open
    assert heuristics.resolve(custom_score) is custom_score


@pytest.mark.parametrize("value", [None, 3, ("open",), b"open"])
def test_what_is_no_heuristic_is_a_type_error_that_names_it(value: Any) -> None:
    with pytest.raises(TypeError) as refusal:
        heuristics.resolve(value)
    assert repr(value) in str(refusal.value)


def test_get_takes_names_only() -> None:
    with pytest.raises(TypeError, match="is a str"):
        heuristics.get(3)  # type: ignore[arg-type]


def test_a_variant_is_another_heuristic_of_the_same_base() -> None:
    bold = heuristics.aggressive.variant(factor=1.5)
    assert (bold.name, bold.base, bold.parameters) == (
        "aggressive(factor=1.5)",
        "aggressive",
        {"factor": 1.5},
    )
    assert bold != heuristics.aggressive
    assert bold == heuristics.aggressive.variant(factor=1.5)
    assert bold.variant(factor=2) == heuristics.aggressive
    assert (bold.summary, bold.formula, bold.report, bold.label) == (
        heuristics.aggressive.summary,
        "|L(p)| - factor · |L(o)|",
        "E",
        "AB_Custom",
    )
    board = Board.from_text(START)
    assert bold(board, board.active_player) == 5.0 - 1.5 * 7.0


@pytest.mark.parametrize(
    "heuristic",
    [
        heuristics.knight_decay_2.variant(r=0.3),
        heuristics.staged_continuations.variant(early=0.9),
        heuristics.weighted_sum({"bfs": 1, "close_to_opponent": 0.3}),
        heuristics.weighted_sum({heuristics.aggressive.variant(factor=1e-7): -0.5, heuristics.open: 1e300}),
        heuristics.weighted_sum({heuristics.weighted_sum({"space": 2.0}): 1.0}),
    ],
)
def test_variants_and_sums_survive_copying_pickling_and_their_repr(heuristic: Any) -> None:
    board = Board.from_text(START)
    for same in (
        pickle.loads(pickle.dumps(heuristic)),
        copy.deepcopy(heuristic),
        eval(repr(heuristic), {"heuristics": heuristics}),
    ):
        assert same == heuristic
        assert hash(same) == hash(heuristic)
        assert same(board, "player 1") == heuristic(board, "player 1")


def test_a_mistyped_parameter_is_answered_with_the_one_that_was_meant() -> None:
    with pytest.raises(InvalidArgumentError, match="'facter', did you mean 'factor'"):
        heuristics.aggressive.variant(facter=1.5)
    with pytest.raises(InvalidArgumentError, match="bfs has no parameters"):
        heuristics.bfs.variant(r=0.5)


@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan"), float("inf")])
def test_a_value_that_a_parameter_may_not_have_is_refused(value: Any) -> None:
    assert heuristics.knight_decay_2.allowed == {"r": (0.0, 1.0)}
    with pytest.raises(InvalidArgumentError, match="r must be from 0 to 1, not"):
        heuristics.knight_decay_2.variant(r=value)
    with pytest.raises(TypeError, match="r must be a number, not 'half'"):
        heuristics.knight_decay_2.variant(r="half")  # type: ignore[arg-type]
    with pytest.raises(InvalidArgumentError, match="r is too large for a float"):
        heuristics.knight_decay_2.variant(r=10**400)


def test_words_that_are_no_text_are_unknown_too() -> None:
    with pytest.raises(UnknownHeuristicError, match=r"unknown heuristic '\\udcff'"):
        heuristics.get("\udcff")
    with pytest.raises(InvalidArgumentError, match="unknown parameter"):
        heuristics.aggressive.variant(**{"\udcff": 1.0})


def test_a_sum_takes_native_heuristics_and_finite_weights() -> None:
    for parts, refusal in [
        ({}, InvalidArgumentError),
        ({"bfs": float("nan")}, InvalidArgumentError),
        ({"bfs": 10**400}, InvalidArgumentError),
        ({"bsf": 1.0}, UnknownHeuristicError),
        ({"bfs": "1.0"}, TypeError),
        ({"bfs": b"1"}, TypeError),
        ({"bfs": 1.0, heuristics.bfs: 2.0}, InvalidArgumentError),
        ({"aggressive": 1.0, heuristics.aggressive.variant(factor=2): 2.0}, InvalidArgumentError),
        ({len: 1.0}, TypeError),
        ([("bfs", 1.0)], TypeError),
    ]:
        with pytest.raises(refusal):
            heuristics.weighted_sum(parts)  # type: ignore[arg-type]


def test_sums_are_within_each_other_only_so_far_that_all_can_be_done_with_them() -> None:
    nested = heuristics.bfs
    for _ in range(50):
        nested = heuristics.weighted_sum({nested: 1.0})
    with pytest.raises(InvalidArgumentError, match="51 weighted sums within each other are too many"):
        heuristics.weighted_sum({nested: 1.0})
    assert len(repr(nested)) > 1000
    assert copy.deepcopy(nested) == pickle.loads(pickle.dumps(nested)) == nested
    assert cost.of(nested) == cost.of(heuristics.weighted_sum({"bfs": 1.0}))


def test_what_walks_says_so() -> None:
    walking = [name for name in heuristics.names() if heuristics.get(name).walks]
    assert walking
    assert all("continuations" in name or "longest_win" in name for name in walking)
    assert heuristics.weighted_sum({"open": 1.0, "longest_win": 0.1}).walks


def test_variants_and_sums_are_heuristics_of_searches_and_players() -> None:
    board = Board.from_text(START)
    for heuristic in (
        heuristics.aggressive.variant(factor=1.5),
        heuristics.weighted_sum({"bfs": 1.0, "close_to_opponent": 0.3}),
    ):
        assert search(board, heuristic, depth=2).value is not None
        assert AlphaBetaPlayer(heuristic, depth=2).get_move(board, lambda: 100.0) in board.get_legal_moves()


def test_a_board_in_doubt_is_asked_by_its_methods_for_variants_and_sums_too() -> None:
    board = Board("same", "same")
    for heuristic in (
        heuristics.open,
        heuristics.aggressive.variant(factor=1.5),
        heuristics.weighted_sum({"open": 2.0, heuristics.aggressive: 1}),
    ):
        assert isinstance(heuristic(board, "same"), float)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (lambda h: 2 * h.improved + h.open, "heuristics.weighted_sum"),
        (lambda h: h.improved - 1, "heuristics.weighted_sum"),
        (lambda h: 1 - h.improved, "heuristics.weighted_sum"),
        (lambda h: h.improved / 2, "heuristics.weighted_sum"),
        (lambda h: -h.improved, "heuristics.weighted_sum"),
        (lambda h: sum([h.improved, h.open]), "heuristics.weighted_sum"),
        (lambda h: h.aggressive(factor=1.5), r"it is aggressive\.variant\(factor=\.\.\.\)"),
        (lambda h: h.aggressive.variant(1.5), r"by name, such as aggressive\.variant\(factor=2\)"),
        (lambda h: h.improved.variant(1.5), "improved has no parameters"),
        (lambda h: h.improved(Board()), "one of its players, such as board.active_player"),
        (lambda h: h.improved(Board(), "player 1", player="player 1"), "is called with a board and one of"),
        (lambda h: h.improved(Board(), "player 1", "player 2"), "is called with a board and one of"),
    ],
)
def test_what_is_no_way_to_make_or_call_one_is_answered_with_the_way(
    written: Callable[[Any], object], said: str
) -> None:
    with pytest.raises(TypeError, match=said):
        written(heuristics)


def test_one_is_called_by_position_or_by_name() -> None:
    called: Any = heuristics.open
    board = Board()
    values = [
        called(board, "player 1"),
        called(board, player="player 1"),
        called(player="player 1", game=board),
    ]
    assert values == [49.0] * 3

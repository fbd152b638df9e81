"""The registry of native heuristics, and what may be given where a heuristic is asked for."""

import copy
import pickle
from typing import Any

import pytest

from isolation_fast import Board, UnknownHeuristicError, heuristics
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

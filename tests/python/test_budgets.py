"""Budgets: what is a limit, what is refused, and that both spellings mean the same."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation_fast import Board, Budget, InvalidBudgetError, perft, search
from isolation_fast.players import AlphaBetaPlayer, MinimaxPlayer

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"


def test_a_budget_keeps_what_it_was_given() -> None:
    budget = Budget(depth=3, nodes=500, ms=1.5)
    assert (budget.depth, budget.nodes, budget.ms) == (3, 500, 1.5)


def test_a_budget_is_frozen_and_equal_by_value() -> None:
    budget = Budget(nodes=500)
    with pytest.raises(FrozenInstanceError):
        budget.nodes = 600  # type: ignore[misc]
    assert budget == Budget(nodes=500)
    assert hash(budget) == hash(Budget(nodes=500))
    assert budget != Budget(depth=500)


@given(
    depth=st.none() | st.integers(1, 99),
    nodes=st.none() | st.integers(1, 10**9),
    ms=st.none() | st.floats(0.1, 1e9),
)
def test_the_repr_evaluates_and_copies_are_equal(depth: Any, nodes: Any, ms: Any) -> None:
    if depth is None and nodes is None and ms is None:
        return
    budget = Budget(depth=depth, nodes=nodes, ms=ms)
    assert eval(repr(budget)) == budget
    assert copy.deepcopy(budget) == budget
    assert pickle.loads(pickle.dumps(budget)) == budget


@pytest.mark.parametrize("name", ["depth", "nodes"])
@pytest.mark.parametrize("value", [0, -1, -(10**30), 1.0, True, False, "3", (3,), 1j, float("nan")])
def test_counts_are_integers_of_at_least_one(name: Any, value: Any) -> None:
    with pytest.raises(InvalidBudgetError) as refusal:
        Budget(**{name: value})
    assert str(refusal.value) == f"{name} must be an integer of at least 1, not {value!r}"


@pytest.mark.parametrize(
    "value", [0, -1, -0.5, float("nan"), float("inf"), True, "150", 1j, 10**400, Fraction(10**400)]
)
def test_a_time_is_a_finite_number_above_zero(value: Any) -> None:
    with pytest.raises(InvalidBudgetError) as refusal:
        Budget(ms=value)
    assert str(refusal.value) == f"ms must be a finite number above 0, not {value!r}"


def test_numbers_of_other_kinds_are_numbers() -> None:
    assert Budget(depth=numpy.int64(3)) == Budget(depth=3)
    assert type(Budget(depth=numpy.int64(3)).depth) is int
    assert Budget(ms=numpy.float32(1.5)).ms == 1.5
    assert Budget(ms=Fraction(3, 2)).ms == 1.5  # type: ignore[arg-type]


def test_no_limit_is_refused_everywhere() -> None:
    with pytest.raises(InvalidBudgetError, match="needs a limit"):
        Budget()
    with pytest.raises(ValueError, match="give depth=, nodes=, ms= or work="):
        search(Board(), "open")


@pytest.mark.parametrize(
    "asked", [lambda **limits: search(Board(), "open", **limits), AlphaBetaPlayer, MinimaxPlayer]
)
def test_both_spellings_at_once_are_refused(asked: Any) -> None:
    with pytest.raises(InvalidBudgetError, match="not both"):
        asked(depth=3, budget=Budget(depth=3))


@pytest.mark.parametrize("value", [3, "depth=3", {"depth": 3}, (3, None, None)])
@pytest.mark.parametrize(
    "asked", [lambda **limits: search(Board(), "open", **limits), AlphaBetaPlayer, MinimaxPlayer]
)
def test_what_is_no_budget_is_refused_by_name(asked: Any, value: Any) -> None:
    with pytest.raises(InvalidBudgetError) as refusal:
        asked(budget=value)
    assert repr(value) in str(refusal.value)


@pytest.mark.parametrize("limits", [{"depth": 3}, {"nodes": 300}, {"depth": 2, "nodes": 10**6}])
def test_a_budget_object_means_the_same_as_the_keywords(limits: Any) -> None:
    board = Board.from_text(START)
    assert search(board, "improved", **limits) == search(board, "improved", budget=Budget(**limits))


def test_limits_beyond_the_machines_integers_are_served() -> None:
    board = Board(width=2, height=3)
    assert search(board, "open", depth=10**30).reason == "exhausted"
    assert search(board, "open", nodes=10**30).reason == "exhausted"
    assert search(board, "open", ms=1e300).reason == "exhausted"
    assert search(board, "open", ms=1e-300).reason in ("time", "exhausted")
    assert perft(board, 10**30) == 0


def test_a_depth_beyond_what_the_machines_stack_holds_is_refused_by_value() -> None:
    # Only boards of more than a thousand cells have lines that long.
    with pytest.raises(InvalidBudgetError, match="1000000"):
        search(Board(width=101, height=101), "null", depth=10**6)

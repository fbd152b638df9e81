"""Costs: what they come to, where they are looked up, and that what is no cost is refused."""

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation_fast import (
    Board,
    InvalidBudgetError,
    UnknownCostError,
    cost,
    heuristics,
    search,
)
from isolation_fast.cost import BANDS, Cost, Costs, band_of

NO_ENTRIES: list[Any] = [5, "cost", [], True, {}]
LATE = Cost(2.0, (8.0, 4.0, 2.0, 1.0, 1.0))


def nothing(game: Any, player: Any) -> float:
    return 0.0


# Costs and their bands.


def test_the_bands_of_the_classic_board_are_whole_numbers_of_cells() -> None:
    counts = [sum(band_of(blank, 49) == band for blank in range(50)) for band in range(len(BANDS))]
    assert counts == [20, 5, 5, 5, 15]


@given(cells=st.integers(1, 10_000), data=st.data())
def test_on_any_board_a_band_is_found_by_the_share_of_blank_cells(cells: int, data: Any) -> None:
    blank = data.draw(st.integers(0, cells))
    band = band_of(blank, cells)
    tenths = [10 * below for below in BANDS]
    assert 10 * blank < tenths[band] * cells or band == len(BANDS) - 1
    assert band == 0 or 10 * blank >= tenths[band - 1] * cells


def test_a_flat_cost_is_the_same_everywhere_and_a_banded_one_goes_by_its_bands() -> None:
    assert {Cost(3.0).at(blank, 49) for blank in range(50)} == {3.0}
    assert [LATE.at(blank, 49) for blank in (0, 19, 20, 29, 30, 49)] == [8.0, 8.0, 4.0, 2.0, 1.0, 1.0]


@pytest.mark.parametrize("each", [Cost(3), Cost(5.2), LATE])
def test_a_cost_survives_its_repr_json_and_copies(each: Cost) -> None:
    assert eval(repr(each)) == each
    assert Cost.from_dict(json.loads(json.dumps(each.to_dict()))) == each
    assert copy.deepcopy(each) == each
    assert pickle.loads(pickle.dumps(each)) == each


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), float("inf"), True, "5", None, 1j, 10**400])
def test_a_cost_is_a_finite_number_above_zero(value: Any) -> None:
    with pytest.raises(InvalidBudgetError) as refusal:
        Cost(value)
    assert str(refusal.value) == f"cost must be a finite number above 0, not {value!r}"
    with pytest.raises(InvalidBudgetError, match="of a band must be"):
        Cost(1.0, (1.0, 1.0, 1.0, 1.0, value))


@pytest.mark.parametrize("entry", NO_ENTRIES)
def test_what_is_no_entry_of_a_cost_is_refused(entry: Any) -> None:
    with pytest.raises(InvalidBudgetError, match="a cost is written as"):
        Cost.from_dict(entry)


def test_a_cost_has_all_bands_or_none() -> None:
    with pytest.raises(InvalidBudgetError, match="the bands of a cost are 5 numbers, not 5"):
        Cost(1.0, 5)  # type: ignore[arg-type]
    with pytest.raises(InvalidBudgetError, match="5 bands or none, not 2"):
        Cost(1.0, (1.0, 2.0))


# The table.


@pytest.mark.parametrize("name", heuristics.names())
def test_every_native_heuristic_has_a_cost_in_the_table(name: str) -> None:
    found = cost.of(name)
    assert found == cost.of(heuristics.get(name))
    assert 0.01 < found.value < 1000


def test_a_variant_costs_what_it_is_a_variant_of_unless_it_is_in_the_table() -> None:
    variant = heuristics.aggressive.variant(factor=1.5)
    assert cost.of(variant) == cost.of("aggressive")
    assert Costs({"aggressive": Cost(1.0), variant.name: Cost(2.0)}, node=Cost(0.5)).of(variant) == Cost(2.0)


def test_heuristics_that_differ_in_a_factor_have_one_cost() -> None:
    assert len({cost.of(name) for name in heuristics.names() if name.startswith("knight_decay_")}) == 1


def test_a_whole_table_is_no_cost() -> None:
    table: Any = Costs({"bfs": Cost(2.0)}, node=Cost(0.5))
    with pytest.raises(InvalidBudgetError, match=r"of a table of costs take one by \.of\(NAME\)"):
        search(Board(), "bfs", work=2000, cost=table)


def test_a_sum_costs_a_node_and_what_each_part_costs_beyond_it() -> None:
    table = Costs({"open": Cost(0.75), "space": Cost(0.75), "bfs": LATE}, node=Cost(0.5))
    flat = heuristics.weighted_sum({"open": 1.0, heuristics.space: 2.0})
    assert table.of(flat).by_band == (1.0,) * len(BANDS)
    nested = heuristics.weighted_sum({flat: 1.0, "bfs": 0.1})
    assert table.of(nested) == Cost(2.5, (8.5, 4.5, 2.5, 1.5, 1.5))


def test_a_table_holds_costs_and_survives_copies() -> None:
    table = Costs({"bfs": LATE, "open": 5}, node=0.5)  # type: ignore[dict-item,arg-type]
    assert (table.of("open"), table.node) == (Cost(5.0), Cost(0.5))
    for same in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        assert (same.by_name, same.node) == (table.by_name, table.node)
    with pytest.raises(InvalidBudgetError, match="cost must be a finite number above 0, not 'x'"):
        Costs({"bfs": "x"}, node=Cost(0.5))  # type: ignore[dict-item]


def test_an_unknown_cost_says_what_to_do() -> None:
    with pytest.raises(UnknownCostError) as refusal:
        cost.of(nothing)
    assert str(refusal.value).startswith("the cost of nothing is not known: give it as cost=")
    with pytest.raises(LookupError, match="'bsf', did you mean 'bfs'"):
        cost.of("bsf")
    with pytest.raises(TypeError, match="not of an int: 3"):
        cost.of(3)  # type: ignore[arg-type]

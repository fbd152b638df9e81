"""Costs: what they come to, where they are looked up, and that what is no cost is refused."""

import copy
import json
import pickle
import random
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation_fast import (
    Board,
    InvalidArgumentError,
    InvalidBudgetError,
    UnknownCostError,
    cost,
    heuristics,
    search,
)
from isolation_fast.cost import BANDS, Cost, Costs, band_of
from isolation_fast.measuring import Timing, measure, positions
from isolation_fast.measuring.nodes import Sample, from_samples
from isolation_fast.reference import HEURISTICS
from isolation_fast.twins import twin

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


@pytest.mark.parametrize("each", [Cost(3), Cost(5.2, spread=0.01), LATE, Cost(2.0, LATE.bands, 0.5)])
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


def test_no_samples_and_no_nodes_have_no_cost() -> None:
    for samples in ([], [Sample(0, 0, Timing(0, 0.0), Timing(0, 0.0))]):
        with pytest.raises(InvalidArgumentError, match="at least one sample"):
            from_samples(samples)


def test_a_cost_has_all_bands_or_none() -> None:
    with pytest.raises(InvalidBudgetError, match="the bands of a cost are 5 numbers, not 5"):
        Cost(1.0, 5)  # type: ignore[arg-type]
    with pytest.raises(InvalidBudgetError, match="5 bands or none, not 2"):
        Cost(1.0, (1.0, 2.0))


# What samples come to.


def sample(of_round: int, band: int, seconds: float, nodes: int = 2000) -> Sample:
    return Sample(of_round, band, Timing(2000, 0.02), Timing(nodes, seconds))


def test_the_cost_is_the_ratio_of_the_nodes_a_second() -> None:
    assert from_samples([sample(0, 2, 0.06)]) == Cost(3.0)
    assert from_samples([sample(0, 2, 0.06, nodes=1000)]) == Cost(6.0)


def test_positions_count_by_their_nodes_and_seconds_together() -> None:
    assert from_samples([sample(0, 2, 0.02), sample(0, 2, 0.06)]) == Cost(2.0)


def test_the_median_of_the_rounds_counts_and_the_spread_is_their_range() -> None:
    rounds = [sample(number, 2, seconds) for number, seconds in enumerate([0.06, 0.9, 0.05])]
    assert from_samples(rounds) == Cost(3.0, spread=14.17)


def test_bands_within_a_factor_of_a_quarter_are_one() -> None:
    assert from_samples([sample(0, 0, 0.02), sample(0, 4, 0.025)]).bands is None
    assert from_samples([sample(0, 0, 0.02), sample(0, 4, 0.026)]).bands == (1.0, 1.0, 1.0, 1.3, 1.3)


def test_a_band_without_a_sample_costs_what_the_nearest_does() -> None:
    assert from_samples([sample(0, 1, 0.02), sample(0, 2, 0.2)]).bands == (1.0, 1.0, 10.0, 10.0, 10.0)


# Measuring.


def ticking(*seconds: float) -> Callable[[], float]:
    """A clock that shows at each second look that so much time has passed, one duration after the other."""

    def looks() -> Iterator[float]:
        now = 0.0
        for duration in cycle(seconds):
            yield now
            now += duration
            yield now

    return looks().__next__


def test_searches_with_improved_and_with_the_heuristic_are_timed_in_turn() -> None:
    assert measure(nothing, rounds=2, nodes=20, clock=ticking(1.0, 3.0)) == Cost(3.0)


def test_the_yardstick_costs_one_by_definition() -> None:
    assert measure("improved") == measure(heuristics.improved) == Cost(1.0)


def test_a_native_heuristic_is_measured_by_its_twin() -> None:
    variant = heuristics.aggressive.variant(factor=1.5)
    both = heuristics.weighted_sum({variant: 2.0, "open": 1.0})
    board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1")
    assert twin(heuristics.improved) is HEURISTICS["improved"]
    assert twin(both)(board, "player 1") == both(board, "player 1")
    assert measure(both, rounds=1, nodes=20, clock=ticking(1.0, 3.0)) == Cost(3.0)


def test_positions_that_a_heuristic_walks_are_nodes_of_its_searches() -> None:
    nodes: dict[str, list[int]] = {"improved": [], "continuations": []}
    for text in positions()[0]:
        board = Board.from_text(text)
        depth = search(board, "continuations", nodes=2000, seed=0).depth
        if depth > 0:  # else there is nothing to time
            limits: dict[str, Any] = {"depth": depth, "nodes": 10**9, "seed": 0}
            nodes["continuations"].append(search(board, "continuations", **limits).nodes)
            nodes["improved"].append(search(board, "improved", nodes=2000, seed=0).nodes)
    assert 0 < len(nodes["improved"]) < len(positions()[0])
    # As many seconds for both.
    found = measure("continuations", rounds=1, nodes=2000, clock=ticking(1.0))
    assert found.value == pytest.approx(sum(nodes["improved"]) / sum(nodes["continuations"]), rel=1e-3)


def test_progress_is_told_after_each_position() -> None:
    steps: list[tuple[int, int]] = []
    measure(nothing, rounds=2, nodes=5, progress=lambda *step: steps.append(step))
    assert steps == [(number, 50) for number in range(1, 51)]


def test_no_round_has_a_position_of_another_that_could_be_remembered() -> None:
    asked: list[str] = []

    def remembering(game: Any, player: Any) -> float:
        asked.append(game.to_text())
        return 0.0

    measure(remembering, rounds=2, nodes=1)
    assert len(set(asked)) == len(asked) == 50


def test_measuring_leaves_random_alone() -> None:
    random.seed(3)
    expected = random.random()
    random.seed(3)
    measure(lambda game, player: random.random(), rounds=1, nodes=5)
    assert random.random() == expected


def test_what_a_heuristic_raises_comes_out_as_itself() -> None:
    def heuristic(game: Any, player: Any) -> float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(heuristic)


@pytest.mark.parametrize("name", ["rounds", "nodes"])
def test_rounds_and_nodes_are_counts(name: Any) -> None:
    arguments: Any = {name: 0}
    with pytest.raises(InvalidBudgetError, match=f"{name} must be an integer of at least 1, not 0"):
        measure("open", **arguments)


def test_nodes_that_allow_no_depth_are_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="to depth 1 within 1 nodes"):
        measure("continuations", nodes=1)


def test_the_positions_are_of_all_bands_and_the_seed_decides_them() -> None:
    boards = [Board.from_text(text) for text in positions()[0]]
    blank = [len(board.get_blank_spaces()) for board in boards]
    assert [sum(band_of(each, 49) == band for each in blank) for band in range(len(BANDS))] == [5] * 5
    assert all(board.get_player_location(player) for board in boards for player in ("player 1", "player 2"))
    assert positions(0) == positions(0, rounds=2)[:1] != positions(1)
    # Seeds of any size, and each has positions of its own.
    assert len({text for seed in (0, 1, 2**32, 2**63) for text in positions(seed)[0]}) == 100


# The table.


@pytest.mark.parametrize("name", heuristics.names())
def test_every_native_heuristic_has_a_cost_in_the_table(name: str) -> None:
    found = cost.of(name)
    assert found == cost.of(heuristics.get(name))
    assert 0.01 < found.value < 1000


def test_the_table_says_what_it_was_made_with() -> None:
    table = cost.load(Path(cost.__file__).with_name("table.json"))
    assert table.by_name["improved"] == Cost(1.0)
    assert list(table.by_name) == heuristics.names()
    assert table.made_by["command"] == "isolation-fast cost --all --json"
    assert all(table.made_by[each] for each in ("date", "machine", "python"))


def test_a_variant_costs_what_it_is_a_variant_of_unless_it_was_measured() -> None:
    variant = heuristics.aggressive.variant(factor=1.5)
    assert cost.of(variant) == cost.of("aggressive")
    assert Costs({"aggressive": Cost(1.0), variant.name: Cost(2.0)}).of(variant) == Cost(2.0)


def test_heuristics_that_differ_in_a_factor_have_one_cost() -> None:
    assert len({cost.of(name) for name in heuristics.names() if name.startswith("knight_decay_")}) == 1


def test_a_function_is_found_by_its_name_and_by_its_file_and_name() -> None:
    def bfs(game: Any, player: Any) -> float:
        return 0.0

    table = Costs({"nothing": Cost(3.0), "ann/game_agent.py:other": Cost(4.0), "bfs": Cost(5.0)})
    assert table.of(nothing) == table.of("game_agent.py:nothing") == Cost(3.0)
    assert table.of("ann/game_agent.py:other") == table.of("/home/ann/game_agent.py:other") == Cost(4.0)
    # Neither is the native one.
    for other in (bfs, "game_agent.py:bfs", "ben/game_agent.py:other"):
        with pytest.raises(UnknownCostError):
            table.of(other)


def test_a_whole_table_is_no_cost() -> None:
    table: Any = Costs({"bfs": Cost(2.0)})
    with pytest.raises(InvalidBudgetError, match=r"of a table of costs take one by \.of\(NAME\)"):
        search(Board(), "bfs", work=2000, cost=table)


def test_a_sum_costs_a_node_and_what_each_part_costs_beyond_it() -> None:
    table = Costs({"open": Cost(0.75), "space": Cost(0.75), "bfs": LATE}, node=Cost(0.5))
    flat = heuristics.weighted_sum({"open": 1.0, heuristics.space: 2.0})
    assert table.of(flat) == Cost(1.0)
    nested = heuristics.weighted_sum({flat: 1.0, "bfs": 0.1})
    assert table.of(nested) == Cost(2.5, (8.5, 4.5, 2.5, 1.5, 1.5))


def test_a_table_holds_costs_and_survives_copies() -> None:
    table = Costs({"bfs": LATE, "open": 5}, node=0.5, made_by={"date": "today"})  # type: ignore[arg-type,dict-item]
    assert (table.of("open"), table.node) == (Cost(5.0), Cost(0.5))
    for same in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        assert (same.by_name, same.node, same.made_by) == (table.by_name, table.node, table.made_by)
    with pytest.raises(InvalidBudgetError, match="cost must be a finite number above 0, not 'x'"):
        Costs({"bfs": "x"})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="the names of heuristics, not an int: 5"):
        Costs({5: Cost(1.0)})  # type: ignore[dict-item]


def test_a_table_without_the_cost_of_a_node_knows_no_sums() -> None:
    with pytest.raises(UnknownCostError, match="what a node costs"):
        Costs({"open": Cost(0.75)}).of(heuristics.weighted_sum({"open": 1.0}))


def test_an_unknown_cost_says_what_to_do() -> None:
    with pytest.raises(UnknownCostError) as refusal:
        cost.of(nothing)
    assert str(refusal.value).startswith("the cost of nothing is not known: give it as cost=")
    with pytest.raises(LookupError, match="'bsf', did you mean 'bfs'"):
        cost.of("bsf")
    with pytest.raises(TypeError, match="not of an int: 3"):
        cost.of(3)  # type: ignore[arg-type]


def written(path: Path, **changes: Any) -> Path:
    entries = [{"name": "custom_score", **LATE.to_dict()}]
    path.write_text(json.dumps({"bands": list(BANDS), "node": None, "heuristics": entries, **changes}))
    return path


def test_a_table_of_ones_own_is_read_from_a_file(tmp_path: Path) -> None:
    table = cost.load(written(tmp_path / "costs.json"))
    assert table.of("custom_score") == LATE
    assert (table.node, dict(table.made_by)) == (None, {})
    with pytest.raises(UnknownCostError, match="did you mean 'custom_score'"):
        table.of("custom_scores")
    with pytest.raises(TypeError):
        table.by_name["custom_score"] = Cost(1.0)  # type: ignore[index]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bands": [0.5, 1.0]}, "other bands of blank cells"),
        ({"heuristics": None}, "no list `heuristics`"),
        ({"heuristics": [{"cost": 1.0}]}, "an entry without a name"),
        ({"heuristics": [{"name": "a", "cost": 1.0}] * 2}, "two entries of the name 'a'"),
        ({"heuristics": [{"name": "a", "cost": "1"}]}, "a: cost must be a finite number above 0, not '1'"),
        ({"heuristics": [{"name": "a"}]}, "a: a cost is written as"),
        ({"heuristics": [{"name": "a", "cost": 1.0, "bands": 3}]}, "a: a cost is written as"),
        ({"node": {"cost": 0}}, "node: cost must be"),
        *[({"node": each}, "node: a cost is written as") for each in NO_ENTRIES],
    ],
)
def test_a_file_that_is_no_table_is_refused_with_what_is_wrong(
    tmp_path: Path, changes: Any, message: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=message) as refusal:
        cost.load(written(tmp_path / "costs.json", **changes))
    assert "costs.json" in str(refusal.value)


@pytest.mark.parametrize("text", ["", "[]", "3", "{", "[" * 100_000])
def test_a_file_that_holds_something_else_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "costs.json").write_text(text)
    with pytest.raises(InvalidArgumentError, match="is no table of costs"):
        cost.load(tmp_path / "costs.json")

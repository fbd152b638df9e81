"""Costs that are counted: the same work buys a native heuristic as many nodes as its program."""

import json
from collections.abc import Iterator
from itertools import islice
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from isolation_fast import InvalidArgumentError, cost, heuristics, search
from isolation_fast.cost import BANDS, PRICES_VERSION, WITH_IMPROVED, Cost, band_of
from isolation_fast.counting import TURNS, WORK, count_cost, positions_of_turns, turns_of
from isolation_fast.heuristics import Heuristic
from isolation_fast.programs import Program, program_of
from isolation_fast.twins import twin

OTHER_GAMES = 100_000
"""From here on no game is one that the table was counted from."""
EACH = 40
BEYOND_CHANCE = 3.5
"""Standard errors by which the mean may differ: one of 200 comparisons is beyond by chance in 1 of 10 runs of
other games, and these games are always the same. In all turns of a band work buys a native heuristic the same
nodes. What it buys the program varies by the position: most by 10 % of the mean, so these 40 turns hold their
cost to 8 %; in fuller boards those that value stuck positions cheaply vary by up to half of it."""
ROUNDED = 0.02
"""What `improved` counted by its program is off by, and so the unit of the table."""


def turns_of_both(heuristic: Heuristic, band: int) -> Iterator[tuple[float, float]]:
    """Of each turn that its work ended the nodes of the program, and those of the native heuristic."""
    if heuristic.walks:
        # A program that walks pays for it, and has no nodes for it: both search to the same depth.
        for price, nodes in turns_of(heuristic, band, OTHER_GAMES):
            yield nodes, price / WITH_IMPROVED[band] / cost.of(heuristic).by_band[band]
        return
    function = twin(heuristic)
    for board in positions_of_turns(OTHER_GAMES)[band]:
        counted = search(board, function, work=WORK)
        if counted.reason == "nodes":
            yield counted.nodes, search(board, heuristic, work=WORK).nodes


@pytest.mark.parametrize("name", heuristics.names())
def test_work_buys_a_native_heuristic_as_many_nodes_as_its_program(name: str) -> None:
    for band in range(len(BANDS)):
        found = list(islice(turns_of_both(heuristics.get(name), band), EACH))
        if len(found) == EACH:
            of_program, native = zip(*found, strict=True)
            # Of these turns, and of those of the table.
            error = stdev(of_program) * sqrt(1 / EACH + 1 / TURNS)
            tolerance = BEYOND_CHANCE * error + ROUNDED * fmean(of_program)
            assert fmean(native) == pytest.approx(fmean(of_program), abs=tolerance), band


def nothing(game: Any, player: Any) -> float:
    return 0.0


def test_counting_repeats_to_the_bit_and_is_what_the_table_holds() -> None:
    assert count_cost(heuristics.get("open")) == count_cost(heuristics.get("open")) == cost.of("open")
    table = json.loads(Path(cost.__file__).with_name("table.json").read_text(encoding="utf-8"))
    assert (table["prices"], table["bands"]) == (PRICES_VERSION, list(BANDS))
    assert [entry["name"] for entry in table["heuristics"]] == heuristics.names()
    assert Cost.from_dict(table["node"]) == count_cost(program_of(nothing))


def test_improved_is_the_unit_and_counted_it_is() -> None:
    assert count_cost(heuristics.get("improved")) == cost.of("improved") == Cost(1.0)
    program = program_of(twin(heuristics.get("improved")))
    assert count_cost(program).by_band == pytest.approx((1.0,) * len(BANDS), rel=0.02)


def test_positions_are_turns_of_every_band() -> None:
    for band, boards in enumerate(positions_of_turns()):
        assert len(boards) > 1000
        assert {band_of(len(board.get_blank_spaces()), 49) for board in boards} == {band}


def test_a_variant_and_a_sum_are_counted_as_what_they_are() -> None:
    whole = count_cost(heuristics.weighted_sum({"bfs": 1.0, "open": 0.5}), turns=5)
    assert whole.value > count_cost(heuristics.get("bfs"), turns=5).value
    variant = heuristics.get("blend_then_continuations").variant(threshold=0.0)
    assert count_cost(variant, turns=5).value < 3


def failing(game: Any, player: Any) -> float:
    return float(1 / (game.width - 7))


def test_a_program_without_values_has_no_cost() -> None:
    program: Program = program_of(failing)
    with pytest.raises(InvalidArgumentError, match="no turn was ended by work=2000"):
        count_cost(program)
    with pytest.raises(InvalidArgumentError, match="turns must be an integer of at least 1, not 0"):
        count_cost(program, turns=0)

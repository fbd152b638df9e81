"""Costs that are kept by the content of a submission."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from isolation_fast import Cost
from isolation_fast.cost import in_steps
from isolation_fast.jail import Limits
from isolation_fast.measuring import CostInPlay, ObservedCost
from isolation_grader.costs import Costs, CostStore, StoredCost
from isolation_grader.exceptions import GraderError
from isolation_grader.options import write_whole

STORED = StoredCost(Cost(1.25), "measured", Cost(1.3))


def test_stored_costs_are_those_of_one_content(tmp_path: Path) -> None:
    store = CostStore(tmp_path)
    banded = StoredCost(Cost(2.0, (3.0, 2.5, 2.0, 1.5, 1.0)), "observed", Cost(1.9))
    store.put("one", "custom_score", STORED)
    store.put("one", "custom_score_2", banded)
    store.put("two", "custom_score", banded)
    assert [store.get("one", name) for name in ("custom_score", "custom_score_2")] == [STORED, banded]
    assert store.get("two", "custom_score_2") is None
    assert store.get("three", "custom_score") is None


@pytest.mark.parametrize(
    "text", ["", "[]", "[" * 100_000, '{"schema": "another", "costs": {}}', '{"costs": 3}']
)
def test_what_is_no_file_of_costs_is_named_once_and_written_anew(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.json").write_text(text)
    store = CostStore(tmp_path)
    assert store.get("one", "custom_score") is store.get("one", "custom_score_2") is None
    (line,) = capsys.readouterr().err.splitlines()
    assert re.match(
        r"isolation-grade: what is stored cannot be used, and is measured anew: .*one\.json: ", line
    )
    store.put("one", "custom_score", STORED)
    assert CostStore(tmp_path).get("one", "custom_score") == STORED
    assert capsys.readouterr().err == ""


def test_costs_of_an_earlier_yardstick_are_not_known(tmp_path: Path) -> None:
    store = CostStore(tmp_path)
    store.put("one", "custom_score", STORED)
    path = tmp_path / "one.json"
    path.write_text(path.read_text().replace("costs/2", "costs/1"))
    assert store.get("one", "custom_score") is None
    store.put("one", "custom_score_2", STORED)
    assert store.heuristics("one") == ("custom_score_2",)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("confirmed", None, "it has no 'confirmed'"),
        ("cost", None, "a cost is written as"),
        ("raw", None, "it has no 'raw'"),
        ("source", None, "it has no 'source'"),
        ("raw", 3, "a cost is written as"),
        ("bands", [1], "5 bands"),
        ("cost", -1, "finite number above 0"),
        ("source", "guessed", "'measured' or 'observed', not 'guessed'"),
        ("confirmed", 1, "confirmed is true or false, not 1"),
    ],
)
def test_a_stored_cost_that_cannot_be_used_is_not_known_and_its_neighbour_is(
    tmp_path: Path, field: str, value: object, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("custom_score", "custom_score_2"):
        CostStore(tmp_path).put("one", name, STORED)
    path = tmp_path / "one.json"
    content = json.loads(path.read_text())
    content["costs"]["custom_score"][field] = value
    if value is None:
        del content["costs"]["custom_score"][field]
    path.write_text(json.dumps(content))
    store = CostStore(tmp_path)
    assert [store.get("one", name) for name in ("custom_score", "custom_score_2")] == [None, STORED]
    (line,) = capsys.readouterr().err.splitlines()
    assert "the stored cost of custom_score cannot be used, and is measured anew: " in line
    assert told in line


def test_what_it_took_in_play_is_kept_in_place_of_what_was_measured(tmp_path: Path) -> None:
    store = CostStore(tmp_path)
    costs = Costs(Path("game_agent.py"), "", "one", None, store, Limits())
    store.put("one", "custom_score", STORED)
    before = costs.of("custom_score")
    after = costs.observed("custom_score", before, ObservedCost("custom_score", before.cost, 3.0, 100))
    assert (before.source, after.source) == ("stored", "observed")
    assert after.cost == in_steps(Cost(3.75))
    assert costs.of("custom_score").cost == after.cost


def test_what_was_observed_of_a_given_cost_is_not_kept(tmp_path: Path) -> None:
    store = CostStore(tmp_path)
    costs = Costs(Path("game_agent.py"), "", "one", 1.0, store, Limits())
    store.put("one", "custom_score", STORED)
    given = CostInPlay(Cost(1.0), "given")
    after = costs.observed("custom_score", given, ObservedCost("custom_score", given.cost, 3.0, 100))
    assert (after.source, after.cost) == ("observed", in_steps(Cost(3.0)))
    assert store.get("one", "custom_score") == STORED


def test_a_cost_that_was_not_played_at_yet_is_taken_for_measured(tmp_path: Path) -> None:
    store = CostStore(tmp_path)
    costs = Costs(Path("game_agent.py"), "", "one", None, store, Limits())
    store.put("one", "custom_score", replace(STORED, is_confirmed=False))
    assert [costs.of("custom_score").source, costs.of("custom_score").raw] == ["measured", Cost(1.3)]
    costs.confirm("custom_score")
    assert costs.of("custom_score").source == "stored"


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    link, pipe = tmp_path / "link", tmp_path / "pipe"
    (tmp_path / "file").write_text("old")
    link.symlink_to(tmp_path / "file")
    write_whole(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "file").read_text() == "new"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_file_is_written_as_a_whole_or_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.json"
    write_whole(path, "one")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "two \ud800")
    assert path.read_text() == "one"
    assert [each.name for each in path.parent.iterdir()] == ["file.json"]
    with pytest.raises(GraderError, match="cannot be written"):
        write_whole(path / "below", "three")

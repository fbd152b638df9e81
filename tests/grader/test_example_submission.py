"""The submission of `make grade`, with what is stored beside it."""

import json
from pathlib import Path

from isolation_fast.jail import content_digest
from isolation_fast.tournament import Gauntlet
from isolation_grader.baseline import BaselineAsked, baseline
from isolation_grader.costs import CostStore
from isolation_grader.options import checked_budget

EXAMPLES = Path(__file__).parents[2] / "examples"
STORE = EXAMPLES / "store"
BLOCKS = 50


def test_its_cost_was_measured_for_what_it_is_now() -> None:
    digest = content_digest(EXAMPLES / "territory_agent.py")
    stored = CostStore(STORE / "costs").get(digest, "custom_score")
    assert stored is not None
    assert stored.source == "measured"
    assert [each.stem for each in (STORE / "costs").iterdir()] == [digest]


def test_the_stored_baseline_begins_as_it_is_played_now() -> None:
    (path,) = (STORE / "baselines").iterdir()
    content = json.loads(path.read_text())
    found = baseline(BaselineAsked("classic", 0, checked_budget(None, players=False), 120), STORE)
    assert [each.name for each in (STORE / "baselines").iterdir()] == [path.name]
    assert found.rate.interval.margin <= 0.003
    fresh = Gauntlet(["AB_Improved"], games=2 * BLOCKS, seed=0, budget="work=2000").run()
    for stored, played in zip(content["scores"], fresh.player("AB_Improved").scores, strict=True):
        assert stored["opponent"] == played.opponent
        assert stored["won_of_each_pair"][:BLOCKS] == "".join(map(str, played.pair_wins))

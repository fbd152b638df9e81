"""The submission of `make grade`, with what is stored beside it."""

from pathlib import Path

from isolation_fast.jail import content_digest
from isolation_grader.costs import CostStore

EXAMPLES = Path(__file__).parents[2] / "examples"
STORE = EXAMPLES / "store"


def test_its_cost_was_measured_for_what_it_is_now() -> None:
    digest = content_digest(EXAMPLES / "territory_agent.py")
    stored = CostStore(STORE / "costs").get(digest, "custom_score")
    assert stored is not None
    assert stored.source == "measured"
    assert [each.stem for each in (STORE / "costs").iterdir()] == [digest]

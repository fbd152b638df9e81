"""What the tests of tournaments share."""

import pytest


@pytest.fixture(autouse=True)
def one_round_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Costs are measured in the jail over one round: these tests are not about their error."""
    monkeypatch.setattr("isolation_fast.measuring.nodes.is_enough", lambda samples: True)

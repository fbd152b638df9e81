"""The law of costs: whoever asks, the same measured cost is the same budget."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import isolation_fast.cli.cost
import isolation_fast.tournament.costing
import isolation_grader.costs
from isolation_fast import Board, Cost, cost, search
from isolation_fast.cli import main
from isolation_fast.jail import Limits
from isolation_fast.measuring import positions
from isolation_fast.playing.protocol import Measured
from isolation_fast.tournament import Match

WORK = 300
SCORE = "def custom_score(game, player):\n    return 0.0\n"
# What was measured, and the nodes of a search in each band of blank cells, the fullest boards first.
MEASURED = {
    Cost(1.0, spread=0.02): [300, 300, 300, 300, 300],
    Cost(2.1): [154, 154, 154, 154, 154],
    Cost(1.1, (1.0, 1.1, 1.1, 1.2, 1.24)): [300, 300, 300, 300, 300],
    Cost(3.0, (8.1, 4.2, 3.0, 2.0, 1.0)): [40, 79, 98, 154, 300],
    Cost(0.9, (0.6, 0.7, 0.9, 1.1, 1.3)): [469, 469, 300, 300, 240],
}

Ask = Callable[[Path, Cost, pytest.MonkeyPatch, Any], Cost]


def finds(measured: Cost) -> Callable[..., Cost]:
    """A measurement that is fabricated. Nobody has rounds or nodes of its own."""

    def measure(*_: object, rounds: None = None, **options: object) -> Cost:
        assert rounds is None
        assert "nodes" not in options
        return measured

    return measure


def by_a_jailed_tournament(file: Path, found: Cost, patch: pytest.MonkeyPatch, _: Any) -> Cost:
    patch.setattr(isolation_fast.tournament.costing, "measure_cost", finds(found))
    budget = Match(f"{file}:custom_score", "Random", games=2).plan().entrants[0].budget
    assert budget is not None
    return cost.checked_cost(budget.cost)


def by_a_tournament(file: Path, found: Cost, patch: pytest.MonkeyPatch, _: Any) -> Cost:
    patch.setattr(isolation_fast.tournament.costing, "reported", lambda *_: Measured(found))
    budget = Match(f"{file}:custom_score", "Random", games=2, jail=False).plan().entrants[0].budget
    assert budget is not None
    return cost.checked_cost(budget.cost)


def by_a_grading(file: Path, found: Cost, patch: pytest.MonkeyPatch, _: Any) -> Cost:
    patch.setattr(isolation_grader.costs, "measure_cost", finds(found))
    store = isolation_grader.costs.CostStore(file.parent / "store")
    return isolation_grader.costs.Costs(file, "", "digest", None, store, Limits()).of("custom_score").cost


def by_the_command(file: Path, found: Cost, patch: pytest.MonkeyPatch, printed: Any) -> Cost:
    patch.setattr(isolation_fast.cli.cost, "measure_cost", finds(found))
    assert main(["cost", f"{file}:custom_score", "--json"]) == 0
    (file.parent / "costs.json").write_text(printed.readouterr().out)
    return cost.load(file.parent / "costs.json").of("custom_score")


def by_the_command_without_a_jail(file: Path, found: Cost, patch: pytest.MonkeyPatch, printed: Any) -> Cost:
    patch.setattr(isolation_fast.cli.cost, "measure", lambda *args, **options: finds(found)(**options))
    assert main(["cost", f"{file}:custom_score", "--json", "--no-jail"]) == 0
    entry = json.loads(printed.readouterr().out)["heuristics"][0]
    return Cost.from_dict(entry)


def by_a_program(_file: Path, found: Cost, _patch: pytest.MonkeyPatch, _: Any) -> Cost:
    return cost.in_steps(found)


@pytest.mark.parametrize("measured", MEASURED, ids=str)
@pytest.mark.parametrize(
    "ask",
    [
        by_a_jailed_tournament,
        by_a_tournament,
        by_a_grading,
        by_the_command,
        by_the_command_without_a_jail,
        by_a_program,
    ],
)
def test_whoever_asks_the_same_measured_cost_is_the_same_budget(
    ask: Ask,
    measured: Cost,
    write_submission: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = write_submission(SCORE) / "game_agent.py"
    asked = ask(file, measured, monkeypatch, capsys)
    # The last of the five positions of each band. A search finds 500 nodes there, so the budget ends it.
    boards = [Board.from_text(text) for text in positions()[0][4::5]]
    nodes = [search(board, "improved", work=WORK, cost=asked, seed=0).nodes for board in boards]
    assert nodes == MEASURED[measured]

"""Budgets of work in tournaments: a plan says what native heuristics cost; functions spend as they go."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import AlphaBetaPlayer, Budget, Cost, MinimaxPlayer, UnknownCostError, cost, heuristics
from isolation_fast.compiled import not_compiling
from isolation_fast.cost import NODE, WITH_IMPROVED, table
from isolation_fast.exceptions import InvalidArgumentError, InvalidBudgetError, JournalError
from isolation_fast.playing.entrants import NativeEntrant, ObjectEntrant
from isolation_fast.tournament import Match, Plan, Tournament, entrant

ROOT = Path(__file__).resolve().parents[3]
GAME_AGENT = str(ROOT / "examples" / "game_agent.py")


def own_score(game: Any, player: Any) -> float:
    return float(len(game.get_legal_moves(player)))


def match(player: Any, opponent: Any = "Random", **options: Any) -> Tournament:
    return Match(player, opponent, **{"games": 2, **options})


def cost_in(plan: Plan, number: int = 0) -> Any:
    budget = plan.entrants[number].budget
    return None if budget is None else budget.cost


def test_a_native_player_gets_the_cost_of_the_table_when_it_is_planned() -> None:
    for player in (
        "AB:bfs",
        "AB:bfs@work=2000",
        heuristics.bfs,
        AlphaBetaPlayer("bfs", work=2000),
        NativeEntrant("me", "alphabeta", heuristics.bfs, Budget(work=2000)),
    ):
        assert entrant(player).budget == Budget(work=2000, cost=cost.of("bfs"))
    sums = heuristics.weighted_sum({"bfs": 1.0, "open": 0.5})
    assert entrant(sums).budget == Budget(work=2000, cost=cost.of(sums))
    assert cost_in(match("AB_Improved").plan()) == 1.0
    assert entrant("AB:bfs@work=2000,cost=3").budget == Budget(work=2000, cost=3)


def test_so_does_a_player_that_is_pickled_as_it_is() -> None:
    for player in (AlphaBetaPlayer("bfs", seed=3), MinimaxPlayer("bfs", work=2000)):
        made = entrant(player)
        assert isinstance(made, ObjectEntrant)
        assert pickle.loads(made.pickled).budget == Budget(work=2000, cost=cost.of("bfs"))
    with pytest.raises(UnknownCostError, match=r"own_score is not known: .*; give it a cost= beside work="):
        entrant(AlphaBetaPlayer(own_score, seed=3))


def test_a_native_heuristic_that_is_in_no_table_is_refused_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table, "_packaged", lambda: cost.Costs({}, cost.Cost(0.5)))
    with pytest.raises(
        UnknownCostError, match=r"AB:bfs, .* is not known: .* give it a cost= beside work=, or"
    ):
        entrant("AB:bfs")
    assert entrant("AB:bfs@cost=2").budget == Budget(work=2000, cost=2)


def test_plans_that_differ_in_a_band_are_described_differently() -> None:
    def described(*bands: float) -> object:
        plan = match({"me": AlphaBetaPlayer("bfs", work=100, cost=Cost(2.0, bands))}).plan()
        return json.loads(json.dumps(plan.described()))["entrants"][0]["budget"]

    assert described(8, 4, 2, 1, 1) == "work=100,cost=2.0:8.0/4.0/2.0/1.0/1.0"
    assert described(8, 4, 2, 1, 1.5) != described(8, 4, 2, 1, 1)


def test_a_cost_alone_goes_with_the_work_of_the_tournament() -> None:
    assert entrant("AB:bfs@cost=2", default_budget="work=50").budget == Budget(work=50, cost=2)
    assert entrant(f"{GAME_AGENT}:custom_score@cost=2,mode=fast").budget == Budget(work=2000, cost=2)
    with pytest.raises(InvalidBudgetError, match="cost= goes with work="):
        entrant("AB:bfs@cost=2", default_budget="nodes=50")
    with pytest.raises(InvalidArgumentError, match=r"a cost is that of one heuristic.*@cost=2\.0"):
        match("AB:bfs", budget="work=50,cost=2")


def test_a_cost_is_no_part_of_a_name() -> None:
    texts = {
        f"{GAME_AGENT}:custom_score@cost=2": "game_agent.py:custom_score",
        "AB:bfs@work=50,cost=2:1/2/3/4/5,mode=fast": "AB:bfs@work=50,mode=fast",
    }
    assert {text: entrant(text).name for text in texts} == texts


def test_a_journal_of_another_cost_is_refused_and_says_which(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    match({"me": f"{GAME_AGENT}:custom_score@work=5,cost=1"}).run(journal=journal)
    with pytest.raises(JournalError, match=r"work=5,cost=1\.0"):
        match({"me": f"{GAME_AGENT}:custom_score@work=5,cost=2"}).run(journal=journal, resume=True)


@pytest.mark.parametrize("jail", [True, False])
def test_a_function_spends_its_work_as_it_goes(jail: bool) -> None:
    nodes = []
    for player in ({"me": own_score}, {"me": f"{GAME_AGENT}:custom_score@work=2000"}):
        with not_compiling():
            tournament = match(player, "AB_Improved@depth=1", jail=jail if "custom" in str(player) else None)
        assert cost_in(tournament.plan()) is None
        result = tournament.run()
        found = result.player("me")
        assert not result.reproducible
        assert found.searched is not None
        nodes.append(found.searched.nodes / found.searched.turns)
    # By the price of nodes alone there are so many.
    assert all(0 < each <= 2000 * WITH_IMPROVED[-1] / NODE for each in nodes)


def test_a_function_whose_cost_is_given_has_so_many_nodes_each_time() -> None:
    played = [match({"me": f"{GAME_AGENT}:custom_score@work=500,cost=2"}).run() for _ in range(2)]
    assert played[0].to_dict() == played[1].to_dict()
    assert played[0].reproducible

"""Budgets of work in tournaments: a plan says what each heuristic costs, and measures those nobody knows."""

import json
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import AlphaBetaPlayer, Budget, Cost, MinimaxPlayer, UnknownCostError, cost, heuristics
from isolation_fast.budgets import budget_text
from isolation_fast.cli import main
from isolation_fast.cost import table
from isolation_fast.exceptions import InvalidArgumentError, InvalidBudgetError, JournalError, WorkerError
from isolation_fast.playing.entrants import NativeEntrant, ObjectEntrant
from isolation_fast.tournament import Match, Plan, RoundRobin, Tournament, entrant
from isolation_fast.tournament.costing import with_costs

ROOT = Path(__file__).resolve().parents[3]
GAME_AGENT = str(ROOT / "examples" / "game_agent.py")


def own_score(game: Any, player: Any) -> float:
    return float(len(game.get_legal_moves(player)))


def asks_its_player(game: Any, player: Any) -> float:
    return float(player.time_left() > 100) + len(player.score.__name__)


def raises(game: Any, player: Any) -> float:
    raise ZeroDivisionError("no moves to divide by")


def hangs(game: Any, player: Any) -> float:
    while True:
        pass


def exits(game: Any, player: Any) -> float:
    import os

    os._exit(3)


class OwnPlayer:
    def get_move(self, game: Any, time_left: Any) -> Any:
        return (game.get_legal_moves() or [(-1, -1)])[0]


def match(player: Any, opponent: Any = "Random", **options: Any) -> Tournament:
    return Match(player, opponent, **{"games": 2, **options})


def cost_in(plan: Plan, number: int = 0) -> Any:
    budget = plan.entrants[number].budget
    return None if budget is None else budget.cost


def uncosted(player: Any) -> Plan:
    """The plan of a tournament as it is before anything is measured."""
    return replace(match("Random", "Greedy").plan(), entrants=(entrant(player), entrant("Random")))


def submission(folder: Path, source: str) -> str:
    file = folder / "game_agent.py"
    file.write_text(source)
    return str(file)


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
    monkeypatch.setattr(table, "_packaged", lambda: cost.Costs({}))
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


def test_the_cost_of_a_function_is_measured_by_the_first_plan_and_kept() -> None:
    tournament = match(own_score, "AB_Improved@depth=1", budget="work=20")
    told: list[Any] = []
    plan = tournament.plan(on_cost=lambda *measured: told.append(measured))
    assert told == [("own_score", *(each[1] for each in told))]
    [(_, measured)] = told
    assert 0.01 < measured.value < 100
    assert cost_in(plan) == (measured if measured.bands else measured.value)
    assert plan.described()["entrants"][0]["budget"] == budget_text(Budget(work=20, cost=measured))  # type: ignore[index]
    assert tournament.plan() is plan
    assert tournament.run().games == 2


def test_a_measured_cost_and_the_same_one_given_make_the_same_plan() -> None:
    measured = match(f"{GAME_AGENT}:custom_score").plan()
    text = budget_text(measured.entrants[0].budget or Budget()).partition("cost=")[2]
    again = match(f"{GAME_AGENT}:custom_score@cost={text}").plan()
    assert again.described() == measured.described()


def test_a_member_of_a_file_is_measured_once_however_often_it_takes_part() -> None:
    players = {"one": f"{GAME_AGENT}:custom_score_2", "two": f"{GAME_AGENT}:custom_score_2@work=50"}
    plan = RoundRobin(players, games=2).plan()
    assert cost_in(plan, 0) == cost_in(plan, 1) is not None


def test_what_a_heuristic_asks_its_player_is_answered_as_in_a_game() -> None:
    assert cost_in(match(asks_its_player).plan()) is not None


def test_players_that_play_by_themselves_and_other_budgets_need_no_cost(tmp_path: Path) -> None:
    for player in (OwnPlayer(), f"{GAME_AGENT}:AlphaBetaPlayer", f"{GAME_AGENT}:custom_score@nodes=5"):
        assert cost_in(match(player).plan()) is None
    # That this is a class is known only when the file is run.
    late = submission(
        tmp_path,
        "class Own:\n    def get_move(self, game, time_left):\n        return (0, 0)\nlater = Own\n"
        "def custom_score(game, player):\n    return 0.0\n",
    )
    assert cost_in(match(f"{late}:later").plan()) is None


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (raises, r"ZeroDivisionError: no moves to divide by \(test_tournament_costs.py:\d+ in raises\)"),
        (exits, "its process exited with status 3"),
    ],
)
def test_a_heuristic_that_cannot_be_measured_is_an_error_that_says_why_and_what_to_do(
    function: Any, problem: str
) -> None:
    with pytest.raises(UnknownCostError) as caught:
        match({"mine": function}).run()
    message = str(caught.value)
    assert message.startswith("the cost of mine, which its budget of work needs, cannot be measured: ")
    assert re.search(problem, message)
    assert message.endswith("give it a cost= beside work=, or a budget of nodes=, depth= or ms=")


def test_a_heuristic_that_hangs_is_not_waited_for() -> None:
    with pytest.raises(UnknownCostError, match=r"cannot be measured: no answer within 0\.5 s"):
        with_costs(uncosted(hangs), seconds=0.5)


def test_a_file_that_cannot_be_loaded_cannot_be_measured(tmp_path: Path) -> None:
    score = "def custom_score(game, player):\n    return 0.0\n"
    with pytest.raises(UnknownCostError, match=r"cannot be measured: .*no_such_module"):
        match(f"{submission(tmp_path, f'import no_such_module{chr(10)}{score}')}:custom_score").plan()
    file = submission(tmp_path, score)
    tournament = match(f"{file}:custom_score")
    submission(tmp_path, f"{score}# changed\n")
    with pytest.raises(InvalidArgumentError, match="has changed since"):
        tournament.plan()


def test_a_journal_of_another_cost_is_refused_and_says_which(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    match({"me": f"{GAME_AGENT}:custom_score@work=5,cost=1"}).run(journal=journal)
    with pytest.raises(JournalError, match=r"work=5,cost=1\.0"):
        match({"me": f"{GAME_AGENT}:custom_score@work=5,cost=2"}).run(journal=journal, resume=True)


SCRIPT = """
from isolation_fast.tournament import Match
def score(game, player): return 0.0
tournament = Match(score, "Random", games=2)
{guard}print(tournament.plan().entrants[0].budget.work)
"""


def test_a_function_of_a_script_is_measured_where_the_script_has_its_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    for guard, answer, problem in (
        ('if __name__ == "__main__": ', "2000\n", ""),
        ("", "", f"{WorkerError.__name__}: the script plays its tournament again"),
    ):
        script.write_text(SCRIPT.format(guard=guard))
        ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
        assert ended.stdout == answer
        assert problem in ended.stderr


def test_the_command_says_on_stderr_what_it_measured(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--roster", "Random", "--games", "2", "--budget", "work=5", "--json"]
    assert main(["tournament", f"{GAME_AGENT}:custom_score", *options]) == 0
    measured = capsys.readouterr()
    [said] = [line for line in measured.err.splitlines() if " measured: " in line]
    assert said.startswith("isolation-fast: cost of game_agent.py:custom_score measured: ")
    given = said.partition("the option ")[2].partition(" ")[0]
    assert main(["tournament", f"{GAME_AGENT}:custom_score@{given}", *options]) == 0
    again = capsys.readouterr()
    assert again.out == measured.out
    assert " measured: " not in again.err


def test_the_command_refuses_what_cannot_be_measured(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = submission(tmp_path, "def custom_score(game, player):\n    return game.no_such_thing\n")
    assert main(["tournament", f"{file}:custom_score", "--games", "2"]) == 2
    assert "the cost of game_agent.py:custom_score, which its budget of work needs" in capsys.readouterr().err

"""How much one value of a heuristic may take: exactly where it is counted, by CPU time elsewhere."""

import json
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import JournalError
from isolation_fast.compiled import not_compiling
from isolation_fast.endings import GameEnding
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.tournament import Match, Tournament, TournamentResult

FILE = """
def improved(game, player):
    own, other = game.get_legal_moves(player), game.get_legal_moves(game.get_opponent(player))
    return float(len(own) - len(other))

def searching(game, player):
    best = -100.0
    for move in game.get_legal_moves():
        after = game.forecast_move(move)
        for reply in after.get_legal_moves():
            best = max(best, float(len(after.forecast_move(reply).get_legal_moves(player))))
    return best

def thinking(game, player):
    for _ in range(30):
        sorted(range(100_000), key=lambda number: -number)
    return 0.0
"""
ENDING: GameEnding = "value overspent"


@pytest.fixture(name="file")
def file_fixture(tmp_path: Path) -> Path:
    file = tmp_path / "game_agent.py"
    file.write_text(FILE)
    return file


def match(file: Path, name: str, **options: Any) -> Tournament:
    settings: dict[str, Any] = {"games": 12, "seed": 3, "budget": "work=300", **options}
    return Match({"me": f"{file}:{name}"}, "Random", **settings)


def lost_by_it(result: TournamentResult) -> int:
    return result.player("me").endings.get(ENDING, 0)


def test_a_value_beyond_it_loses_the_game_where_it_is_counted(file: Path, tmp_path: Path) -> None:
    records = tmp_path / "records"
    result = match(file, "searching", value_work=10, record=True).run(records=records)
    assert result.player("me").is_broken
    assert lost_by_it(result) == 3
    ended = [
        each for each in map(json.loads, records.read_text().splitlines()) if each.get("ending") == ENDING
    ]
    assert len(ended) == 3
    assert all(each["detail"].startswith("its value for player ") for each in ended)
    assert all(each["players"][each["winner"] - 1] == "Random" for each in ended)
    # What stays within it plays the games that it plays without a limit.
    for name, most in (("searching", 10_000), ("improved", 2)):
        limited, free = match(file, name, value_work=most).run(), match(file, name).run()
        assert lost_by_it(limited) == 0
        assert limited.player("me") == free.player("me")


def test_it_is_the_same_for_any_workers_and_no_journal_mixes_two(file: Path, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    tournament = match(file, "searching", value_work=12, budget="nodes=40")
    alone = tournament.run(workers=1, journal=journal)
    assert alone.plan["entrants"][0]["value_work"] == 12
    assert all(tournament.run(workers=workers).to_json() == alone.to_json() for workers in (2, 5))
    other = match(file, "searching", value_work=13, budget="nodes=40")
    with pytest.raises(JournalError, match="value_work is 12 there and 13 here"):
        other.run(journal=journal, resume=True)


@pytest.mark.parametrize("jail", [None, False], ids=["jail", "outside"])
@pytest.mark.parametrize("budget", ["work=300", "nodes=20"])
def test_so_it_does_where_it_is_timed(file: Path, *, jail: bool | None, budget: str) -> None:
    with not_compiling():
        thinking = match(file, "thinking", value_work=50, budget=budget, jail=jail, games=6)
        improved = match(file, "improved", value_work=100_000, budget=budget, jail=jail, games=2)
    result = thinking.run()
    assert lost_by_it(result) == 3
    assert "microseconds of the reference machine" in str(result)
    assert lost_by_it(improved.run()) == 0


def test_a_limit_that_is_none_is_refused(file: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="value_work must be"):
        match(file, "improved", value_work=0)

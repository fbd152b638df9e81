"""Players whose heuristic is a program: their games are those of the function, and their work is counted."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import Budget, InvalidArgumentError, InvalidRecordError, JournalError, WorkerError
from isolation_fast.compiled import not_compiling
from isolation_fast.cost import NODE, PRICES_VERSION, WITH_IMPROVED
from isolation_fast.jail import Level
from isolation_fast.playing.outcomes import chunk_line
from isolation_fast.programs import Program, digest_of_program, program_of
from isolation_fast.submission import load
from isolation_fast.tournament import (
    CountedEntrant,
    FileOpenings,
    GameRecord,
    Gauntlet,
    Match,
    RoundRobin,
    SubmissionEntrant,
    TournamentResult,
    entrant,
    run_chunk,
)

EXAMPLE = Path(__file__).parents[3] / "examples" / "game_agent.py"
SOUND = Path(__file__).parents[2] / "submissions" / "tournament" / "sound" / "game_agent.py"

HEURISTICS = """
from math import sqrt

def improved(game, player):
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    own, other = game.get_legal_moves(player), game.get_legal_moves(game.get_opponent(player))
    return float(len(own) - len(other))

def first_moves(game, player):
    # The order of the lists matters here, and how many moves were made.
    value = game.move_count * 0.001
    for number, (row, column) in enumerate(game.get_legal_moves(player)):
        value += (row * 7 + column) / (2.0 + number)
    return value

def looking_ahead(game, player):
    best = -100.0
    for move in game.get_legal_moves():
        after = game.forecast_move(move)
        best = max(best, len(after.get_legal_moves(player)) - sqrt(move[0] + 1.0))
    return best

def sets(game, player):
    own, blank = set(game.get_legal_moves(player)), set(game.get_blank_spaces())
    return float(len(own & blank) - 2 * len({(row, 3) for row, _ in own} - blank))

def failing(game, player):
    return 1.0 / (game.move_count - 12)
"""
NAMES = ("improved", "first_moves", "looking_ahead", "sets")


@pytest.fixture(name="file")
def file_fixture(tmp_path: Path) -> Path:
    file = tmp_path / "game_agent.py"
    file.write_text(HEURISTICS)
    return file


def program(file: Path, name: str) -> Program:
    return program_of(getattr(load(file).module, name))


def played(tmp_path: Path, plan: Any, **options: Any) -> tuple[TournamentResult, list[Any]]:
    records = tmp_path / "records"
    records.unlink(missing_ok=True)
    result = plan.run(records=records, **options)
    return result, [json.loads(line) for line in records.read_text().splitlines()]


def timed(form: Any, *players: Any, **options: Any) -> Any:
    """A tournament whose files play as Python, outside the jail."""
    with not_compiling():
        return form(*players, jail=False, **options)


def without_programs(records: list[Any]) -> list[Any]:
    """What a record says of a game besides what plays."""
    return [{name: value for name, value in each.items() if name != "programs"} for each in records]


@pytest.mark.parametrize("budget", ["nodes=70", "depth=2", "depth=3,nodes=40"])
@pytest.mark.parametrize("name", NAMES)
def test_games_of_a_program_are_those_of_its_function(
    name: str, budget: str, file: Path, tmp_path: Path
) -> None:
    options: Any = {"games": 4, "seed": 3, "budget": budget, "record": True}
    counted, records = played(tmp_path, Gauntlet({"me": program(file, name)}, **options), workers=1)
    asked, of_function = played(tmp_path, timed(Gauntlet, {"me": f"{file}:{name}"}, **options))
    assert without_programs(records) == of_function
    # So is what the text of the file gives, which nobody runs.
    _, read = played(tmp_path, Gauntlet({"me": f"{file}:{name}"}, **options))
    assert read == records
    assert [each.rate for each in counted.players] == [each.rate for each in asked.players]
    mine, same = counted.player("me").searched, asked.player("me").searched
    assert mine is not None
    assert same is not None
    assert (mine.nodes, mine.turns) == (same.nodes, same.turns)
    assert mine.paid > 0
    assert same.paid == 0


@pytest.mark.parametrize("opening", ["7x7 7/7/7/7/7/7/7 - - 1", "9x9 9/9/9/3x5/9/9/9/9/9 3,3 - 2"])
def test_so_they_are_on_other_boards_and_before_players_are_placed(
    opening: str, file: Path, tmp_path: Path
) -> None:
    (tmp_path / "openings.txt").write_text(f"{opening}\n")
    openings = FileOpenings(tmp_path / "openings.txt")
    options: Any = {"openings": openings, "seed": 3, "budget": "nodes=50", "record": True}
    for name in NAMES:
        _, records = played(tmp_path, Match({"me": program(file, name)}, "Random", **options))
        _, same = played(tmp_path, timed(Match, {"me": f"{file}:{name}"}, "Random", **options))
        assert without_programs(records) == same
        assert played(tmp_path, Match({"me": f"{file}:{name}"}, "Random", **options))[1] == records


def test_a_program_plays_a_python_player_as_its_function_does(file: Path, tmp_path: Path) -> None:
    options: Any = {"games": 6, "seed": 3, "budget": "nodes=40", "record": True}
    other = {"other": f"{SOUND}:custom_score"}
    both = [
        played(tmp_path, timed(Match, {"me": mine}, other, **options))[1]
        for mine in (program(file, "looking_ahead"), f"{file}:looking_ahead")
    ]
    assert without_programs(both[0]) == both[1]
    assert all(each["programs"][each["players"].index("other")] is None for each in both[0])


def test_workers_make_no_difference(file: Path, tmp_path: Path) -> None:
    made = {name: f"{file}:{name}" for name in NAMES}
    plan = RoundRobin(made, games=8, seed=5, budget="work=150", record=True, exact=True, exact_nodes=50)
    alone, records = played(tmp_path, plan, workers=1)
    assert alone.reproducible
    for workers in (2, 5):
        assert played(tmp_path, plan, workers=workers) == (alone, records)


def test_a_turn_buys_its_work_by_price(file: Path, tmp_path: Path) -> None:
    work = 300
    found: dict[str, float] = {}
    for name in ("improved", "looking_ahead"):
        plan = Match(
            {"me": program(file, name)}, "Random", games=10, seed=3, budget=f"work={work}", record=True
        )
        result, records = played(tmp_path, plan)
        searched = result.player("me").searched
        assert searched is not None
        spent = searched.nodes * NODE + searched.paid
        assert spent <= work * max(WITH_IMPROVED) * searched.turns
        first = [each["nodes"][0] for each in records if each["players"][0] == "me"]
        assert all(nodes <= work * max(WITH_IMPROVED) / NODE for nodes in first)
        found[name] = sum(first) / len(first)
    # With `improved` a unit of work is about a node; with what costs more it is less.
    assert 0.7 * work < found["improved"] < 1.4 * work
    assert found["looking_ahead"] < 0.7 * found["improved"]


def test_a_program_without_a_value_ends_its_game(file: Path, tmp_path: Path) -> None:
    plan = Match({"me": program(file, "failing")}, "Random", games=12, seed=3, budget="nodes=60", record=True)
    result, records = played(tmp_path, plan, workers=2)
    ended = [each for each in records if each.get("ending") == "no value"]
    assert len(ended) == 3
    for each in ended:
        assert each["players"][each["winner"] - 1] == "Random"
        assert each["detail"].startswith("its program has no value for player ")
        position = each["detail"].partition(" on ")[2].split()
        assert position[1].count("x") == 0 or len(position) == 5
    # Three of them break it, as three errors break a player in Python.
    player = result.player("me")
    assert player.is_broken
    assert player.endings["no value"] == 3


def test_it_ends_the_same_game_where_python_plays(file: Path, tmp_path: Path) -> None:
    options: Any = {"games": 6, "seed": 3, "budget": "nodes=40", "record": True}
    plan = timed(Match, {"me": program(file, "failing")}, {"other": f"{SOUND}:custom_score"}, **options)
    result, records = played(tmp_path, plan)
    assert {each.get("ending") for each in records} & {"no value"}
    assert result.player("me").endings["no value"]


def entrants(*given: object, **options: Any) -> Sequence[Any]:
    return [entrant(each, **options) for each in given]  # type: ignore[arg-type]


def test_an_entrant_names_its_program_and_the_prices(file: Path, tmp_path: Path) -> None:
    made = program(file, "improved")
    mine, same = entrants({"me": made}, {"me": made}, default_budget="work=500")
    assert isinstance(mine, CountedEntrant)
    assert mine == same
    assert (mine.digest, mine.prices) == (digest_of_program(made), PRICES_VERSION)
    assert entrant(made).name == f"program {mine.digest[:8]}"
    described = Match({"me": made}, "Random", games=2).plan().described()["entrants"]
    assert isinstance(described, list)
    assert described[0] == {
        "name": "me",
        "type": "CountedEntrant",
        "digest": mine.digest,
        "budget": "work=2000",
        "mode": "plain",
        "prices": PRICES_VERSION,
        "value_work": None,
    }
    [record, other, *_] = played(tmp_path, Match({"me": made}, "Random", games=2, record=True, seed=1))[1]
    assert record["programs"] == [[mine.digest, PRICES_VERSION], None]
    assert other["programs"] == [None, [mine.digest, PRICES_VERSION]]
    assert GameRecord.from_dict(other).to_dict() == other
    with pytest.raises(InvalidRecordError, match="field 'programs'"):
        GameRecord.from_dict({**other, "programs": [["x"], None]})
    with pytest.raises(InvalidArgumentError, match="me: the work of a program is counted as it is done"):
        entrant({"me": made}, default_budget=Budget(work=500, cost=2.0))


def test_a_journal_goes_on_with_the_same_program_alone(file: Path, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    options: Any = {"games": 8, "seed": 3, "budget": "work=100"}
    plan = Match({"me": program(file, "improved")}, "Random", **options)
    whole = plan.run(journal=journal)
    assert plan.run(journal=journal, resume=True) == whole
    assert whole.player("me").searched is not None
    other = Match({"me": program(file, "sets")}, "Random", **options)
    with pytest.raises(JournalError, match="'me' has changed"):
        other.run(journal=journal, resume=True)


def test_a_chunk_of_other_prices_is_not_played(file: Path) -> None:
    [chunk, *_] = (
        Match({"me": program(file, "improved")}, "Random", games=2, budget="work=10").plan().chunks()
    )
    assert chunk_line(run_chunk(chunk))["paid"][0] > 0
    mine = chunk.entrants[0]
    assert isinstance(mine, CountedEntrant)
    later = replace(chunk, entrants=(replace(mine, prices=PRICES_VERSION + 1), chunk.entrants[1]))
    with pytest.raises(WorkerError, match=f"version {PRICES_VERSION + 1} of the price list"):
        run_chunk(later)


def test_what_is_read_of_a_file_is_played_without_running_it(file: Path, tmp_path: Path) -> None:
    file.write_text(f"import os\nMADE = os.mkdir({str(tmp_path / 'made')!r})\n{HEURISTICS}")
    for name in ("improved", "failing"):
        assert isinstance(entrant(f"{file}:{name}"), CountedEntrant)
    result = Match(f"{file}:improved", "Random", games=4, budget="work=50", seed=1).run()
    assert not (tmp_path / "made").exists()
    assert result.to_dict()["jail"] is None
    assert "game_agent.py:improved played as a program: its work was counted" in str(result)
    journal = tmp_path / "journal"
    broken = Match(f"{file}:failing", "Random", games=12, budget="nodes=60", seed=3)
    assert broken.run(journal=journal).player("game_agent.py:failing").endings["no value"] == 3
    assert broken.run(journal=journal, resume=True) == broken.run()
    with journal.open() as lines:
        [described, _] = json.loads(next(lines))["plan"]["entrants"]
    digest = digest_of_program(program(file, "failing"))
    assert (described["digest"], described["prices"]) == (digest, PRICES_VERSION)


@pytest.mark.parametrize(
    ("options", "player", "why"),
    [
        ({}, "drawn", "line 5 of game_agent.py: "),
        ({"budget": "ms=5"}, "plain", "its budget is a time"),
        ({"nan": "refuse"}, "plain", "a NaN is to lose the game, and a program has none"),
        ({}, "plain@work=20,cost=2", "its budget has a cost"),
    ],
)
def test_what_is_not_counted_is_timed_and_says_why(
    options: dict[str, Any], player: str, why: str, tmp_path: Path
) -> None:
    file = tmp_path / "game_agent.py"
    plain = "def plain(game, player):\n    return 1.0\n\ndef drawn(game, player):\n"
    file.write_text(f"{plain}    return random.random()\nimport random\n")
    plan = Match({"me": f"{file}:{player}"}, "Random", **{"games": 2, "budget": "work=20", **options})
    found = plan.plan().entrants[0]
    assert isinstance(found, SubmissionEntrant)
    assert found.timed is not None
    assert found.timed.startswith(why)
    assert plan.run().plan["entrants"][0]["timed"] == found.timed
    assert f"me was timed: {found.timed}" in str(plan.run())


def test_where_there_is_no_jail_what_is_read_needs_none(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: Any = {"games": 4, "seed": 3, "budget": "work=50", "record": True}
    known = played(tmp_path, Match({"me": f"{file}:sets"}, "Random", **options))
    for place in ("jail", "jail.process"):
        monkeypatch.setattr(f"isolation_fast.{place}.available", lambda: Level((), ("files",)))
    assert played(tmp_path, Match({"me": f"{file}:sets"}, "Random", **options)) == known

"""Matches, gauntlets and round robins: who plays whom, and what is refused before any game."""

import pickle
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import (
    AlphaBetaPlayer,
    Budget,
    InvalidArgumentError,
    IsolationError,
    RandomPlayer,
    heuristics,
)
from isolation_fast.playing.entrants import NativeEntrant
from isolation_fast.tournament import (
    ROSTERS,
    AllOpenings,
    Gauntlet,
    Match,
    RandomOpenings,
    RoundRobin,
    Tournament,
)
from isolation_fast.tournament.plan import Plan

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"
BUDGET: Any = {"budget": "nodes=50"}
FORMATS: list[Any] = [
    lambda **options: Match("AB_Open", "Random", **{**BUDGET, **options}),
    lambda **options: Gauntlet("AB_Open", "Random", **{**BUDGET, **options}),
    lambda **options: RoundRobin(["AB_Open", "Random"], **{**BUDGET, **options}),
]
in_all_formats = pytest.mark.parametrize("make", FORMATS, ids=["match", "gauntlet", "round robin"])


def names(plan: Plan) -> list[str]:
    return [each.name for each in plan.entrants]


def pairs(plan: Plan) -> list[tuple[str, str]]:
    return [(plan.entrants[each.first].name, plan.entrants[each.second].name) for each in plan.pairings]


def own_score(game: Any, player: Any) -> float:
    return 0.0


def test_a_match_is_one_pairing() -> None:
    plan = Match("AB:bfs", "AB_Improved", games=10, **BUDGET).plan()
    assert (plan.format, plan.tested, plan.games) == ("match", (0, 1), 10)
    assert pairs(plan) == [("AB:bfs", "AB_Improved")]


def test_in_a_gauntlet_each_test_player_meets_each_opponent() -> None:
    plan = Gauntlet(["AB:bfs", "Random"], ["Greedy", "MM_Open"], games=4, **BUDGET).plan()
    assert (plan.format, plan.tested, plan.games) == ("gauntlet", (0, 1), 16)
    assert names(plan) == ["AB:bfs", "Random", "Greedy", "MM_Open"]
    assert pairs(plan) == [
        ("AB:bfs", "Greedy"),
        ("AB:bfs", "MM_Open"),
        ("Random", "Greedy"),
        ("Random", "MM_Open"),
    ]


def test_in_a_round_robin_each_meets_each_once() -> None:
    plan = RoundRobin(["Greedy", "Random", "MM_Open"], games=4).plan()
    assert (plan.format, plan.tested, plan.games) == ("round robin", (0, 1, 2), 12)
    assert pairs(plan) == [("Greedy", "Random"), ("Greedy", "MM_Open"), ("Random", "MM_Open")]


def test_the_rosters_are_those_of_the_course() -> None:
    classic = Gauntlet("AB:bfs", games=2, **BUDGET).plan()
    assert names(classic)[1:] == list(ROSTERS["classic"])
    early = Gauntlet("AB:bfs", "early", games=2, **BUDGET).plan()
    assert names(early)[1:] == [
        *("Random", "MM_Null", "MM_Open", "MM_Improved", "AB_Null", "AB_Open", "AB_Improved"),
    ]
    assert [each.budget for each in early.entrants if isinstance(each, NativeEntrant)] == [
        Budget(nodes=50),
        None,
        *[Budget(depth=3)] * 3,
        *[Budget(depth=5)] * 3,
    ]


def test_a_test_player_may_bear_the_name_of_an_opponent() -> None:
    plan = Gauntlet(["AB_Improved", "AB:bfs"], games=2, **BUDGET).plan()
    assert pairs(plan).count(("AB_Improved", "AB_Improved")) == 1


def test_players_are_given_as_one_or_a_list_or_by_names_of_their_own() -> None:
    for given in ("Random", ["Random"], ("Random",), {"Random": "Random"}, RandomPlayer(), [RandomPlayer()]):
        assert names(Gauntlet(given, "Greedy", games=2).plan()) == ["Random", "Greedy"]
    mine = {"one": heuristics.bfs, "two": own_score}
    assert names(Gauntlet(mine, {"he": "Greedy"}, games=2, **BUDGET).plan()) == ["one", "two", "he"]
    assert names(Match({"one": own_score}, {"two": own_score}, games=2, **BUDGET).plan()) == ["one", "two"]


def test_the_budget_holds_for_all_that_name_none() -> None:
    players: list[Any] = [
        "AB_Open",
        "AB_Null@depth=2",
        "ID_Open",
        "MM_Open",
        "Random",
        heuristics.bfs,
        own_score,
    ]
    plan = RoundRobin([*players, AlphaBetaPlayer("center")], games=2, budget=Budget(nodes=9)).plan()
    nine = Budget(nodes=9)
    budgets = [each.budget for each in plan.entrants]
    assert budgets == [nine, Budget(depth=2), nine, Budget(depth=3), None, nine, nine, nine]


@in_all_formats
def test_games_are_half_as_many_openings_from_both_sides(make: Any) -> None:
    plan = make(games=10, seed=3, width=5, height=6).plan()
    assert plan.openings == RandomOpenings(5, 3, 5, 6)
    assert (plan.seed, plan.games) == (3, 10)


@in_all_formats
def test_openings_say_how_many_games_there_are(make: Any) -> None:
    assert make(openings=AllOpenings(5, 5)).plan().games == 2 * 25 * 24


@in_all_formats
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "how many games?"),
        ({"games": 0}, "games must be an integer of at least 2, not 0"),
        ({"games": -2}, "games must be an integer of at least 2, not -2"),
        ({"games": 7}, "games must be even, .* not 7"),
        ({"games": True}, "games must be an integer of at least 2, not True"),
        ({"games": 2.0}, "games must be an integer of at least 2, not 2.0"),
        ({"games": "10"}, "games must be an integer of at least 2, not '10'"),
        ({"games": 2, "openings": AllOpenings()}, "games=, width= and height= are for random openings"),
        ({"width": 5, "openings": AllOpenings()}, "games=, width= and height= are for random openings"),
        ({"openings": "openings.txt"}, "openings must be RandomOpenings, .* not a str: 'openings.txt'"),
        ({"games": 2, "seed": True}, "seed must be an integer, not True"),
        ({"games": 2, "seed": 1.5}, "seed must be an integer, not 1.5"),
        ({"openings": AllOpenings(), "seed": "1"}, "seed must be an integer, not '1'"),
        ({"games": 2, "width": 0}, "width must be an integer of at least 1, not 0"),
        ({"games": 2, "height": True}, "height must be an integer of at least 1, not True"),
        ({"games": 2, "width": 1, "height": 1}, "the second knight has no room"),
        ({"games": 2, "time_limit": 0}, "time_limit in milliseconds must be a finite number above 0, not 0"),
        (
            {"games": 2, "time_limit": float("inf")},
            "time_limit in milliseconds must be a finite number .* not inf",
        ),
        (
            {"games": 2, "time_limit": "150"},
            "time_limit in milliseconds must be a finite number .* not '150'",
        ),
        ({"games": 2, "time_limit": None}, "time_limit in milliseconds must be a finite number .* not None"),
        ({"games": 2, "record": 1}, "record must be True or False, not 1"),
        ({"games": 2, "budget": "nods=5"}, "unknown option 'nods', did you mean 'nodes'?"),
        ({"games": 2, "budget": 2000}, "a budget is written as a str such as 'nodes=2000', not an int: 2000"),
    ],
)
def test_what_makes_no_tournament_is_refused_at_once(make: Any, options: Any, message: str) -> None:
    with pytest.raises((IsolationError, TypeError), match=message):
        make(**options)


@in_all_formats
@pytest.mark.parametrize("options", [{"games": 0}, {"games": 7}, {"games": 2, "width": 0}])
def test_a_wrong_number_of_games_or_cells_is_no_matter_of_budgets(make: Any, options: Any) -> None:
    with pytest.raises(InvalidArgumentError):
        make(**options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Gauntlet([], games=2), "there are no test players"),
        (lambda: Gauntlet({}, games=2), "there are no test players"),
        (lambda: Gauntlet("Random", [], games=2), "there are no opponents"),
        (lambda: RoundRobin([], games=2), "there are no players"),
        (lambda: RoundRobin(["Random"], games=2), "Random is alone"),
        (lambda: RoundRobin("Random", games=2), "Random is alone"),
        (
            lambda: Match("Random", "Random", games=2),
            "two players are called 'Random': give one of them another",
        ),
        (lambda: RoundRobin(["Random", "Greedy", "Random"], games=2), "two players are called 'Random'"),
        (lambda: Gauntlet(["Random", "Random"], games=2), "two test players are called 'Random'"),
        (lambda: Gauntlet("Random", ["Greedy", "Greedy"], games=2), "two opponents are called 'Greedy'"),
        (
            lambda: Gauntlet("Random", "clasic", games=2),
            "unknown player or roster 'clasic', did you mean 'classic'?",
        ),
        (lambda: Gauntlet("bfs", games=2), "unknown player or roster 'bfs', did you mean 'AB:bfs'?"),
        (lambda: Match("classic", "Random", games=2), "unknown player 'classic'"),
    ],
)
def test_who_cannot_play_is_refused_at_once(make: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        make()
    assert message in str(caught.value)


def test_players_have_an_order() -> None:
    with pytest.raises(TypeError, match="players have an order: give a list, not a set"):
        RoundRobin({"Random", "Greedy"}, games=2)  # type: ignore[arg-type]


@in_all_formats
def test_a_tournament_is_frozen_and_equal_by_what_it_was_given(make: Any) -> None:
    tournament: Tournament = make(games=2)
    with pytest.raises(FrozenInstanceError):
        tournament.games = 4  # type: ignore[misc]
    assert tournament == make(games=2)
    assert tournament != make(games=4)
    assert tournament.plan() is tournament.plan()
    assert "_plan" not in repr(tournament)


@in_all_formats
def test_a_plan_can_be_pickled_and_its_chunks_are_the_same_then(make: Any) -> None:
    plan = make(games=100, seed=1, record=True, time_limit=20).plan()
    copied = pickle.loads(pickle.dumps(plan))
    assert list(copied.chunks()) == list(plan.chunks())
    assert copied.described() == plan.described()
    assert (plan.record, plan.time_limit) == (True, 20.0)


def test_a_player_is_taken_as_it_is_when_the_tournament_is_made() -> None:
    player = AlphaBetaPlayer("open", nodes=5)
    match = Match(player, "Random", games=2)
    player.nodes = 50
    assert match.plan().entrants[0].budget == Budget(nodes=5)


def test_what_is_described_has_no_path(tmp_path: Path) -> None:
    file = tmp_path / "game_agent.py"
    file.write_text("def custom_score(game, player):\n    return 0.0\n")
    plan = Match(f"{file}:custom_score", "Random", games=2, **BUDGET).plan()
    assert str(tmp_path) not in str(plan.described())
    assert plan.entrants[0].name == "game_agent.py:custom_score"

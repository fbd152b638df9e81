"""Players and budgets as text: what is read, how it is written, and what is said of a slip."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation_fast import Budget, Cost, InvalidArgumentError, heuristics
from isolation_fast.budgets import budget_text, parse_budget
from isolation_fast.cost import BANDS
from isolation_fast.tournament.grammar import (
    CLASSIC_PLAYERS,
    WrittenPlayer,
    parse_player,
    player_text,
)

BUDGETS = st.builds(
    Budget,
    depth=st.integers(1, 99),
    nodes=st.none() | st.integers(1, 10**12),
    ms=st.none() | st.floats(0.1, 1e9) | st.integers(1, 10**6),
)
COSTS = st.floats(1e-3, 1e6)
COSTS_IN_BANDS = st.builds(Cost, COSTS, st.tuples(*[COSTS] * len(BANDS)))
BUDGETS |= st.builds(Budget, work=st.integers(1, 10**9), cost=st.none() | COSTS | COSTS_IN_BANDS)
NUMBERS = st.floats(-1e6, 1e6)
PLAIN: st.SearchStrategy[Any] = st.sampled_from(
    [name for name in heuristics.names() if name != "weighted_sum"]
).map(heuristics.get)
VARIANTS = NUMBERS.map(lambda factor: heuristics.aggressive.variant(factor=factor))
SUMS = st.dictionaries(PLAIN | VARIANTS, NUMBERS, min_size=1, max_size=3).map(heuristics.weighted_sum)
HEURISTICS = PLAIN | VARIANTS | SUMS


def kind_and_heuristic(text: str) -> tuple[str, Any]:
    player = parse_player(text)
    return player.kind, player.heuristic


@given(BUDGETS)
def test_a_budget_that_is_written_is_read_as_the_same(budget: Budget) -> None:
    assert parse_budget(budget_text(budget)) == budget


@given(
    HEURISTICS, st.none() | BUDGETS, st.sampled_from([None, "plain", "fast"]), st.sampled_from([None, "me 2"])
)
def test_a_player_that_is_written_is_read_as_the_same(
    heuristic: Any, budget: Any, mode: Any, name: Any
) -> None:
    player = WrittenPlayer("alphabeta", f"AB:{heuristic.name}", heuristic, None, None, budget, mode, name)
    assert parse_player(player_text(player)) == player


@pytest.mark.parametrize("text", CLASSIC_PLAYERS)
def test_a_player_with_a_name_of_its_own_is_written_as_that(text: str) -> None:
    assert player_text(parse_player(text)) == text


def test_the_classic_players_are_those_of_the_course() -> None:
    assert kind_and_heuristic("Random") == ("random", None)
    assert kind_and_heuristic("Greedy") == ("greedy", heuristics.open)
    for word, heuristic in (
        ("Null", "null"),
        ("Open", "open"),
        ("Center", "center"),
        ("Improved", "improved"),
    ):
        assert kind_and_heuristic(f"MM_{word}") == ("minimax", heuristics.get(heuristic))
        assert kind_and_heuristic(f"AB_{word}") == ("alphabeta", heuristics.get(heuristic))
        assert kind_and_heuristic(f"ID_{word}") == ("alphabeta", heuristics.get(heuristic))


def test_any_heuristic_stands_behind_a_colon() -> None:
    assert kind_and_heuristic("Greedy:bfs") == ("greedy", heuristics.bfs)
    assert kind_and_heuristic("MM:bfs") == ("minimax", heuristics.bfs)
    assert kind_and_heuristic("AB: aggressive( factor = 2.5 )") == (
        "alphabeta",
        heuristics.aggressive.variant(factor=2.5),
    )
    total = heuristics.weighted_sum({heuristics.aggressive.variant(factor=1.5): 1.0, "bfs": -0.5})
    assert kind_and_heuristic(f"AB:{total.name}") == ("alphabeta", total)


def test_minimax_looks_three_moves_ahead_unless_told_otherwise() -> None:
    assert parse_player("MM_Open").budget == Budget(depth=3)
    assert parse_player("MM_Open@depth=2").budget == Budget(depth=2)
    assert player_text(parse_player("MM_Open@depth=3")) == "MM_Open"


def test_what_is_left_out_is_none() -> None:
    player = parse_player("AB_Open")
    assert (player.name, player.budget, player.mode) == (None, None, None)


def test_course_is_the_work_that_the_course_bought() -> None:
    assert parse_budget("course") == parse_budget("work=23000")
    assert parse_player("AB_Open@course,mode=fast").budget == parse_budget("course")


def test_a_cost_is_a_number_or_one_for_each_band() -> None:
    assert parse_budget("work=2000,cost=5.2") == Budget(work=2000, cost=5.2)
    bands = Cost(2.0, bands=(8.0, 4.0, 2.0, 1.0, 1.0))
    assert parse_budget("work=2000, cost=2 : 8 / 4/2/1/1") == Budget(work=2000, cost=bands)
    assert budget_text(Budget(work=2000, cost=bands)) == "work=2000,cost=2.0:8.0/4.0/2.0/1.0/1.0"


def test_how_sure_a_cost_is_is_not_written() -> None:
    assert budget_text(Budget(work=5, cost=Cost(2.0))) == "work=5,cost=2.0"


def test_a_player_may_name_its_cost_alone() -> None:
    player = parse_player("mine=game_agent.py:score@cost=5.2,mode=fast")
    assert (player.budget, player.cost, player.mode) == (None, 5.2, "fast")
    assert player_text(player) == "mine=game_agent.py:score@cost=5.2,mode=fast"


def test_spaces_around_the_parts_do_not_matter() -> None:
    assert parse_player("  mine = AB_Open @ nodes = 5 , mode = fast ") == parse_player(
        "mine=AB_Open@nodes=5,mode=fast"
    )
    assert parse_budget(" depth = 3 , nodes = 5 ") == Budget(depth=3, nodes=5)


@pytest.mark.parametrize(
    ("text", "name", "path", "member"),
    [
        ("game_agent.py:custom_score", None, "game_agent.py", "custom_score"),
        ("ann=a/game_agent.py:Custom", "ann", "a/game_agent.py", "Custom"),
        ("./a=b/me@home/game_agent.py:f", None, "./a=b/me@home/game_agent.py", "f"),
        (r"C:\x=1\game_agent.py:f", None, r"C:\x=1\game_agent.py", "f"),
        ("a.py/game agent.py:f", None, "a.py/game agent.py", "f"),
    ],
)
def test_a_file_may_have_any_path(text: str, name: Any, path: str, member: str) -> None:
    player = parse_player(text)
    assert (player.kind, player.name, player.path, player.member) == ("file", name, path, member)
    with_options = parse_player(f"{text}@nodes=5,mode=fast")
    assert (with_options.path, with_options.member, with_options.budget, with_options.mode) == (
        path,
        member,
        Budget(nodes=5),
        "fast",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AB_Improoved", "unknown player 'AB_Improoved', did you mean 'AB_Improved'?"),
        ("ab_improved", "did you mean 'AB_Improved'?"),
        ("random", "did you mean 'Random'?"),
        ("ID_improved", "did you mean 'ID_Improved'?"),
        ("bfs", "did you mean 'AB:bfs'?"),
        ("AB_bfs", "did you mean 'AB:bfs'?"),
        ("MM_bfs", "did you mean 'MM:bfs'?"),
        ("greedy:bfs", "did you mean 'Greedy:bfs'?"),
        ("ID:bfs", "did you mean 'AB:bfs'?"),
        ("game_agent:custom_score", "did you mean 'game_agent.py:custom_score'?"),
        ("AB:bfz", "in 'AB:bfz' at character 4: unknown heuristic 'bfz', did you mean 'bfs'?"),
        ("AB:", "'' is no heuristic"),
        ("AB:bfs(", "'bfs(' is no heuristic"),
        ("AB:aggressive(factr=1)", "unknown parameter 'factr', did you mean 'factor'?"),
        ("AB:aggressive(factor=high)", "the value of factor must be a number, not 'high'"),
        ("AB:aggressive(factor=1e9)", "factor must be from -1000000 to 1000000"),
        ("AB:aggressive(factor=1,factor=2)", "at character 24: factor is there twice"),
        ("AB:aggressive(1.5)", "'1.5' has no value"),
        ("AB:bfs(x=1)", "bfs has no parameters"),
        ("AB:weighted_sum()", "a weighted sum needs at least one heuristic"),
        ("AB:weighted_sum(bfs=1,opne=2)", "at character 23: unknown heuristic 'opne', did you mean 'open'?"),
        ("AB:weighted_sum(bfs=1,bfs=2)", "bfs is there twice"),
        ("AB:weighted_sum(bfs=1,)", "something is missing here"),
        ("AB:" + "weighted_sum(" * 99 + "bfs=1" + ")=1" * 98 + ")", "is no heuristic"),
        (
            "AB_Open@nods=5",
            "in 'AB_Open@nods=5' at character 9: unknown option 'nods', did you mean 'nodes'?",
        ),
        ("AB_Open@nodes=5,mode=fats", "at character 22: unknown mode 'fats', did you mean 'fast'?"),
        ("AB_Open@", "at character 9: an option is missing here"),
        ("AB_Open@nodes=5,", "at character 17: an option is missing here"),
        ("AB_Open@nodes", "'nodes' has no value"),
        ("AB_Open@nodes=many", "nodes must be a whole number, not 'many'"),
        ("AB_Open@nodes=2.5", "nodes must be a whole number, not '2.5'"),
        ("AB_Open@nodes=0", "nodes must be an integer of at least 1, not 0"),
        ("AB_Open@nodes=-5", "nodes must be an integer of at least 1, not -5"),
        ("AB_Open@nodes=" + "9" * 5000, "nodes is too large"),
        ("AB_Open@ms=nan", "ms must be a finite number above 0, not nan"),
        ("AB_Open@cost=0", "cost must be a finite number above 0, not 0"),
        ("AB_Open@cost=x", "cost must be a number, not 'x'"),
        ("AB_Open@work=5,cost=2:1/2", "at character 21: a cost has 5 bands or none, not 2"),
        ("AB_Open@cost=2:1/x/3/4/5", "at character 18: the cost of a band must be a number, not 'x'"),
        ("AB_Open@cost=2:", "the cost of a band must be a number, not ''"),
        ("AB_Open@nodes=5,cost=2", "cost= goes with work=, which is missing"),
        ("AB_Open@nodes=5=6", "unknown option 'nodes=5'"),
        ("AB_Open@nodes=5,nodes=6", "at character 17: nodes is there twice"),
        ("AB_Open@course,work=5", "work is there twice"),
        ("AB_Open@course=5", "course takes no value"),
        ("AB_Open@mode=fast,mode=plain", "mode is there twice"),
        ("MM_Open@nodes=5", "unknown option 'nodes'. Allowed: 'depth'"),
        ("Random@nodes=5", "Random takes no options"),
        ("Greedy:bfs@depth=2", "Greedy:bfs takes no options"),
        ("=AB_Open", "there is no name before the '='"),
        ("one=two=AB_Open", "unknown player 'two=AB_Open'"),
        ("", "a player is missing"),
        ("   ", "a player is missing"),
        ("game_agent.py", "'game_agent.py' names no function or class of the file"),
        ("game_agent.py:", "names no function or class of the file"),
        ("game_agent.py:a.b", "names no function or class of the file"),
        ("AB:game_agent.py:f", "takes no 'AB:': game_agent.py:f"),
    ],
)
def test_a_slip_is_named_with_its_place_and_what_was_meant(text: str, message: str) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        parse_player(text)
    assert message in str(caught.value)


@given(st.text() | st.text("ABMIDR_:@=(),.py nodesfactor123", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        player = parse_player(text)
    except InvalidArgumentError:
        return
    assert parse_player(player_text(player)) == player


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="a budget is written as a str such as 'nodes=2000', not an int: 5"):
        parse_budget(5)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgumentError, match="a budget is missing"):
        parse_budget("")
    with pytest.raises(InvalidArgumentError, match="unknown option 'mode'"):
        parse_budget("mode=fast")

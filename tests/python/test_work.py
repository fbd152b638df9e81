"""Budgets of work: as many nodes as cost what so many with `improved` cost."""

import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation_fast import (
    AlphaBetaPlayer,
    Board,
    Budget,
    HeuristicResultError,
    InvalidArgumentError,
    InvalidBudgetError,
    MinimaxPlayer,
    RandomPlayer,
    UnknownCostError,
    cost,
    heuristics,
    play_game,
    search,
)
from isolation_fast.cost import COURSE_WORK, Cost
from isolation_fast.submission import as_player

pytestmark = pytest.mark.usefixtures("clock")

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"
LATE = Cost(2.0, (8.0, 4.0, 2.0, 1.0, 0.5))
SEARCHING = [AlphaBetaPlayer, MinimaxPlayer]


def nothing(game: Any, player: Any) -> float:
    return 0.0


def by_chance(game: Any, player: Any) -> float:
    return random.random()


def looping(game: Any, player: Any) -> float:
    total = 0.0
    for number in range(500):
        total += number
    return 0.0 * total


def failing(game: Any, player: Any) -> float:
    return [1.0][len(game.get_legal_moves(player)) + 1]


# The budget.


def test_work_and_cost_are_kept_and_shown() -> None:
    budget = Budget(work=2000, cost=LATE)
    assert (budget.work, budget.cost) == (2000, LATE)
    assert eval(repr(budget)) == budget == pickle.loads(pickle.dumps(budget))
    assert repr(Budget(work=COURSE_WORK)) == "Budget(work=23000)"


def test_a_number_and_the_cost_that_says_the_same_make_equal_budgets() -> None:
    number, object_ = Budget(work=2000, cost=5), Budget(work=2000, cost=Cost(5.0))
    assert number == object_ != Budget(work=2000)
    assert hash(number) == hash(object_)


@pytest.mark.parametrize("value", [0, -1, 1.0, True, "3"])
def test_work_is_an_integer_of_at_least_one(value: Any) -> None:
    with pytest.raises(InvalidBudgetError) as refusal:
        Budget(work=value)
    assert str(refusal.value) == f"work must be an integer of at least 1, not {value!r}"


@pytest.mark.parametrize("value", [0, -2.5, float("inf"), True, "5"])
def test_a_cost_that_is_none_is_refused_by_value(value: Any) -> None:
    with pytest.raises(InvalidBudgetError) as refusal:
        Budget(work=2000, cost=value)
    assert str(refusal.value) == f"cost must be a finite number above 0, not {value!r}"


@pytest.mark.parametrize("asked", [Budget, lambda **limits: search(Board(), "open", **limits), *SEARCHING])
def test_a_cost_without_work_is_an_error(asked: Any) -> None:
    with pytest.raises(InvalidBudgetError, match="cost= goes with work=, which is missing"):
        asked(nodes=2000, cost=5.0)


# Searching.


@given(work=st.integers(1, 5000), own=st.floats(0.1, 100))
def test_work_buys_as_many_nodes_as_it_is_times_the_cost(work: int, own: float) -> None:
    report = search(Board.from_text(START), "open", work=work, cost=own, seed=0)
    assert report == search(Board.from_text(START), "open", nodes=max(1, round(work / own)), seed=0)


def test_nodes_and_work_together_are_the_smaller_of_both() -> None:
    board = Board.from_text(START)
    assert search(board, "open", work=2000, cost=4.0, nodes=300).nodes == 300
    assert search(board, "open", work=2000, cost=4.0, nodes=3000).nodes == 500
    assert search(board, "open", work=2000, cost=4.0, depth=2).depth == 2


def test_a_banded_cost_goes_by_the_blank_cells_at_the_root() -> None:
    # Player 1 has the left half, where play goes on long enough for every budget.
    full = Board.from_text("7x7 4xxx/4xxx/4xxx/4xxx/xxx1xxx/7/7 4,0 4,1 1")
    assert [len(board.get_blank_spaces()) for board in (full, Board())] == [31, 49]
    assert search(full, "open", work=400, cost=LATE).nodes == 400
    assert search(Board(), "open", work=400, cost=LATE).nodes == 800


def test_native_heuristics_have_the_cost_of_the_table() -> None:
    board = Board.from_text(START)
    for heuristic in ("improved", "bfs", heuristics.aggressive.variant(factor=1.5)):
        expected = round(2000 / cost.of(heuristic).at(47, 49))
        assert search(board, heuristic, work=2000).nodes == expected
        assert search(board, heuristic, budget=Budget(work=2000)).nodes == expected


def test_work_of_a_function_is_counted_by_its_program() -> None:
    assert search(Board(), nothing, work=200, cost=2.0).nodes == 100
    board = Board.from_text(START)
    quick, slow = (search(board, each, work=200) for each in (nothing, looping))
    assert quick.reason == slow.reason == "nodes"
    assert quick.nodes > 200 > slow.nodes > 0
    assert AlphaBetaPlayer(nothing, work=200).get_move(board, lambda: 1e3) == quick.move


def test_a_function_that_cannot_be_counted_needs_its_cost() -> None:
    assert search(Board(), by_chance, work=200, cost=2.0).nodes == 100
    with pytest.raises(UnknownCostError, match=r"the cost of by_chance is not known, .* a matter of chance"):
        search(Board(), by_chance, work=200)
    for options in ({"method": "minimax"}, {"seed": 1}, {"root_values": True}):
        with pytest.raises(InvalidArgumentError, match="give cost= beside work="):
            search(Board(), nothing, work=200, **options)


def test_a_program_without_a_value_asks_for_a_cost() -> None:
    with pytest.raises(HeuristicResultError, match="its program has no value for player 1 on 7x7 "):
        search(Board.from_text(START), failing, work=200)


def test_work_beyond_the_machines_integers_is_served() -> None:
    board = Board(width=2, height=3)
    assert search(board, "open", work=10**400, cost=1e-300).reason == "exhausted"
    assert search(board, "open", work=10**400, cost=1e300).nodes == 1


# Players and games.


@pytest.mark.parametrize("kind", SEARCHING)
def test_an_unknown_cost_shows_when_the_player_is_made(kind: Any) -> None:
    with pytest.raises(UnknownCostError):
        kind(by_chance, work=2000)
    assert kind(nothing, work=2000, cost=2.0).cost == 2.0


@pytest.mark.parametrize("kind", SEARCHING)
def test_work_and_cost_can_be_set_on_the_player(kind: Any) -> None:
    player = kind("open", work=2000)
    player.cost = 5.0
    assert player.budget == Budget(work=2000, cost=5.0)
    player.nodes = 300
    assert player.budget == Budget(work=2000, cost=5.0, nodes=300)
    # Without work a cost means nothing.
    player.work = None
    assert player.budget == Budget(nodes=300)
    assert repr(kind("open", work=2000, cost=5)) == f"{kind.__name__}('open', work=2000, cost=5.0)"
    with pytest.raises(InvalidBudgetError, match="cost="):
        player.cost = 5.0


def order_bits(seed: int) -> int:
    """The bits that order the moves of a native game: the first of the engine's generator."""
    bits = (seed + 0x9E3779B97F4A7C15) % 2**64
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB % 2**64
    return bits ^ bits >> 31


@pytest.mark.parametrize("limits", [{}, {"cost": 3.5}, {"cost": LATE}, {"cost": LATE, "nodes": 250}])
@pytest.mark.parametrize("heuristic", ["bfs", "staged_continuations"])
@pytest.mark.parametrize("size", [(7, 7), (8, 5), (12, 11)])
def test_a_native_game_has_the_moves_that_its_players_answer_in_python(
    heuristic: str, limits: Any, size: Any
) -> None:
    # Different work, so that a mix-up of the two would show.
    players = AlphaBetaPlayer(heuristic, work=400, **limits), AlphaBetaPlayer(heuristic, work=700, **limits)
    result = play_game(*players, seed=7, width=size[0], height=size[1])
    native = [player.searched_nodes for player in players]
    board = Board(*players, width=size[0], height=size[1])
    board._order_bits = order_bits(7)
    for move in result.moves:
        assert board.active_player.get_move(board, lambda: 150.0) == move
        board.apply_move(move)
    # The loser was asked once more, where it had no move; some heuristics walk nothing there.
    board.active_player.get_move(board, lambda: 150.0)
    assert [player.searched_nodes for player in players] == [2 * nodes for nodes in native]


def test_a_player_of_work_plays_whom_it_meets_by_either_way() -> None:
    player = AlphaBetaPlayer("bfs", work=300)
    assert play_game(player, RandomPlayer(seed=1), seed=2) == play_game(player, RandomPlayer(seed=1), seed=2)
    assert play_game(MinimaxPlayer("open", work=100), RandomPlayer(), seed=2).winner in (1, 2)


def test_a_submissions_player_takes_work_with_its_cost(tmp_path: Path) -> None:
    player = as_player("examples/game_agent.py", work=800, cost=LATE, seed=0)
    player.get_move(Board.from_text(START), lambda: 150.0)
    assert player.report is not None
    assert player.report.nodes == 1600
    assert pickle.loads(pickle.dumps(player)).budget == player.budget
    counted = as_player("examples/game_agent.py", work=800)
    counted.get_move(Board.from_text(START), lambda: 150.0)
    assert counted.report is not None
    assert 400 < counted.report.nodes < 1600
    left_to_python = tmp_path / "game_agent.py"
    left_to_python.write_text(
        "import random\n\ndef custom_score(game, player):\n    return random.random()\n"
    )
    with pytest.raises(UnknownCostError, match="the cost of custom_score is not known"):
        as_player(left_to_python, work=800)

"""The ready-made players: classic signatures and attributes, budgets, the clock, other people's boards."""

import copy
import pickle
import random
from math import inf
from typing import Any

import pytest

from isolation_fast import (
    AlphaBetaPlayer,
    Board,
    Budget,
    GreedyPlayer,
    HumanPlayer,
    InvalidArgumentError,
    InvalidBudgetError,
    MinimaxPlayer,
    RandomPlayer,
    SearchReport,
    UnknownHeuristicError,
    heuristics,
    reference,
    search,
)
from isolation_fast.budgets import LIMITS

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"
STUCK = "1x1 x - - 1"
SEARCHING = [GreedyPlayer, MinimaxPlayer, AlphaBetaPlayer]


class OwnBoard(Board):
    """As people subclass the classic board."""


def plenty() -> Any:
    return 150.0


def count_own_moves(game: Any, player: Any) -> Any:
    return len(game.get_legal_moves(player))


def score_of_row(game: Board, player: object) -> float:
    location = game.get_player_location(player)
    assert location is not None
    return -location[0]


def report_of(player: AlphaBetaPlayer | MinimaxPlayer) -> SearchReport:
    assert player.report is not None
    return player.report


def board_of_kind(kind: Any) -> Any:
    board: Any
    if kind == "subclass":
        board = OwnBoard("player 1", "player 2")
    elif kind == "reference":
        board = reference.Board("player 1", "player 2")
    else:
        board = Board()
    board.apply_move((1, 2))
    board.apply_move((3, 3))
    return board


def all_players() -> Any:
    return [
        RandomPlayer(),
        RandomPlayer(seed=3),
        GreedyPlayer(),
        GreedyPlayer(count_own_moves),
        MinimaxPlayer("center", depth=2),
        AlphaBetaPlayer(),
        AlphaBetaPlayer("open", nodes=200, mode="fast", seed=1),
        AlphaBetaPlayer(count_own_moves, budget=Budget(depth=2, ms=50), timeout=5.0),
        HumanPlayer(),
    ]


@pytest.mark.parametrize("kind", ["native", "subclass", "reference"])
@pytest.mark.parametrize("player", all_players()[:-1], ids=repr)
def test_every_player_answers_a_legal_move_on_every_board(kind: Any, player: Any) -> None:
    board = board_of_kind(kind)
    before = board.to_text()
    assert player.get_move(board, lambda: 40.0) in board.get_legal_moves()
    assert board.to_text() == before


@pytest.mark.parametrize("player", all_players(), ids=repr)
def test_every_player_answers_minus_one_where_there_is_no_move(player: Any) -> None:
    assert player.get_move(Board.from_text(STUCK), plenty) == (-1, -1)


@pytest.mark.parametrize("player", all_players(), ids=repr)
def test_every_player_survives_copying_and_pickling_between_turns(player: Any) -> None:
    if not isinstance(player, HumanPlayer):
        player.get_move(Board.from_text(START), lambda: 20.0)
    for twin in (copy.copy(player), pickle.loads(pickle.dumps(player))):
        assert type(twin) is type(player)
        assert repr(twin) == repr(player)


def test_reprs_are_what_would_be_typed() -> None:
    assert [repr(player) for player in all_players()] == [
        "RandomPlayer()",
        "RandomPlayer(seed=3)",
        "GreedyPlayer('open')",
        "GreedyPlayer(count_own_moves)",
        "MinimaxPlayer('center', depth=2)",
        "AlphaBetaPlayer('improved')",
        "AlphaBetaPlayer('open', nodes=200, mode='fast', seed=1)",
        "AlphaBetaPlayer(count_own_moves, depth=2, ms=50, timeout=5.0)",
        "HumanPlayer()",
    ]
    for player in all_players():
        assert repr(eval(repr(player))) == repr(player)


@pytest.mark.parametrize("kind", SEARCHING)
def test_the_classic_keyword_names_the_heuristic(kind: Any) -> None:
    assert kind(score_fn=count_own_moves).score is count_own_moves
    assert kind(score_fn="center").score == heuristics.center
    with pytest.raises(InvalidArgumentError, match="give one of them"):
        kind("center", score_fn=count_own_moves)


@pytest.mark.parametrize("kind", SEARCHING)
def test_what_is_no_heuristic_is_refused_when_the_player_is_made(kind: Any) -> None:
    with pytest.raises(UnknownHeuristicError, match="did you mean 'improved'"):
        kind("improoved")
    with pytest.raises(TypeError, match="not an int: 3"):
        kind(3)


def test_a_heuristic_reads_the_classic_attributes_of_its_player() -> None:
    seen = []

    def curious_score(game: Any, player: Any) -> Any:
        seen.append((player.score, player.time_left(), player.TIMER_THRESHOLD))
        return 0.0

    player = AlphaBetaPlayer(curious_score, depth=1)
    assert player.time_left is None
    player.get_move(Board.from_text(START, player, "other"), lambda: 123.0)
    assert set(seen) == {(curious_score, 123.0, 10.0)}


def test_a_heuristic_set_on_the_player_is_the_one_that_is_asked() -> None:
    player = GreedyPlayer()
    player.score = score_of_row
    assert player.get_move(Board.from_text(START), plenty)[0] == 0


def test_random_repeats_with_pythons_seed_and_with_its_own() -> None:
    board = Board()
    random.seed(7)
    first = [RandomPlayer().get_move(board, plenty) for _ in range(20)]
    random.seed(7)
    assert [RandomPlayer().get_move(board, plenty) for _ in range(20)] == first
    own = RandomPlayer(seed=7)
    state = random.getstate()
    drawn = [own.get_move(board, plenty) for _ in range(20)]
    twin = RandomPlayer(seed=7)
    assert [twin.get_move(board, plenty) for _ in range(20)] == drawn
    assert random.getstate() == state
    assert len(set(drawn)) > 5


@pytest.mark.parametrize("heuristic", ["open", "improved", "center", "null", count_own_moves])
def test_greedy_takes_the_best_value_and_then_the_larger_move(heuristic: Any) -> None:
    board = Board.from_text(START)
    score = heuristics.resolve(heuristic)
    best = max((score(board.forecast_move(move), "player 1"), move) for move in board.get_legal_moves())
    assert GreedyPlayer(heuristic).get_move(board, plenty) == best[1]


def test_minimax_looks_three_moves_ahead_unless_told_otherwise() -> None:
    player = MinimaxPlayer()
    player.get_move(Board.from_text(START), plenty)
    assert report_of(player).depth == 3
    player = MinimaxPlayer(nodes=50)
    player.get_move(Board.from_text(START), plenty)
    assert (report_of(player).nodes, report_of(player).reason) == (50, "nodes")


@pytest.mark.parametrize(("kind", "method"), [(MinimaxPlayer, "minimax"), (AlphaBetaPlayer, "alphabeta")])
def test_a_player_plays_what_search_finds(kind: Any, method: Any) -> None:
    board = Board.from_text(START)
    player = kind("improved", depth=4)
    report = search(board, "improved", depth=4, method=method)
    assert player.get_move(board, plenty) == report.move
    assert player.report == report
    player.get_move(board, plenty)
    assert player.searched_nodes == 2 * report.nodes


def test_on_a_reference_board_the_roots_order_is_that_boards() -> None:
    board = board_of_kind("reference")
    player = MinimaxPlayer("null", depth=1)
    assert player.get_move(board, plenty) == board.get_legal_moves()[0]


def test_a_player_without_a_budget_leaves_the_margin_on_the_clock() -> None:
    player = AlphaBetaPlayer()
    player.get_move(Board(), lambda: 30.0)
    assert report_of(player).reason == "time"
    assert player._turn_limits(lambda: 30.0) == Budget(ms=20.0)
    assert AlphaBetaPlayer(timeout=25.0)._turn_limits(lambda: 30.0) == Budget(ms=5.0)


def test_a_time_of_its_own_ends_no_later_than_the_turn() -> None:
    player = AlphaBetaPlayer(ms=50, depth=9)
    assert player._turn_limits(lambda: 150.0) == Budget(ms=50, depth=9)
    assert player._turn_limits(lambda: 30.0) == Budget(ms=20.0, depth=9)


@pytest.mark.parametrize("limits", [{}, {"ms": 50}])
@pytest.mark.parametrize("left", [10.0, 3.0, 0.0, -5.0])
def test_without_time_the_first_legal_move_is_answered(limits: Any, left: Any) -> None:
    board = Board.from_text(START)
    assert AlphaBetaPlayer(**limits).get_move(board, lambda: left) == board.get_legal_moves()[0]


def test_a_turn_without_end_takes_the_classic_time() -> None:
    assert AlphaBetaPlayer()._turn_limits(lambda: inf) == Budget(ms=140.0)
    assert AlphaBetaPlayer(ms=5)._turn_limits(lambda: inf) == Budget(ms=5)


def test_depth_and_nodes_do_not_look_at_the_clock() -> None:
    def broken_clock() -> float:
        raise AssertionError("nobody asked for the time")

    for player in (MinimaxPlayer(), AlphaBetaPlayer(nodes=100), AlphaBetaPlayer(depth=2), GreedyPlayer()):
        assert player.get_move(Board.from_text(START), broken_clock) != (-1, -1)


@pytest.mark.parametrize("kind", [MinimaxPlayer, AlphaBetaPlayer])
def test_a_budget_that_limits_nothing_is_refused_when_the_player_is_made(kind: Any) -> None:
    with pytest.raises(InvalidBudgetError, match="not 0"):
        kind(depth=0)
    with pytest.raises(InvalidBudgetError, match="not -5"):
        kind(nodes=-5)


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_says_what_it_is_to_those_who_ask_the_class(name: str) -> None:
    assert getattr(AlphaBetaPlayer, name).__doc__


def test_an_unknown_mode_is_refused_when_the_player_is_made() -> None:
    with pytest.raises(InvalidArgumentError, match="did you mean 'fast'"):
        AlphaBetaPlayer(nodes=10, mode="fats")  # type: ignore[arg-type]


def test_what_is_no_board_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="needs a board"):
        AlphaBetaPlayer(depth=1).get_move(object(), plenty)


@pytest.mark.parametrize("board", ["7x7", None])
def test_what_is_no_board_is_named_by_its_type(board: Any) -> None:
    with pytest.raises(TypeError, match=r"not (a str: '7x7'|None)"):
        GreedyPlayer().get_move(board, plenty)


def test_minimax_takes_the_classic_name_of_its_depth() -> None:
    player = MinimaxPlayer(search_depth=2, score_fn=count_own_moves)
    assert (player.search_depth, player.depth, player.budget) == (2, 2, Budget(depth=2))
    player.search_depth = 4
    assert (player.depth, repr(player)) == (4, "MinimaxPlayer(count_own_moves, depth=4)")
    with pytest.raises(InvalidArgumentError, match="give one of them"):
        MinimaxPlayer(search_depth=2, depth=2)
    with pytest.raises(InvalidBudgetError, match="not 0"):
        MinimaxPlayer(search_depth=0)


def test_alphabeta_says_what_to_give_instead_of_a_search_depth() -> None:
    with pytest.raises(TypeError, match=r"depth=, nodes= or ms="):
        AlphaBetaPlayer(search_depth=3)  # type: ignore[arg-type]
    player = AlphaBetaPlayer(nodes=10)
    with pytest.raises(AttributeError, match=r"depth=, nodes= or ms="):
        player.search_depth = 3  # type: ignore[assignment]
    assert player.search_depth is None


@pytest.mark.parametrize("kind", [MinimaxPlayer, AlphaBetaPlayer])
def test_the_margin_is_one_value_under_two_names(kind: Any) -> None:
    player = kind(timeout=20)
    assert player.timeout == player.TIMER_THRESHOLD == 20
    player.TIMER_THRESHOLD = 5.5
    assert player.timeout == player.TIMER_THRESHOLD == 5.5
    player.timeout = 0
    assert player.TIMER_THRESHOLD == 0
    assert player._turn_limits(lambda: 30.0) in (Budget(ms=30.0), Budget(depth=3))


@pytest.mark.parametrize("margin", [-1, float("nan"), inf, "10", None, True, 10**400])
def test_a_margin_that_is_no_time_is_refused_wherever_it_is_given(margin: Any) -> None:
    message = "timeout in milliseconds must be a finite number of at least 0, not"
    with pytest.raises(InvalidArgumentError, match=message):
        AlphaBetaPlayer(timeout=margin)
    player = MinimaxPlayer()
    for name in ("timeout", "TIMER_THRESHOLD"):
        with pytest.raises(InvalidArgumentError, match=message):
            setattr(player, name, margin)
    assert player.timeout == 10.0


@pytest.mark.parametrize("kind", [MinimaxPlayer, AlphaBetaPlayer])
def test_limits_set_on_the_player_are_those_of_the_next_search(kind: Any) -> None:
    player = kind(depth=1)
    board = Board.from_text(START)
    player.depth = 2
    player.get_move(board, plenty)
    assert player.report.depth == 2
    player.nodes = 7
    assert player.budget == Budget(depth=2, nodes=7)
    player.get_move(board, plenty)
    assert player.report.nodes == 7
    player.budget = Budget(ms=50)
    assert (player.depth, player.nodes, player.ms) == (None, None, 50)
    player.ms = 60
    assert player.budget == Budget(ms=60)
    player.budget = None
    assert player.budget == kind().budget


@pytest.mark.parametrize(
    ("name", "value"), [("depth", 0), ("nodes", "x"), ("ms", -1), ("budget", 5), ("budget", {"depth": 3})]
)
def test_limits_set_on_the_player_are_checked(name: str, value: Any) -> None:
    for player in (MinimaxPlayer(depth=2), AlphaBetaPlayer(depth=2)):
        with pytest.raises(InvalidBudgetError, match=name):
            setattr(player, name, value)
        assert player.budget == Budget(depth=2)


@pytest.mark.parametrize("kind", SEARCHING)
@pytest.mark.parametrize("name", ["heuristic", "score_fn"])
def test_a_heuristic_can_be_set_under_the_constructors_names(kind: Any, name: str) -> None:
    player = kind()
    setattr(player, name, count_own_moves)
    assert player.score is player.heuristic is player.score_fn is count_own_moves
    setattr(player, name, "center")
    assert player.score == heuristics.center
    with pytest.raises(UnknownHeuristicError):
        setattr(player, name, "improoved")


@pytest.mark.parametrize("kind", [RandomPlayer, *SEARCHING])
def test_a_subclass_that_was_not_set_up_says_which_call_is_missing(kind: Any) -> None:
    class Forgetful(kind):  # type: ignore[misc]
        def __init__(self) -> None:
            self.mine = 1

    player = Forgetful()
    assert repr(player) == "<Forgetful, whose super().__init__() was not called>"
    with pytest.raises(AttributeError, match=r"call super\(\)\.__init__\(\) in Forgetful\.__init__"):
        player.get_move(Board.from_text(START), plenty)
    assert repr(copy.copy(player)) == repr(player)
    assert not hasattr(player, "others")
    with pytest.raises(AttributeError, match=f"'{kind.__name__}' object has no attribute 'others'"):
        _ = kind().others


@pytest.mark.parametrize("kind", SEARCHING)
def test_the_time_left_is_a_function(kind: Any) -> None:
    with pytest.raises(TypeError, match=r"time_left must be a function .*: 100, not an int: 100"):
        kind().get_move(Board.from_text(START), 100)


@pytest.mark.parametrize("kind", SEARCHING)
def test_a_forgotten_argument_is_an_error_of_the_class_that_was_called(kind: Any) -> None:
    with pytest.raises(TypeError, match=rf"^{kind.__name__}\.get_move\(\) missing|^get_move\(\) missing"):
        kind().get_move(Board.from_text(START))

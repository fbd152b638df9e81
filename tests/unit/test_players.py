"""The ready-made players: classic signatures and attributes, budgets, the clock, other people's boards."""

import builtins
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


def test_an_unknown_mode_is_refused_when_the_player_is_made() -> None:
    with pytest.raises(InvalidArgumentError, match="did you mean 'fast'"):
        AlphaBetaPlayer(nodes=10, mode="fats")  # type: ignore[arg-type]


def test_what_is_no_board_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="needs a board"):
        AlphaBetaPlayer(depth=1).get_move(object(), plenty)


class Terminal:
    """A person at the keyboard, whose answers are known beforehand."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []

    def input(self, prompt: str = "") -> Any:
        self.prompts.append(prompt)
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)


@pytest.mark.parametrize("kind", ["native", "subclass", "reference"])
def test_a_person_sees_the_board_and_chooses_a_numbered_move(
    kind: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal("2")
    monkeypatch.setattr(builtins, "input", terminal.input)
    board = board_of_kind(kind)
    assert HumanPlayer().get_move(board, plenty) == board.get_legal_moves()[2]
    shown = capsys.readouterr().out
    assert board.to_string().splitlines()[0] in shown
    assert f"[2] {board.get_legal_moves()[2]}" in shown
    assert terminal.prompts == ["Select move index:"]


def test_a_person_is_asked_again_after_a_slip(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(builtins, "input", Terminal("", "two", "99", "-1", "0").input)
    board = Board.from_text(START)
    assert HumanPlayer().get_move(board, plenty) == board.get_legal_moves()[0]
    shown = capsys.readouterr().out
    assert shown.count("Invalid index! Try again.") == 2
    assert shown.count("Illegal move! Try again.") == 2


def test_the_end_of_the_input_gives_the_game_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(builtins, "input", Terminal("x").input)
    assert HumanPlayer().get_move(Board.from_text(START), plenty) == (-1, -1)
    assert "given up" in capsys.readouterr().out

"""`play_game`: natively and through Python the same rules, repeatable games, readable results."""

import builtins
import copy
import pickle
import random
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolation_fast import (
    AlphaBetaPlayer,
    Board,
    GameResult,
    GreedyPlayer,
    HumanPlayer,
    InvalidArgumentError,
    InvalidBoardError,
    InvalidPositionError,
    MinimaxPlayer,
    PerfectPlayer,
    RandomPlayer,
    play_game,
    reference,
)
from isolation_fast.submission import as_player, load

pytestmark = pytest.mark.usefixtures("clock")

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"


class FirstMove:
    """A player written in Python, of the simplest kind."""

    def get_move(self, game: Any, time_left: Any) -> Any:
        return next(iter(game.get_legal_moves()), (-1, -1))


class Answering:
    """A player that always answers the same."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def get_move(self, game: Any, time_left: Any) -> Any:
        return self.answer


def native_players() -> Any:
    return st.sampled_from(
        [
            RandomPlayer(),
            GreedyPlayer(),
            GreedyPlayer("improved"),
            MinimaxPlayer("center", depth=2),
            AlphaBetaPlayer("improved", nodes=100),
            AlphaBetaPlayer("open", depth=2),
            AlphaBetaPlayer("open", depth=3, mode="fast"),
        ]
    )


def python_players() -> Any:
    return st.builds(FirstMove) | st.builds(
        AlphaBetaPlayer, st.just(lambda game, player: len(game.get_legal_moves(player))), nodes=st.just(60)
    )


def assert_a_game_by_the_rules(result: Any) -> None:
    board = Board.from_text(result.start)
    for move in result.moves:
        assert move in board.get_legal_moves()
        board.apply_move(move)
    assert result.reason == "no moves"
    assert board.get_legal_moves() == []
    assert board.active_player == f"player {result.loser}"
    assert board.to_text() == result.board().to_text()


@settings(max_examples=60, deadline=None)
@given(
    native_players() | python_players(),
    native_players() | python_players(),
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(-(2**70), 2**70),
)
def test_every_game_goes_by_the_rules_and_repeats_with_its_seed(
    player_1: Any, player_2: Any, width: Any, height: Any, seed: Any
) -> None:
    if player_1 is player_2:
        player_2 = copy.copy(player_2)
    state = random.getstate()
    result = play_game(player_1, player_2, width=width, height=height, seed=seed, time_limit=60_000)
    again = play_game(player_1, player_2, width=width, height=height, seed=seed, time_limit=60_000)
    assert random.getstate() == state
    assert again == result
    assert_a_game_by_the_rules(result)


def test_natively_and_through_python_greedy_players_play_the_same_game() -> None:
    class AskedInPython(GreedyPlayer):
        """A subclass is asked through Python, as it may have overridden anything."""

    # Greedy players settle ties by the move itself, so nothing in their games depends on the order of moves.
    for row in range(7):
        for heuristic in ("open", "improved", "center", "null"):
            start = Board()
            start.apply_move((row, 1))
            start.apply_move((3, 6 - row))
            native = play_game(GreedyPlayer(heuristic), GreedyPlayer("improved"), start=start)
            mixed = play_game(
                GreedyPlayer(heuristic), AskedInPython("improved"), start=start, time_limit=60_000
            )
            assert native == mixed


def test_without_a_seed_python_random_decides() -> None:
    random.seed(5)
    first = [play_game(RandomPlayer(), GreedyPlayer()) for _ in range(5)]
    random.seed(5)
    assert [play_game(RandomPlayer(), GreedyPlayer()) for _ in range(5)] == first
    assert len({result.moves for result in first}) > 1


def test_a_game_begins_where_it_is_told_and_leaves_that_board_alone() -> None:
    board = Board.from_text(START, "white", "black")
    for start in (START, board):
        for opponent in (RandomPlayer(), FirstMove()):
            result = play_game(GreedyPlayer(), opponent, start=start, seed=1, time_limit=60_000)
            assert result.start == START
            assert_a_game_by_the_rules(result)
    assert board.to_text() == START
    assert (board.active_player, board.inactive_player) == ("white", "black")


def test_player_1_is_player_1_whoever_is_to_move() -> None:
    second_to_move = "3x3 x2/3/2x 0,0 2,2 2"
    for player in (RandomPlayer(), FirstMove()):
        result = play_game(player, GreedyPlayer(), start=second_to_move, seed=1)
        assert_a_game_by_the_rules(result)


@pytest.mark.parametrize("player_1", [RandomPlayer(), FirstMove()])
def test_a_finished_position_is_lost_by_the_side_to_move(player_1: Any) -> None:
    result = play_game(player_1, GreedyPlayer(), start="1x1 x - - 2")
    assert (result.winner, result.loser, result.moves, result.reason) == (1, 2, (), "no moves")
    assert result.nodes == (0, 0)


@pytest.mark.parametrize("answer", [None, (-1, -1), (9, 9), [3, 3], 7, "e4", ((1, 2), "why")])
def test_an_answer_that_is_no_legal_move_forfeits(answer: Any) -> None:
    result = play_game(Answering(answer), GreedyPlayer())
    assert (result.winner, result.moves, result.reason) == (2, (), "forfeit")
    result = play_game(GreedyPlayer(), Answering(answer))
    assert (result.winner, len(result.moves), result.reason) == (1, 1, "forfeit")


def test_who_is_late_loses_by_timeout(clock: Any) -> None:
    class Slow(FirstMove):
        def get_move(self, game: Any, time_left: Any) -> Any:
            clock.seconds += 0.02
            return super().get_move(game, time_left)

    result = play_game(FirstMove(), Slow(), time_limit=5)
    assert (result.winner, len(result.moves), result.reason) == (1, 1, "timeout")
    assert str(result) == "player 1 won after 1 move: player 2 ran out of time"


def test_no_clock_ends_a_game_of_players_that_count(clock: Any) -> None:
    def slow(game: Any, player: Any) -> float:
        clock.seconds += 1
        return float(len(game.get_legal_moves(player)))

    counting, timed = AlphaBetaPlayer(slow, nodes=20), AlphaBetaPlayer(slow, nodes=20, ms=10_000)
    assert play_game(counting, RandomPlayer(), width=3, height=4, seed=1).reason == "no moves"
    assert play_game(counting, RandomPlayer(), seed=1, time_limit=5).reason == "timeout"
    assert play_game(timed, RandomPlayer(), seed=1).reason == "timeout"


class KeptAsItIs(AlphaBetaPlayer):
    """Derived, and asked in the same way."""


class OfItsOwn(AlphaBetaPlayer):
    def get_move(self, game: Any, time_left: Any) -> Any:
        return super().get_move(game, time_left)


SUBMISSION = """
def custom_score(game, player):
    return asked(game, player)
"""
SMALL: Any = {"width": 5, "height": 4}


@pytest.fixture
def slow(clock: Any, write_submission: Callable[..., Path]) -> Callable[..., Any]:
    """Makes players; each call of their heuristic takes a second."""

    def asked(game: Any, player: Any) -> float:
        clock.seconds += 1
        return float(len(game.get_legal_moves(player)))

    def made(kind: Any, **limits: Any) -> Any:
        if kind is not as_player:
            return kind(asked, **limits)
        submission = load(write_submission(SUBMISSION))
        vars(submission.module)["asked"] = asked
        return as_player(submission, **limits)

    return made


@pytest.mark.parametrize(
    ("kind", "limits"),
    [
        *((AlphaBetaPlayer, limits) for limits in ({"nodes": 20}, {"depth": 1}, {"work": 20, "cost": 1.0})),
        *((as_player, limits) for limits in ({"nodes": 20}, {"depth": 1}, {"work": 20, "cost": 1.0})),
        (MinimaxPlayer, {}),
        (MinimaxPlayer, {"nodes": 20}),
        (GreedyPlayer, {}),
        (PerfectPlayer, {"nodes": 20}),
        (KeptAsItIs, {"depth": 2, "nodes": 20}),
    ],
)
def test_a_player_that_counts_has_no_time_limit_but_one_that_is_asked_for(
    slow: Any, kind: Any, limits: Any
) -> None:
    for opponent in (RandomPlayer(), FirstMove()):
        for seats in ((slow(kind, **limits), opponent), (opponent, slow(kind, **limits))):
            assert play_game(*seats, seed=1, **SMALL).reason == "no moves"
    for board_class in (Board, reference.Board):
        seats = slow(kind, **limits), FirstMove()
        assert board_class(*seats, **SMALL).play()[2] == "illegal move"
        assert board_class(*seats, **SMALL).play(time_limit=150) == (seats[1], [], "timeout")
        assert board_class(*seats, **SMALL).play(150) == (seats[1], [], "timeout")
    assert play_game(*seats, time_limit=150, **SMALL).reason == "timeout"


@pytest.mark.parametrize(
    ("kind", "limits"),
    [
        (AlphaBetaPlayer, {}),
        (AlphaBetaPlayer, {"nodes": 20, "ms": 10_000}),
        (as_player, {"ms": 10_000}),
        (OfItsOwn, {"nodes": 20}),
    ],
)
def test_a_player_with_a_clock_or_a_turn_of_its_own_has_the_time_of_the_course(
    slow: Any, kind: Any, limits: Any
) -> None:
    seats = slow(kind, **limits), AlphaBetaPlayer(nodes=20)
    assert play_game(*seats, seed=1, **SMALL).reason == "timeout"
    for board_class in (Board, reference.Board):
        assert board_class(*seats, **SMALL).play() == (seats[1], [], "timeout")


def test_what_a_player_raises_comes_out_as_itself_and_random_is_put_back() -> None:
    class ResignedError(Exception):
        pass

    class Raising:
        def get_move(self, game: Any, time_left: Any) -> None:
            random.random()
            raise ResignedError("enough")

    opponent = RandomPlayer()
    state = random.getstate()
    with pytest.raises(ResignedError, match="enough"):
        play_game(opponent, Raising(), seed=1)
    assert random.getstate() == state


@pytest.mark.parametrize(
    "limits", [{"depth": 10**30}, {"nodes": 10**30}, {"ms": 1e300}, {"ms": 1e-300}, {"ms": 1}, {}]
)
def test_every_budget_plays_natively(limits: Any) -> None:
    player = AlphaBetaPlayer("improved", **limits)
    assert_a_game_by_the_rules(play_game(player, player, width=3, height=3, seed=1, time_limit=1e301))


def test_one_native_player_can_play_itself() -> None:
    player = AlphaBetaPlayer("improved", nodes=50)
    assert_a_game_by_the_rules(play_game(player, player, seed=1))


def test_equal_python_players_are_refused() -> None:
    class Equal(FirstMove):
        def __eq__(self, other: Any) -> bool:
            return isinstance(other, Equal)

        def __hash__(self) -> int:
            return 0

    player = FirstMove()
    for player_1, player_2 in ((player, player), (Equal(), Equal())):
        with pytest.raises(InvalidArgumentError, match="cannot tell equal players apart"):
            play_game(player_1, player_2)


def test_a_class_or_a_thing_without_get_move_is_no_player() -> None:
    with pytest.raises(
        TypeError, match=r"player_2 is the class RandomPlayer, not a player: write RandomPlayer\(\)"
    ):
        play_game(RandomPlayer(), RandomPlayer)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="player_1 has no method get_move"):
        play_game("improved", RandomPlayer())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"start": "7x7 nonsense"}, InvalidPositionError, "nonsense"),
        ({"start": 5}, TypeError, "takes an isolation_fast.Board or its text as start, not an int: 5"),
        ({"start": reference.Board()}, TypeError, r"not an isolation_fast\.reference\.Board$"),
        ({"start": START, "width": 9}, InvalidArgumentError, "start is 7x7"),
        ({"width": 0}, InvalidBoardError, "0"),
        ({"seed": "x"}, TypeError, "seed must be an integer, not 'x'"),
        ({"time_limit": 0}, InvalidArgumentError, "above 0, not 0"),
        ({"time_limit": float("nan")}, InvalidArgumentError, "not nan"),
        ({"time_limit": "150"}, InvalidArgumentError, "not '150'"),
    ],
)
def test_arguments_that_make_no_game_are_refused_by_name(arguments: Any, error: Any, message: Any) -> None:
    for opponent in (GreedyPlayer(), FirstMove()):
        with pytest.raises(error, match=message):
            play_game(RandomPlayer(), opponent, **arguments)


def test_a_person_has_all_the_time(
    clock: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def slow_input(prompt: str = "") -> Any:
        clock.seconds += 3600
        return "0"

    monkeypatch.setattr(builtins, "input", slow_input)
    result = play_game(HumanPlayer(), GreedyPlayer(), start="3x3 x2/3/2x 0,0 2,2 1")
    assert_a_game_by_the_rules(result)
    assert "[0] " in capsys.readouterr().out


def test_a_replaced_get_move_is_the_one_that_is_asked() -> None:
    player = RandomPlayer()
    vars(player)["get_move"] = lambda game, time_left: (9, 9)
    assert play_game(player, GreedyPlayer()).reason == "forfeit"


def test_nodes_are_counted_for_each_side() -> None:
    for second in (AlphaBetaPlayer("improved", nodes=40), FirstMove()):
        result = play_game(
            AlphaBetaPlayer("improved", nodes=25), second, start=START, seed=0, time_limit=60_000
        )
        turns = (len(result.moves) + 1) // 2, len(result.moves) // 2
        assert 25 <= result.nodes[0] <= 25 * turns[0]
        assert result.nodes[1] <= 40 * turns[1]
        assert (result.nodes[1] == 0) == isinstance(second, FirstMove)


def test_a_result_is_frozen_comparable_and_travels() -> None:
    result = play_game(RandomPlayer(), GreedyPlayer(), seed=4)
    with pytest.raises(FrozenInstanceError):
        result.winner = 1  # type: ignore[misc]
    for arrived in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert arrived == result
        assert hash(arrived) == hash(result)
    assert eval(repr(result)) == result


def test_a_result_tells_its_story() -> None:
    result = GameResult(2, ((0, 1), (2, 2)), "no moves", (0, 0), "3x3 3/3/3 - - 1")
    assert str(result) == "player 2 won after 2 moves: player 1 had no move left"
    assert result.history == [[0, 1], [2, 2]]
    forfeited = GameResult(1, (), "forfeit", (0, 0), "3x3 3/3/3 - - 2")
    assert str(forfeited) == "player 1 won after 0 moves: player 2 gave no legal move though there was one"


def test_a_native_game_counts_the_positions_its_players_searched() -> None:
    first, second = AlphaBetaPlayer("improved", nodes=50), MinimaxPlayer("open", depth=1)
    result = play_game(first, second, seed=4)
    assert (first.searched_nodes, second.searched_nodes) == result.nodes


def test_a_players_own_seed_orders_its_moves_in_any_game() -> None:
    games = {
        play_game(MinimaxPlayer("null", depth=1, seed=seed), GreedyPlayer("open"), start=START, seed=1).moves[
            0
        ]
        for seed in range(20)
    }
    assert len(games) > 1

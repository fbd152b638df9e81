"""The heuristics and players that classic code finds in `sample_players`, in both layouts."""

import builtins
import math
import random
from typing import Any

import pytest

from isolation_fast import Board, reference
from isolation_fast.classic import served_modules

PLACED = "7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1"
FINISHED = "3x3 3/1x1/2x 1,1 2,2 1"


@pytest.fixture(params=["v1", "v2"])
def layout(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def sample_players(layout: Any) -> Any:
    return served_modules(layout)["sample_players"]


def asked(player: Any, layout: str, board: Any) -> Any:
    """Ask for a move as that layout does."""
    moves = [board.get_legal_moves()] if layout == "v1" else []
    return player.get_move(board, *moves, lambda: 150.0)


def test_the_names_are_the_classic_ones(sample_players: Any) -> None:
    scope: dict[str, Any] = {}
    assert sorted(sample_players.__all__) == sorted(
        ["null_score", "open_move_score", "improved_score", "center_score"]
        + ["RandomPlayer", "GreedyPlayer", "HumanPlayer", "randint"]
    )
    scope.update({name: getattr(sample_players, name) for name in sample_players.__all__})
    assert all(map(callable, scope.values()))


def test_the_heuristics_have_the_classic_values(sample_players: Any, board_class: Any) -> None:
    board = board_class.from_text(PLACED, "Ann", "Ben")
    values = {
        name: (getattr(sample_players, name)(board, "Ann"), getattr(sample_players, name)(board, "Ben"))
        for name in ("null_score", "open_move_score", "improved_score", "center_score")
    }
    assert values == {
        "null_score": (0.0, 0.0),
        "open_move_score": (8.0, 2.0),
        "improved_score": (6.0, -6.0),
        "center_score": (2.5, 24.5),
    }
    assert {type(value) for pair in values.values() for value in pair} == {float}


def test_a_finished_game_is_worth_infinity(sample_players: Any, board_class: Any) -> None:
    board = board_class.from_text(FINISHED, "Ann", "Ben")
    for name in ("null_score", "open_move_score", "improved_score", "center_score"):
        score = getattr(sample_players, name)
        assert (score(board, "Ann"), score(board, "Ben")) == (-math.inf, math.inf)


def test_the_center_score_of_an_unplaced_player_is_a_type_error(
    sample_players: Any, board_class: Any
) -> None:
    with pytest.raises(TypeError):
        sample_players.center_score(board_class("Ann", "Ben"), "Ann")


def test_a_stranger_is_a_runtime_error(sample_players: Any, board_class: Any) -> None:
    with pytest.raises(RuntimeError):
        sample_players.improved_score(board_class("Ann", "Ben"), "Eve")


def test_heuristics_ask_the_methods_of_a_board_of_ones_own(sample_players: Any, board_class: Any) -> None:
    class Stuck(board_class):  # type: ignore[misc]
        def get_legal_moves(self, player: Any = None) -> list[tuple[int, int]]:
            return [(0, 0)] * (3 if player == "Ann" else 1)

    assert sample_players.improved_score(Stuck("Ann", "Ben"), "Ann") == 2.0


def test_the_random_player_takes_a_legal_move_by_the_seed(sample_players: Any, layout: str) -> None:
    board = Board.from_text(PLACED)
    moves = board.get_legal_moves()
    random.seed(7)
    expected = [moves[random.randint(0, 7)] for _ in range(20)]
    random.seed(7)
    assert [asked(sample_players.RandomPlayer(), layout, board) for _ in range(20)] == expected


def test_the_greedy_player_takes_the_best_and_of_equal_moves_the_largest(
    sample_players: Any, layout: str, board_class: Any
) -> None:
    board = board_class.from_text(PLACED)
    level = sample_players.GreedyPlayer(score_fn=lambda game, player: 0)
    assert asked(level, layout, board) == (4, 4)
    seen: list[Any] = []

    def least_row(game: Any, player: Any) -> int:
        seen.append(player)
        return -int(game.get_player_location("player 1")[0])

    greedy = sample_players.GreedyPlayer(least_row)
    assert asked(greedy, layout, board) == (0, 4)
    assert greedy.score is least_row
    assert seen == [greedy] * 8


def test_the_greedy_player_goes_by_open_moves_if_nothing_is_said(sample_players: Any) -> None:
    assert sample_players.GreedyPlayer().score is sample_players.open_move_score


def test_players_without_a_move_answer_minus_one_twice(sample_players: Any, layout: str) -> None:
    board = Board.from_text(FINISHED)
    for player in (
        sample_players.RandomPlayer(),
        sample_players.GreedyPlayer(),
        sample_players.HumanPlayer(),
    ):
        assert asked(player, layout, board) == (-1, -1)


def test_the_human_player_is_asked_until_the_number_is_one_of_a_move(
    sample_players: Any, layout: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter(["", "8", "2"])
    monkeypatch.setattr(builtins, "input", lambda prompt: next(answers))
    board = Board.from_text(PLACED)
    assert asked(sample_players.HumanPlayer(), layout, board) == board.get_legal_moves()[2]
    shown = capsys.readouterr().out
    assert board.to_string() in shown
    assert "Invalid index! Try again." in shown
    assert "Illegal move! Try again." in shown


def test_the_end_of_a_humans_input_is_an_error_as_it_was(
    sample_players: Any, layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr(builtins, "input", ended)
    with pytest.raises(EOFError):
        asked(sample_players.HumanPlayer(), layout, Board.from_text(PLACED))


@pytest.mark.parametrize("kind", [Board, reference.Board])
def test_the_players_of_both_layouts_play_a_game_to_its_normal_end(
    sample_players: Any, layout: str, kind: Any
) -> None:
    first, second = sample_players.RandomPlayer(), sample_players.GreedyPlayer()
    winner, history, outcome = kind(first, second).play(time_limit=60_000)
    assert winner in (first, second)
    assert outcome == "illegal move"
    # The first layout gives pairs, the bad last answer included.
    assert ((-1, -1) in history[-1]) is (layout == "v1")

"""What the reference board has beyond the engine's: the private names of the oldest boards."""

import copy
import random
from typing import Any

import pytest

import isolation_fast
from isolation_fast.reference import Board


def played(*moves: tuple[int, int], **size: int) -> Board:
    board = Board("Ann", "Ben", **size)
    for move in moves:
        board.apply_move(move)
    return board


def test_the_oldest_state_says_who_went_where() -> None:
    board = played((0, 0), (1, 2), (2, 1), width=3, height=4)
    assert board.__board_state__ == [[1, 0, 0], [0, 0, 2], [0, 1, 0], [0, 0, 0]]


def test_the_oldest_state_names_the_last_who_went_there() -> None:
    assert played((0, 0), (1, 1), (1, 1), (2, 2), width=3, height=3).__board_state__[1][1] == 1
    assert played((0, 0), (0, 0), width=3, height=3).__board_state__[0][0] == 2


def test_copies_remember_who_went_where() -> None:
    board = played((0, 0), (1, 2), (2, 1), (3, 1), width=3, height=4)
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert twin.__board_state__ == board.__board_state__ == [[1, 0, 0], [0, 0, 2], [0, 1, 0], [0, 2, 0]]


def test_the_oldest_names_read_todays_players() -> None:
    board = played((0, 0))
    assert (board.__player_1__, board.__player_2__) == ("Ann", "Ben")
    assert (board.__active_player__, board.__inactive_player__) == ("Ben", "Ann")
    assert board.__last_player_move__ == {"Ann": (0, 0), "Ben": None}
    assert board.__player_symbols__ == {0: 0, "Ann": 1, "Ben": 2}


def test_the_oldest_name_of_the_move_generator_gives_the_same_moves() -> None:
    board = played((3, 3), (0, 0))
    assert board.__get_moves__((3, 3)) == board.get_legal_moves()
    assert board.__get_moves__(None) == board.get_blank_spaces()


def test_a_copy_written_in_the_oldest_manner_is_the_same_position() -> None:
    class Counting(Board):
        def copy(self) -> Any:
            twin = Counting(self.__player_1__, self.__player_2__, width=self.width, height=self.height)
            twin.move_count = self.move_count
            twin.__active_player__ = self.__active_player__
            twin.__inactive_player__ = self.__inactive_player__
            twin.__last_player_move__ = copy.copy(self.__last_player_move__)
            twin.__player_symbols__ = copy.copy(self.__player_symbols__)
            twin.__board_state__ = copy.deepcopy(self.__board_state__)
            return twin

    board = Counting("Ann", "Ben", width=5, height=4).forecast_move((3, 3)).forecast_move((0, 0))
    twin = board.copy()
    assert twin.to_text() == board.to_text() == "5x4 x4/5/5/3x1 3,3 0,0 1"
    assert twin.__board_state__ == board.__board_state__
    assert sorted(twin.get_legal_moves()) == [(1, 2), (1, 4), (2, 1)]


@pytest.mark.parametrize("name", ["__player_1__", "__player_2__", "__active_player__", "__inactive_player__"])
def test_the_oldest_names_of_the_players_can_be_set(name: str) -> None:
    board = Board("Ann", "Ben")
    setattr(board, name, "Eve")
    assert getattr(board, name) == getattr(board, name.removeprefix("_").removesuffix("__")) == "Eve"


@pytest.mark.parametrize("size", [(7, 7), (5, 4), (9, 8), (11, 9), (13, 12)])
@pytest.mark.parametrize("seed", range(10))
def test_both_boards_list_moves_in_the_same_order(size: tuple[int, int], seed: int) -> None:
    random.seed(seed)
    ours = Board("Ann", "Ben", *size)
    random.seed(seed)
    engines = isolation_fast.Board("Ann", "Ben", *size)
    while True:
        assert ours.to_text() == engines.to_text()
        for player in ("Ann", "Ben"):
            assert ours.get_legal_moves(player) == engines.get_legal_moves(player)
        moves = ours.get_legal_moves()
        if not moves:
            break
        ours.apply_move(moves[0])
        engines.apply_move(moves[0])

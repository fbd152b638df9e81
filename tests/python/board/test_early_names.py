"""The private names of the oldest boards, on both boards of today."""

import copy
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from isolation_fast import Board, reference, search


def played(board_class: Any, *moves: tuple[int, int], **size: int) -> Any:
    board = board_class("Ann", "Ben", **size)
    for move in moves:
        board.apply_move(move)
    return board


def test_the_oldest_state_says_who_went_where(board_class: Any) -> None:
    board = played(board_class, (0, 0), (1, 2), (2, 1), width=3, height=4)
    assert board.__board_state__ == [[1, 0, 0], [0, 0, 2], [0, 1, 0], [0, 0, 0]]


def test_the_oldest_state_names_the_last_who_went_there(board_class: Any) -> None:
    assert played(board_class, (0, 0), (1, 1), (1, 1), (2, 2), width=3, height=3).__board_state__[1][1] == 1
    assert played(board_class, (0, 0), (0, 0), width=3, height=3).__board_state__[0][0] == 2


def test_copies_remember_who_went_where(board_class: Any) -> None:
    board = played(board_class, (0, 0), (1, 2), (2, 1), (3, 1), width=3, height=4)
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert twin.__board_state__ == board.__board_state__ == [[1, 0, 0], [0, 0, 2], [0, 1, 0], [0, 2, 0]]


def test_the_oldest_names_read_todays_players(board_class: Any) -> None:
    board = played(board_class, (0, 0))
    assert (board.__player_1__, board.__player_2__) == ("Ann", "Ben")
    assert (board.__active_player__, board.__inactive_player__) == ("Ben", "Ann")
    assert board.__last_player_move__ == {"Ann": (0, 0), "Ben": None}
    assert board.__player_symbols__ == {0: 0, "Ann": 1, "Ben": 2}


def test_the_oldest_name_of_the_move_generator_gives_the_same_moves(board_class: Any) -> None:
    board = played(board_class, (3, 3), (0, 0))
    assert board.__get_moves__((3, 3)) == board.get_legal_moves()
    assert board.__get_moves__(None) == board.get_blank_spaces()


def test_a_copy_written_in_the_oldest_manner_is_the_same_position(board_class: Any) -> None:
    class Counting(board_class):  # type: ignore[misc]
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
def test_the_oldest_names_of_the_players_can_be_set(board_class: Any, name: str) -> None:
    board = board_class("Ann", "Ben")
    setattr(board, name, "Eve")
    assert getattr(board, name) == getattr(board, name.removeprefix("_").removesuffix("__")) == "Eve"


def test_what_is_written_into_the_oldest_state_takes_effect(board_class: Any) -> None:
    board = played(board_class, (0, 0), (1, 2), width=3, height=4)
    board.__board_state__[3][1] = 2
    board.__board_state__[2][0:2] = [1, 1]
    board.__board_state__[0] = [0, 0, 0]
    assert board.__board_state__ == [[0, 0, 0], [0, 0, 2], [1, 1, 0], [0, 2, 0]]
    assert not board.move_is_legal((3, 1))
    assert board.move_is_legal((0, 0))
    board.__last_player_move__["Ann"] = (2, 1)
    board.__last_player_move__.update({"Ben": None})
    assert (board.get_player_location("Ann"), board.get_player_location("Ben")) == ((2, 1), None)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_of_the_oldest_state_are_plain_and_independent(
    board_class: Any, copied: Callable[[Any], Any]
) -> None:
    board = played(board_class, (0, 0), width=3, height=2)
    state, moves = copy.deepcopy(board.__board_state__), copied(board.__last_player_move__)
    assert (type(state), type(state[0]), type(moves)) == (list, list, dict)
    state[1][1], moves["Ann"] = 1, None
    assert board.move_is_legal((1, 1))
    assert board.get_player_location("Ann") == (0, 0)


def test_reading_the_oldest_state_leaves_the_board_as_it_is(board_class: Any) -> None:
    board = played(board_class, (0, 0), (1, 2))
    text = board.to_text()
    assert board.__board_state__
    board.apply_move((2, 1))
    assert board.to_text() != text
    assert board.__board_state__[2][1] == 1


@pytest.mark.parametrize("size", [(7, 7), (11, 11), (13, 12)])
def test_a_searched_board_knows_who_went_where(size: tuple[int, int]) -> None:
    board = played(Board, (0, 0), (3, 3), width=size[0], height=size[1])
    seen = []

    def score(game: Any, player: Any) -> float:
        visited = [entry for row in game.__board_state__ for entry in row if entry]
        seen.append((visited.count(1), visited.count(2), game.move_count))
        return 0.0

    search(board, score, depth=3, method="minimax")
    assert set(seen) == {(3, 2, 5)}


def test_both_boards_say_the_same_of_a_search() -> None:
    moves = ((0, 0), (1, 2), (2, 1))
    found: list[set[str]] = [set(), set()]

    def score(game: Any, player: Any) -> float:
        found[isinstance(game, Board)].add(str(game.__board_state__))
        return 0.0

    search(played(Board, *moves, width=4, height=4), score, depth=2, method="minimax")
    reference.search(played(reference.Board, *moves, width=4, height=4), score, depth=2, method="minimax")
    assert found[0] == found[1] != set()


READ = [
    lambda board: board.__board_state__,
    lambda board: board.__last_player_move__,
]


@pytest.mark.parametrize("read", READ)
def test_the_engines_board_keeps_a_view_until_it_changes(read: Any) -> None:
    board = Board.from_text("5x5 x4/5/5/5/4x 0,0 4,4 1", "Ann", "Ben")
    first = read(board)
    assert read(board) is first
    assert read(board.copy()) is not first
    assert read(board.copy()) == first
    board.apply_move((1, 2))
    assert read(board) is not first
    assert read(board) != first
    assert board.__last_player_move__["Ann"] == (1, 2)
    assert board.__board_state__[1][2] == 1


def test_what_is_written_by_any_name_shows_in_the_next_view() -> None:
    board: Any = Board.from_text("5x5 x4/5/5/5/4x 0,0 4,4 1", "Ann", "Ben")
    assert board.__board_state__[2] == [0] * 5
    board.__board_state__[2][3] = 1
    assert board.__board_state__[2] == [0, 0, 0, 1, 0]
    # Whoever holds the list may write into it unseen.
    held = board._board_state
    assert board.__board_state__[2][2] == 0
    held[2 + 2 * 5] = 1
    assert board.__board_state__[2] == [0, 0, 1, 1, 0]
    board._second_visits = 1 << (2 + 2 * 5)
    assert board.__board_state__[2] == [0, 0, 2, 1, 0]
    board.__last_player_move__["Ben"] = (3, 3)
    assert board.__last_player_move__ == {"Ann": (0, 0), "Ben": (3, 3)}


def test_a_player_whose_hash_changes_the_board_gets_no_view_of_before() -> None:
    class Moving:
        def __hash__(self) -> int:
            if board.move_count < 3:
                board.apply_move((board.move_count, 1))
            return 7

    board = Board(Moving(), "Ben", width=5, height=5)
    board.apply_move((0, 0))
    assert board.__last_player_move__["Ben"] is None
    assert board.__last_player_move__["Ben"] is not None


def test_views_keep_no_board_alive() -> None:
    board = Board.from_text("5x5 x4/5/5/5/4x 0,0 4,4 1", "Ann", "Ben")
    rows, locations, gone = board.__board_state__, board.__last_player_move__, weakref.ref(board)
    del board
    assert gone() is None
    rows[0][1], locations["Ann"] = 1, (1, 1)
    assert rows[0] == [1, 1, 0, 0, 0]

"""A board as a Python object: private state that is read and written, copies, subclasses, identity."""

import copy
import gc
import pickle
import weakref
from typing import Any

import pytest

from isolation_fast import Board
from isolation_fast.exceptions import UnknownPlayerError


class Player:
    """A player that is only itself."""


def played(board_class: Any, *moves: tuple[int, int], **size: int) -> Any:
    board = board_class("Ann", "Ben", **size)
    for move in moves:
        board.apply_move(move)
    return board


def test_a_cell_that_is_written_is_blocked(board_class: Any) -> None:
    board = played(board_class, (3, 3), (0, 0))
    board._board_state[1 + 2 * 7] = 1
    assert not board.move_is_legal((1, 2))
    assert (1, 2) not in board.get_legal_moves()
    assert len(board.get_blank_spaces()) == 46


def test_a_location_that_is_written_moves_the_player(board_class: Any) -> None:
    board = played(board_class, (3, 3), (0, 0))
    board._board_state[-1] = 6 + 6 * 7
    board._board_state[-2] = None
    assert board.get_player_location("Ann") == (6, 6)
    assert board.get_player_location("Ben") is None


def test_flipping_the_initiative_decides_nothing_but_the_hash(board_class: Any) -> None:
    board = played(board_class, (3, 3), (0, 0))
    before, moves = board.hash(), board.get_legal_moves()
    board._board_state[-3] ^= 1
    assert board.active_player == "Ann"
    assert board.get_legal_moves() == moves
    assert board.hash() != before
    board.apply_move((2, 1))
    assert board._board_state[-3] == 0


def test_an_alias_of_the_state_sees_later_moves(board_class: Any) -> None:
    board = played(board_class, (3, 3))
    alias = board._board_state
    board.apply_move((0, 0))
    assert (alias[0], alias[-2]) == (1, 0)
    assert board._board_state is alias


def test_the_whole_state_can_be_assigned(board_class: Any) -> None:
    board, other = board_class("Ann", "Ben"), played(board_class, (3, 3), (0, 0))
    board._board_state = list(other._board_state)
    assert sorted(board.get_legal_moves()) == sorted(other.get_legal_moves())
    board.apply_move((1, 2))
    assert other.move_is_legal((1, 2))


def test_a_forecast_from_a_written_state_starts_from_it(board_class: Any) -> None:
    board = played(board_class, (3, 3), (0, 0))
    board._board_state[1 + 2 * 7] = 1
    following = board.forecast_move((2, 1))
    following._board_state[4] = 1
    assert not following.move_is_legal((1, 2))
    assert board.move_is_legal((4, 0))


def test_the_state_reads_like_any_list(board_class: Any) -> None:
    state = played(board_class, (3, 3), (0, 0))._board_state
    assert type(state) is list
    assert (len(state), sum(state[:-3]), state.count(1), state[:-3].count(0)) == (52, 2, 2, 47)


def test_whose_turn_it_is_follows_the_active_player(board_class: Any) -> None:
    board = played(board_class, (3, 3), (0, 0))
    board._active_player, board._inactive_player = "Ben", "Ann"
    assert len(board.get_legal_moves()) == 2
    board.apply_move((1, 2))
    assert board.get_player_location("Ben") == (1, 2)
    assert board.get_player_location("Ann") == (3, 3)


def test_the_active_player_can_be_set_alone(board_class: Any) -> None:
    board = played(board_class, (3, 3), (0, 0)).copy()
    board._active_player = "Ben"
    assert (board.active_player, board.inactive_player) == ("Ben", "Ben")
    with pytest.raises(UnknownPlayerError):
        board.get_opponent("Ann")
    assert board.get_player_location("Ann") == (3, 3)


def test_locations_follow_the_numbered_players(board_class: Any) -> None:
    board = played(board_class, (3, 3), (0, 0))
    board._player_1 = "Ada"
    assert board.get_player_location("Ada") == (3, 3)
    with pytest.raises(UnknownPlayerError):
        board.get_player_location("Ann")


@pytest.mark.parametrize("name", ["active_player", "inactive_player"])
def test_the_public_players_are_read_only(board_class: Any, name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(board_class("Ann", "Ben"), name, "Eve")


def test_size_and_move_count_can_be_written(board_class: Any) -> None:
    board = board_class("Ann", "Ben")
    board.move_count = 12
    board.apply_move((0, 0))
    assert board.move_count == 13
    board.width = 6
    assert len(board.get_blank_spaces()) == 41


@pytest.mark.parametrize(
    "duplicate",
    [
        lambda board: board.copy(),
        copy.copy,
        copy.deepcopy,
        *(
            lambda board, n=n: pickle.loads(pickle.dumps(board, n))
            for n in range(2, pickle.HIGHEST_PROTOCOL + 1)
        ),
    ],
)
def test_every_kind_of_copy_is_equal_and_independent(board_class: Any, duplicate: Any) -> None:
    board = played(board_class, (3, 3), (0, 0), (1, 2), width=8, height=9)
    twin = duplicate(board)
    assert type(twin) is board_class
    assert twin._board_state == board._board_state
    assert (twin.width, twin.height, twin.move_count) == (8, 9, 3)
    assert (twin.active_player, twin.inactive_player) == ("Ben", "Ann")
    assert twin.get_legal_moves("Ann") == board.get_legal_moves("Ann")
    assert twin.hash() == board.hash()
    twin.apply_move((2, 1))
    assert board.move_is_legal((2, 1))
    board._board_state[40] = 1
    assert twin._board_state[40] == 0


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_copies_of_a_subclass_keep_its_class_and_attributes(board_class: Any, duplicate: Any) -> None:
    special: Any = type("Special", (board_class,), {})
    board = special("Ann", "Ben")
    board.note = ["mine"]
    board.apply_move((2, 1))
    twin = duplicate(board)
    assert type(twin) is special
    assert twin.note == ["mine"]
    assert twin.get_player_location("Ann") == (2, 1)


def test_players_are_shared_by_copy_and_copied_by_deepcopy(board_class: Any) -> None:
    board = board_class(Player(), Player())
    assert board.copy()._player_1 is copy.copy(board)._player_1 is board._player_1
    assert copy.deepcopy(board)._player_1 is not board._player_1


def test_a_deep_copy_keeps_active_player_and_player_the_same_object(board_class: Any) -> None:
    twin = copy.deepcopy(board_class(Player(), Player()))
    assert twin._active_player is twin._player_1
    assert twin._inactive_player is twin._player_2


def test_the_hash_is_an_integer_that_follows_the_state(board_class: Any) -> None:
    one, two = played(board_class, (3, 3), (0, 0)), played(board_class, (3, 3), (0, 0))
    assert type(one.hash()) is int
    assert one.hash() == two.hash() == one.copy().hash()
    assert one.hash() != one.forecast_move((1, 2)).hash()
    assert one.hash() != played(board_class, (0, 0), (3, 3)).hash()


def test_boards_are_compared_by_identity_and_can_be_keys(board_class: Any) -> None:
    board = board_class("Ann", "Ben")
    assert board != board.copy()
    assert {board: 1, board.copy(): 2}[board] == 1


def test_attributes_weak_references_and_patched_methods_work(board_class: Any) -> None:
    board = board_class("Ann", "Ben")
    board.note = "mine"
    board.get_legal_moves = list
    reference: Any = weakref.ref(board)
    assert reference().note == "mine"
    assert board.get_legal_moves() == []


def test_a_board_in_a_cycle_is_collected(board_class: Any) -> None:
    player = Player()
    board = board_class(player, "Ben")
    player.board = board  # type: ignore[attr-defined]
    reference = weakref.ref(board)
    del board, player
    gc.collect()
    assert reference() is None


def test_a_subclass_with_a_copy_of_its_own_is_kept_by_forecasts(board_class: Any) -> None:
    class Counting(board_class):  # type: ignore[misc]
        def copy(self) -> Any:
            twin = Counting(self._player_1, self._player_2, width=self.width, height=self.height)
            twin.move_count = self.move_count
            twin._active_player = self._active_player
            twin._inactive_player = self._inactive_player
            twin._board_state = copy.copy(self._board_state)
            return twin

    board = Counting("Ann", "Ben").forecast_move((3, 3)).forecast_move((0, 0))
    assert type(board) is Counting
    assert (board.move_count, board.active_player) == (2, "Ann")
    assert len(board.get_legal_moves()) == 8


def test_a_copy_of_a_subclass_that_says_nothing_about_it_is_a_plain_board(board_class: Any) -> None:
    special = type("Special", (board_class,), {})
    assert type(special("Ann", "Ben").copy()) is board_class


def test_pickles_and_deep_copies_keep_odd_values_of_the_state(board_class: Any) -> None:
    board = board_class("Ann", "Ben")
    board._board_state[5] = 2
    for twin in (pickle.loads(pickle.dumps(board)), copy.deepcopy(board)):
        assert twin._board_state == board._board_state
        assert twin._board_state is not board._board_state


def test_equal_states_of_any_length_have_equal_hashes() -> None:
    board, other = Board("Ann", "Ben", 1, 7), Board("Ann", "Ben", 1, 7)
    board._board_state, other._board_state = [0] * 52, [0.0] + [0] * 51
    assert board.hash() == other.hash()

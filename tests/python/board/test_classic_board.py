"""The rules and methods of the classic board, on the engine's board and on the reference one."""

import random
from typing import Any

import pytest

from isolation_fast.exceptions import IllegalMoveError, InvalidBoardError, IsolationError, UnknownPlayerError

FROM_THE_MIDDLE = [(1, 2), (1, 4), (2, 1), (2, 5), (4, 1), (4, 5), (5, 2), (5, 4)]
NO_PAIRS_OF_INTEGERS = [None, 5, (3.0, 3.0), (3,), (), "ab", (None, 3), (3, "1"), object(), (9.0, 0.0)]
OFF_THE_BOARD = [(-1, -1), (0, 7), (7, 0), (8, 8), (2, 9), (10**30, 0), (0, -(10**30))]


class EqualByName:
    """A player that is equal to others of its name, and counts how often it was asked."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EqualByName) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


def played(board_class: Any, *moves: tuple[int, int], **size: int) -> Any:
    board = board_class("Ann", "Ben", **size)
    for move in moves:
        board.apply_move(move)
    return board


def test_a_new_board_is_7_by_7_and_blank(board_class: Any) -> None:
    board = board_class("Ann", "Ben")
    assert (board.width, board.height, board.move_count) == (7, 7, 0)
    assert board._board_state == [0] * 50 + [None, None]
    assert (board.active_player, board.inactive_player) == ("Ann", "Ben")


def test_width_counts_columns_and_height_rows(board_class: Any) -> None:
    board = board_class("Ann", "Ben", width=3, height=2)
    assert board.get_blank_spaces() == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]


def test_all_arguments_can_be_named(board_class: Any) -> None:
    board = board_class(player_2="Ben", height=4, player_1="Ann", width=5)
    assert (board.active_player, board.width, board.height) == ("Ann", 5, 4)


def test_constants_are_read_from_the_class_and_from_boards(board_class: Any) -> None:
    board = board_class("Ann", "Ben")
    assert board_class.BLANK == board.BLANK == 0
    assert board_class.NOT_MOVED is None
    assert board.NOT_MOVED is None


@pytest.mark.parametrize(
    "size", [(0, 7), (7, 0), (0, 0), (-1, 7), (7, -3), (10**9, 10**9), (10**30, 1), (1, 2**20 + 1)]
)
def test_a_size_without_cells_or_beyond_memory_is_refused(board_class: Any, size: tuple[int, int]) -> None:
    with pytest.raises(InvalidBoardError) as caught:
        board_class("Ann", "Ben", *size)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("width", [7.0, "7", None])
def test_a_size_is_an_integer(board_class: Any, width: object) -> None:
    with pytest.raises(TypeError):
        board_class("Ann", "Ben", width=width)


def test_an_unplaced_player_may_go_to_every_blank_cell_in_column_major_order(board_class: Any) -> None:
    board = played(board_class, (1, 0), width=3, height=2)
    blank = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    assert board.get_legal_moves() == board.get_legal_moves("Ben") == board.get_blank_spaces() == blank


def test_a_placed_player_moves_like_a_knight_to_blank_cells(board_class: Any) -> None:
    board = played(board_class, (3, 3), (5, 4))
    assert sorted(board.get_legal_moves()) == sorted(set(FROM_THE_MIDDLE) - {(5, 4)})
    assert sorted(board.get_legal_moves("Ben")) == [(3, 5), (4, 2), (4, 6), (6, 2), (6, 6)]


def test_legal_moves_are_tuples_of_plain_integers(board_class: Any) -> None:
    for move in played(board_class, (3, 3), (0, 0)).get_legal_moves():
        assert type(move) is tuple
        assert [type(number) for number in move] == [int, int]


def test_the_list_of_moves_is_the_callers_own(board_class: Any) -> None:
    board = played(board_class, (3, 3), (0, 0))
    board.get_legal_moves().clear()
    board.get_blank_spaces().append("rubbish")
    assert sorted(board.get_legal_moves() + []) == FROM_THE_MIDDLE
    assert len(board.get_blank_spaces()) == 47


def test_seeding_random_repeats_the_order_of_the_moves(board_class: Any) -> None:
    orders = []
    for seed in (1, 1, 2, 3, 4, 5):
        random.seed(seed)
        orders.append(played(board_class, (3, 3), (0, 0)).get_legal_moves())
    assert orders[0] == orders[1]
    assert len({tuple(order) for order in orders}) > 1


def test_the_order_of_the_moves_depends_on_nothing_but_board_and_position(board_class: Any) -> None:
    board = played(board_class, (3, 3), (0, 0))
    order = board.get_legal_moves()
    board.forecast_move(order[0]).get_legal_moves()
    random.random()
    assert board.get_legal_moves() == board.copy().get_legal_moves() == order


def test_a_board_draws_64_bits_and_its_copies_draw_nothing(board_class: Any) -> None:
    random.seed(5)
    board = board_class("Ann", "Ben")
    board.forecast_move((0, 0)).copy()
    after = random.random()
    random.seed(5)
    random.getrandbits(64)
    assert after == random.random()


def test_moves_from_any_cell_are_found_under_the_private_name(board_class: Any) -> None:
    board = played(board_class, (3, 3), (0, 0))
    assert sorted(board._Board__get_moves((3, 3))) == FROM_THE_MIDDLE
    assert sorted(board._Board__get_moves((6, 6))) == [(4, 5), (5, 4)]
    assert board._Board__get_moves(None) == board.get_blank_spaces()


def test_a_move_is_legal_iff_it_is_on_the_board_and_blank(board_class: Any) -> None:
    board = played(board_class, (3, 3), (0, 0), width=5, height=4)
    legal = {
        (row, column) for row in range(-3, 9) for column in range(-3, 9) if board.move_is_legal((row, column))
    }
    assert legal == set(board.get_blank_spaces())
    assert board.move_is_legal(move=(1, 1)) is True
    assert board.move_is_legal((3, 3)) is False


@pytest.mark.parametrize("move", OFF_THE_BOARD)
def test_a_cell_off_the_board_is_not_legal_and_no_error(board_class: Any, move: tuple[int, int]) -> None:
    assert board_class("Ann", "Ben").move_is_legal(move) is False


@pytest.mark.parametrize("move", NO_PAIRS_OF_INTEGERS)
@pytest.mark.parametrize("method", ["move_is_legal", "apply_move", "forecast_move"])
def test_what_is_no_pair_of_integers_is_a_type_error(board_class: Any, method: str, move: object) -> None:
    board = played(board_class, (3, 3))
    before = board.hash()
    with pytest.raises(TypeError):
        getattr(board, method)(move)
    assert board.hash() == before


@pytest.mark.parametrize("move", OFF_THE_BOARD)
@pytest.mark.parametrize("method", ["apply_move", "forecast_move"])
def test_a_move_off_the_board_names_the_move_and_the_board(
    board_class: Any, method: str, move: tuple[int, int]
) -> None:
    board = played(board_class, (3, 3))
    before = board.hash()
    with pytest.raises(IllegalMoveError, match="is outside the 7x7 board") as caught:
        getattr(board, method)(move)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, IsolationError)
    assert f"({move[0]}, {move[1]})" in str(caught.value)
    assert "7x7 7/7/7/3x3/7/7/7 3,3 - 2" in str(caught.value)
    assert (board.hash(), board.move_count, board.active_player) == (before, 1, "Ben")


@pytest.mark.parametrize("move", [(2, 3), [2, 3], (2, 3, "why"), range(2, 4)])
def test_any_sequence_that_begins_with_two_integers_is_a_move(board_class: Any, move: Any) -> None:
    board = played(board_class, move)
    assert board.get_player_location("Ann") == (2, 3)
    assert board.forecast_move(move).get_player_location("Ben") == (2, 3)


def test_booleans_and_numpy_integers_are_integers(board_class: Any) -> None:
    numpy = pytest.importorskip("numpy")
    board = played(board_class, (True, False), (numpy.int64(4), numpy.int8(2)), numpy.array([5, 5]))
    assert board.get_player_location("Ann") == (5, 5)
    assert [type(number) for number in board.get_player_location("Ben")] == [int, int]
    assert board.move_is_legal((numpy.uint8(6), numpy.int64(6))) is True
    assert sum(board._board_state[:-3]) == 3


def test_a_small_integer_type_does_not_overflow_on_a_large_board(board_class: Any) -> None:
    numpy = pytest.importorskip("numpy")
    board = played(board_class, (numpy.int8(100), numpy.int8(100)), width=101, height=101)
    assert board.get_player_location("Ann") == (100, 100)
    assert board.move_is_legal((numpy.int8(100), numpy.int8(100))) is False


def test_applying_a_move_writes_what_the_classic_board_writes(board_class: Any) -> None:
    board = played(board_class, (2, 3), (0, 1))
    assert board._board_state[-3:] == [0, 7, 23]
    assert [cell for cell, value in enumerate(board._board_state[:-3]) if value] == [7, 23]
    board.apply_move((4, 4))
    assert board._board_state[-3:] == [1, 7, 32]
    assert (board.move_count, board.active_player, board.inactive_player) == (3, "Ben", "Ann")


def test_apply_move_returns_none(board_class: Any) -> None:
    assert board_class("Ann", "Ben").apply_move((0, 0)) is None


def test_a_move_is_not_checked(board_class: Any) -> None:
    board = played(board_class, (0, 0), (6, 6), (5, 5), (5, 5), (0, 0))
    assert board.get_player_location("Ann") == (0, 0)
    assert board.get_player_location("Ben") == (5, 5)
    assert (board.move_count, sum(board._board_state[:-3])) == (5, 3)


def test_a_forecast_is_a_copy_with_the_move_applied(board_class: Any) -> None:
    board = played(board_class, (2, 3), (0, 1))
    following = board.forecast_move((4, 4))
    assert following._board_state == played(board_class, (2, 3), (0, 1), (4, 4))._board_state
    assert (following.active_player, following.move_count) == ("Ben", 3)
    assert (board.active_player, board.move_count, board.get_player_location("Ann")) == ("Ann", 2, (2, 3))


def test_a_location_is_none_until_the_player_is_placed(board_class: Any) -> None:
    board = played(board_class, (6, 0))
    assert board.get_player_location("Ann") == (6, 0)
    assert board.get_player_location(player="Ben") is None


def test_the_opponent_is_the_other_player(board_class: Any) -> None:
    board = played(board_class, (6, 0))
    assert board.get_opponent("Ann") == "Ben"
    assert board.get_opponent(player="Ben") == "Ann"
    assert len(board.get_legal_moves(player="Ann")) == 2


@pytest.mark.parametrize("method", ["get_opponent", "get_player_location", "get_legal_moves"])
def test_a_stranger_is_a_runtime_error(board_class: Any, method: str) -> None:
    with pytest.raises(UnknownPlayerError) as caught:
        getattr(board_class("Ann", "Ben"), method)("Eve")
    assert isinstance(caught.value, RuntimeError)


def test_players_compare_by_equality_and_are_handed_back_as_they_are(board_class: Any) -> None:
    ann, ben = EqualByName("Ann"), EqualByName("Ben")
    board = board_class(ann, ben)
    board.apply_move((0, 0))
    assert board.get_player_location(EqualByName("Ann")) == (0, 0)
    assert board.get_opponent(EqualByName("Ben")) is ann
    assert board.active_player is ben
    assert board.copy()._player_2 is ben


def test_nobody_has_won_while_the_side_to_move_can_move(board_class: Any) -> None:
    board = played(board_class, (0, 0), width=3, height=3)
    for player in ("Ann", "Ben"):
        assert (board.is_winner(player), board.is_loser(player)) == (False, False)
        assert board.utility(player) == 0.0
        assert type(board.utility(player)) is float


def test_the_side_to_move_without_a_move_has_lost(board_class: Any) -> None:
    board = played(board_class, (1, 1), (0, 0), width=3, height=3)
    assert board.get_legal_moves("Ben")
    assert (board.is_loser("Ann"), board.is_winner("Ann"), board.utility("Ann")) == (
        True,
        False,
        float("-inf"),
    )
    assert (board.is_loser("Ben"), board.is_winner("Ben"), board.utility("Ben")) == (
        False,
        True,
        float("inf"),
    )
    assert (board.is_loser("Eve"), board.is_winner("Eve"), board.utility("Eve")) == (False, False, 0.0)


def test_a_player_without_a_move_has_not_lost_before_its_turn(board_class: Any) -> None:
    board = played(board_class, (1, 1), width=3, height=3)
    assert not board.get_legal_moves("Ann")
    assert (board.is_loser("Ann"), board.is_winner("Ben")) == (False, False)

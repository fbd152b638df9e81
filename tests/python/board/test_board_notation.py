"""Positions as text, on both boards: what is written can be read, and what is no position is refused."""

import random
from typing import Any

import pytest

from isolation_fast.exceptions import InvalidPositionError

SIZES = [(7, 7), (5, 4), (4, 5), (1, 9), (9, 1), (2, 3), (11, 9), (13, 12), (8, 8), (13, 5)]


def random_position(board_class: Any, width: int, height: int, seed: int) -> Any:
    chance = random.Random(seed)
    board = board_class("Ann", "Ben", width=width, height=height)
    for _ in range(chance.randrange(width * height)):
        # Jumps anywhere: the notation has to hold positions that unchecked moves lead to.
        board.apply_move((chance.randrange(height), chance.randrange(width)))
    return board


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(5))
def test_what_is_written_reads_as_the_same_position(
    board_class: Any, size: tuple[int, int], seed: int
) -> None:
    board = random_position(board_class, *size, seed)
    again = board_class.from_text(board.to_text(), "Ann", "Ben")
    assert again.to_text() == board.to_text()
    assert again._board_state == board._board_state
    assert (again.active_player, again.inactive_player) == (board.active_player, board.inactive_player)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("7x7 7/7/7/7/7/7/7 - - 1", []),
        ("5x4 5/5/2x2/5 2,2 - 2", [(2, 2)]),
        ("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1", [(1, 2), (3, 3)]),
        ("3x2 x2/2x 0,0 1,2 1", [(0, 0), (1, 2)]),
        ("3x2 xx1/2x 0,1 1,2 2", [(0, 0), (1, 2), (0, 1)]),
        ("3x2 3/1x1 1,1 1,1 1", [(1, 1), (1, 1)]),
        ("12x1 9x2 0,9 - 2", [(0, 9)]),
    ],
)
def test_positions_are_written_thus(board_class: Any, text: str, moves: list[tuple[int, int]]) -> None:
    size, *_ = text.split()
    width, height = map(int, size.split("x"))
    board = board_class("Ann", "Ben", width=width, height=height)
    for move in moves:
        board.apply_move(move)
    assert board.to_text() == text


def test_a_board_read_from_text_goes_on_as_if_it_had_been_played(board_class: Any) -> None:
    board = board_class.from_text("7x7 x6/7/2x4/3x3/7/7/7 2,2 3,3 2", "Ann", "Ben")
    assert (board.active_player, board.move_count, board._board_state[-3]) == ("Ben", 3, 1)
    assert board.get_player_location("Ann") == (2, 2)
    board.apply_move((1, 2))
    assert board.to_text() == "7x7 x6/2x4/2x4/3x3/7/7/7 2,2 1,2 1"


def test_players_have_default_names(board_class: Any) -> None:
    assert board_class().active_player == "player 1"
    assert board_class.from_text("3x3 3/3/3 - - 2").active_player == "player 2"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7x7",
        "3x3 3/3/3 - -",
        "3x3 3/3/3 - - 1 1",
        "3*3 3/3/3 - - 1",
        "ax3 3/3/3 - - 1",
        "3x3 3/3 - - 1",
        "3x3 3/3/3/3 - - 1",
        "3x3 3/4/3 - - 1",
        "3x3 3/2/3 - - 1",
        "3x3 3/xxxx/3 - - 1",
        "3x3 3//3 - - 1",
        "3x3 3/0xxx/3 - - 1",
        "3x3 3/1o1/3 - - 1",
        "3x3 3/1X1/3 - - 1",
        "3x3 3/٣/3 - - 1",
        "3x3 3/3/3 1,1 - 2",
        "3x3 3/1x1/3 1,3 - 2",
        "3x3 3/1x1/3 1 - 2",
        "3x3 3/1x1/3 -1,1 - 2",
        "3x3 3/1x1/3 (1,1) - 2",
        "3x3 3/3/3 - - 0",
        "3x3 3/3/3 - - 3",
        "3x3 3/3/3 - - w",
        "3x3 3/99999999999999999999999999/3 - - 1",
        "0x3 // - - 1",
        "3x0 3 - - 1",
        "99999x99999 3 - - 1",
        "9" * 5000,
        f"{'9' * 5000}x3 3/3/3 - - 1",
        f"3x3 3/{'9' * 5000}/3 - - 1",
        f"3x3 3/{'o' * 5000}/3 - - 1",
        f"3x3 3/1x1/3 1,{'9' * 5000} - 1",
    ],
)
def test_what_is_no_position_is_refused_with_its_text(board_class: Any, text: str) -> None:
    with pytest.raises(InvalidPositionError) as caught:
        board_class.from_text(text)
    assert isinstance(caught.value, ValueError)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("entry", "value"), [(3, 2), (3, None), (3, "x"), (-1, 49), (-1, -1), (-2, "a"), (-2, 1.0), (-1, 5)]
)
def test_a_written_state_that_is_no_position_has_no_text(board_class: Any, entry: int, value: object) -> None:
    board = board_class("Ann", "Ben")
    board._board_state[entry] = value
    with pytest.raises(InvalidPositionError):
        board.to_text()


def test_a_state_of_the_wrong_length_has_no_text(board_class: Any) -> None:
    board = board_class("Ann", "Ben")
    board._board_state = [0] * 10
    with pytest.raises(InvalidPositionError):
        board.to_text()
    assert "Board" in repr(board)


@pytest.mark.parametrize("players", [(), ("Ann", "Ben"), ("it's", 'a "name"')])
def test_a_repr_evaluates_to_the_same_board(board_class: Any, players: tuple[str, ...]) -> None:
    board = board_class(*players, width=5, height=4)
    board.apply_move((3, 2))
    again = eval(repr(board), {"Board": board_class})
    assert repr(again) == repr(board)
    assert (again._player_1, again._player_2) == (board._player_1, board._player_2)


def test_a_repr_names_players_only_where_they_are_text_of_ones_own(board_class: Any) -> None:
    assert repr(board_class()) == "Board.from_text('7x7 7/7/7/7/7/7/7 - - 1')"
    assert repr(board_class(object(), "Ben")) == "Board.from_text('7x7 7/7/7/7/7/7/7 - - 1')"
    assert repr(board_class("Ann", "Ben")) == "Board.from_text('7x7 7/7/7/7/7/7/7 - - 1', 'Ann', 'Ben')"

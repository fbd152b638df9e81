"""The reference board of January 2017: the engine's board, with its oldest names as attributes."""

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest

from isolation_fast import Board, IllegalMoveError, UnknownPlayerError, reference
from isolation_fast.board.early_names import EARLY_NAMES
from isolation_fast.reference import EarlyBoard, board_class_for

ATTRIBUTES = sorted(EARLY_NAMES - {"__get_moves__"})
TEXT = "7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1"


def pair(seed: int) -> tuple[Any, Any]:
    """The engine's board and the early one, whose moves come in the same order."""
    random.seed(seed)
    native = Board("Ann", "Ben")
    random.seed(seed)
    return native, EarlyBoard("Ann", "Ben")


def shown(board: Any) -> dict[str, Any]:
    """All that a board says of its state, by names of both times."""
    told = {name: getattr(board, name) for name in ATTRIBUTES}
    told |= {name: getattr(board, name) for name in ("_player_1", "_player_2", "_active_player")}
    told |= {"state": list(board._board_state), "visits": board._second_visits, "count": board.move_count}
    told |= {"moves": board.get_legal_moves(), "blank": board.get_blank_spaces(), "text": board.to_string()}
    told |= {"result": [(board.is_winner(each), board.utility(each)) for each in ("Ann", "Ben")]}
    return told | {"repr": repr(board)}


@pytest.mark.parametrize("seed", range(6))
def test_a_game_goes_as_on_the_engines_board(seed: int) -> None:
    native, early = pair(seed)
    chance = random.Random(seed)
    while moves := native.get_legal_moves():
        assert shown(early) == shown(native)
        for copied in (
            early.copy(),
            copy.copy(early),
            copy.deepcopy(early),
            pickle.loads(pickle.dumps(early)),
        ):
            assert type(copied) is EarlyBoard
            before = shown(early)
            copied.apply_move(moves[0])
            assert shown(early) == before
        move = chance.choice(moves)
        native, early = native.forecast_move(move), early.forecast_move(move)
    assert shown(early) == shown(native)


def test_a_position_is_read_as_on_the_engines_board() -> None:
    for text in (TEXT, "5x4 5/2x2/5/5 1,2 - 2", "3x2 1x1/2x 0,1 1,2 2"):
        native, early = Board.from_text(text, "Ann", "Ben"), EarlyBoard.from_text(text, "Ann", "Ben")
        assert type(early) is EarlyBoard
        assert early.to_text() == text
        told = [
            {name: each for name, each in shown(board).items() if name not in ("moves", "visits")}
            | {"moves": sorted(board.get_legal_moves())}
            for board in (native, early)
        ]
        assert told[0] == told[1]


def block(board: Any) -> None:
    board._board_state[5] = 1


def free(board: Any) -> None:
    board.__board_state__[2][3] = 0


def place(board: Any) -> None:
    board._board_state[-1] = 30


def place_as_then(board: Any) -> None:
    board.__last_player_move__["Ben"] = (4, 4)


def swap(board: Any) -> None:
    board._active_player, board._inactive_player = board._inactive_player, board._active_player


@pytest.mark.parametrize("write", [block, free, place, place_as_then, swap])
def test_what_is_written_by_a_name_of_either_time_takes_effect(write: Callable[[Any], None]) -> None:
    boards = Board.from_text(TEXT, "Ann", "Ben"), EarlyBoard.from_text(TEXT, "Ann", "Ben")
    before = list(boards[1]._board_state), boards[1].active_player
    for board in boards:
        write(board)
    assert (list(boards[1]._board_state), boards[1].active_player) != before
    assert list(boards[0]._board_state)[:-3] == list(boards[1]._board_state)[:-3]
    for player in ("Ann", "Ben"):
        assert sorted(boards[0].get_legal_moves(player)) == sorted(boards[1].get_legal_moves(player))
        assert boards[0].get_player_location(player) == boards[1].get_player_location(player)


def test_a_name_of_that_time_is_an_attribute_and_not_made_anew_at_each_read() -> None:
    board = EarlyBoard.from_text(TEXT, "Ann", "Ben")
    assert set(ATTRIBUTES) <= set(vars(board))
    rows = board.__board_state__
    assert all(board.__board_state__ is rows for _ in range(3))
    board.apply_move((0, 2))
    assert rows[0][2] == 1
    assert not isinstance(type(board).__dict__["__board_state__"], property)


def test_a_stranger_and_a_move_off_the_board_are_errors_as_elsewhere() -> None:
    board = EarlyBoard("Ann", "Ben")
    with pytest.raises(UnknownPlayerError, match="'Eve' is not a player"):
        board.get_player_location("Eve")
    with pytest.raises(IllegalMoveError, match=r"move \(7, 0\) is outside"):
        board.apply_move((7, 0))
    assert not board.move_is_legal((-1, -1))


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ((), reference.Board),
        (("__get_moves__",), reference.Board),
        (("__board_state__",), EarlyBoard),
        (("__get_moves__", "__player_1__"), EarlyBoard),
    ],
)
def test_the_names_that_a_submission_uses_choose_its_board(names: tuple[str, ...], kind: type) -> None:
    assert board_class_for(names) is kind


@pytest.mark.parametrize("kind", [reference.Board, EarlyBoard])
def test_the_boards_have_the_same_names(kind: Any) -> None:
    assert set(dir(kind)) - {"__slotnames__"} == set(dir(Board)) - {"__slotnames__"}
    assert set(dir(kind("a", "b"))) == set(dir(Board("a", "b"))) | (set(dir(kind)) & {"__slotnames__"})

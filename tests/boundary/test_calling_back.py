"""Heuristics and players that use the engine, and the very same board, while the engine asks them."""

import pickle
import sys
from contextlib import suppress
from typing import Any

import pytest

from isolation_fast import Board, IllegalMoveError, search

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"


def start() -> Board:
    return Board.from_text(START)


def test_a_heuristic_can_search() -> None:
    def searching_score(game: Any, player: Any) -> Any:
        return search(game, "improved", depth=2).nodes

    board = start()
    report = search(board, searching_score, depth=2)
    assert report == search(board, searching_score, depth=2)


def test_a_heuristic_can_search_and_change_the_very_board_that_is_searched() -> None:
    board = start()

    def meddling_score(game: Any, player: Any) -> Any:
        board.apply_move(board.get_blank_spaces()[0])
        return search(board, "open", depth=1).nodes

    undisturbed = search(start(), "null", depth=2, method="minimax").nodes
    assert search(board, meddling_score, depth=2, method="minimax").nodes == undisturbed
    assert board.move_count - start().move_count == undisturbed - len(start().get_legal_moves())


def test_a_search_that_calls_itself_without_end_is_a_recursion_error() -> None:
    def endless_score(game: Any, player: Any) -> Any:
        return search(game, endless_score, depth=1).value

    with pytest.raises(RecursionError):
        search(start(), endless_score, depth=1)
    assert search(start(), "open", depth=1).depth == 1


CORRIDOR = "2x9999 xx" + "/2" * 9998 + " 0,0 0,1 1"
"""Each knight goes down by forced moves, for five thousand of them."""


def test_searches_in_the_heuristics_of_searches_are_bounded_by_their_plies() -> None:
    board = Board.from_text(CORRIDOR)

    def inner_score(game: Any, player: Any) -> float:
        return search(game, lambda *_: 4.0, depth=1000).value or 0.0

    def endless_score(game: Any, player: Any) -> Any:
        return search(game, endless_score, depth=1000).value

    assert search(board, inner_score, depth=1000).nodes == 1000
    with pytest.raises(RecursionError, match="1024 moves ahead together"):
        search(board, endless_score, depth=1000)
    # And what it counted is forgotten.
    assert search(board, inner_score, depth=1000).nodes == 1000


def test_raising_the_limit_of_recursion_does_not_raise_that_of_searches() -> None:
    def endless_score(game: Any, player: Any) -> Any:
        return search(game, endless_score, depth=1).value

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try:
        with pytest.raises(RecursionError):
            search(start(), endless_score, depth=1)
    finally:
        sys.setrecursionlimit(limit)


class Remaker:
    """A player, and a number, that makes the board anew and smaller when it is asked anything."""

    board: Board | None = None

    def remake(self) -> None:
        board, self.board = self.board, None
        if board is not None:
            Board.__init__(board, self, "Ben", width=1, height=1)

    def __eq__(self, other: object) -> bool:
        self.remake()
        return self is other

    def __hash__(self) -> int:
        return 0

    def __index__(self) -> int:
        self.remake()
        return 15


@pytest.mark.parametrize("size", [5, 8, 11, 20])
@pytest.mark.parametrize("method", ["apply_move", "forecast_move", "move_is_legal", "_Board__get_moves"])
@pytest.mark.parametrize("by_index", [False, True])
def test_a_board_that_is_made_anew_in_the_middle_of_a_call_stays_whole(
    size: Any, method: Any, by_index: Any
) -> None:
    remaker = Remaker()
    board = Board(remaker, Remaker(), size, size)
    board.apply_move((0, 0))
    remaker.board = board
    move = (remaker, 0) if by_index else (size - 1, size - 1)
    with suppress(IllegalMoveError):
        getattr(board, method)(move)
    remaker.board = None
    assert Board.from_text(board.to_text()).to_text() == board.to_text()
    assert (board.width, board.get_player_location(remaker)) in [(1, None), (size, (0, 0))]


class Meddler:
    """A player whose comparisons play a move on the board that compares it."""

    def __init__(self) -> None:
        self.board: Board | None = None
        self.busy = False
        self.meddled = 0

    def meddle(self) -> None:
        if self.board is not None and not self.busy:
            self.busy = True
            blank = self.board.get_blank_spaces()
            if blank:
                self.board.apply_move(blank[0])
                self.meddled += 1
            self.busy = False

    def __eq__(self, other: Any) -> bool:
        self.meddle()
        return self is other

    def __hash__(self) -> int:
        self.meddle()
        return id(self)


@pytest.mark.parametrize("touched", [False, True])
def test_a_player_whose_comparison_plays_a_move_leaves_a_usable_board(touched: Any) -> None:
    player_1, player_2 = Meddler(), Meddler()
    board = Board(player_1, player_2)
    alias = board._board_state if touched else None
    board.apply_move((1, 2))
    board.apply_move((3, 3))
    player_1.board = player_2.board = board
    for operation in (
        lambda: board.get_legal_moves(player_2),
        lambda: board.get_player_location(player_2),
        lambda: board.get_opponent(player_1),
        lambda: board.is_winner(player_1),
        lambda: board.is_loser(player_2),
        lambda: board.utility(player_1),
        lambda: board.apply_move((5, 5)),
        lambda: board.forecast_move((6, 6)),
        lambda: search(board, "improved", depth=2),
        lambda: search(board, lambda game, player: game.is_winner(player), depth=2),
        board.to_text,
        board.copy,
    ):
        operation()
    assert player_1.meddled + player_2.meddled > 0
    player_1.board = player_2.board = None
    assert len(board.get_blank_spaces()) == 49 - sum(board._board_state[:49])
    assert alias is None or alias is board._board_state


def test_an_index_that_plays_a_move_leaves_a_usable_board() -> None:
    board = start()

    class MeddlingIndex:
        def __index__(self) -> int:
            board.apply_move(board.get_blank_spaces()[0])
            return 5

    entry: Any = MeddlingIndex()
    board.move_is_legal((entry, entry))
    board.apply_move((entry, 5))
    board.forecast_move((5, entry))
    assert board.move_count - start().move_count == 5
    assert len(board.get_blank_spaces()) == 49 - 2 - 5


def test_an_alias_of_the_state_held_across_moves_sees_them() -> None:
    board = start()
    alias = board._board_state
    board.apply_move((0, 0))
    assert alias is board._board_state
    assert alias[0] == 1
    assert alias[-1] == 0
    assert alias[-3] == 1
    alias[8] = 1
    assert (1, 1) not in board.get_blank_spaces()
    assert not board.move_is_legal((1, 1))
    assert search(board, "open", depth=1, method="minimax").nodes == len(board.get_legal_moves())


def test_a_copy_of_a_touched_board_is_independent() -> None:
    board = start()
    alias = board._board_state
    for twin in (board.copy(), board.forecast_move((0, 0)), pickle.loads(pickle.dumps(board))):
        twin.apply_move((6, 6))
        assert alias[48] == 0
        assert board.to_text() == START

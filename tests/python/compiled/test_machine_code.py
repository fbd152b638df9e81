"""Machine code of a program says what the machine of the engine says; programs that run often become it."""

import threading
from typing import Any

import pytest

from isolation_fast import Board, search
from isolation_fast.compiled import random_positions
from isolation_fast.exceptions import InvalidArgumentError
from tests.python.compiled.conftest import Compiler, always_bailing, difference_of_moves


def makes_machine_code() -> bool:
    try:
        difference_of_moves().run(Board(), "player 1", machine_code=True)
    except InvalidArgumentError as error:
        return "this build of isolation_fast makes no machine code" not in str(error)
    return True


pytestmark = pytest.mark.skipif(not makes_machine_code(), reason="built without machine code")


def moves(game: Any, player: Any) -> int:
    own = len(game.get_legal_moves(player))
    return own - len(game.get_legal_moves(game.get_opponent(player)))


def test_machine_code_says_what_the_machine_and_the_function_say() -> None:
    program = difference_of_moves()
    for board in random_positions(200):
        for player in (board.active_player, board.inactive_player):
            values = [program.run(board, player, machine_code=choice) for choice in (True, False)]
            assert values == 2 * [float(moves(board, player))]


def test_what_bails_in_the_machine_bails_in_machine_code() -> None:
    for board in random_positions(20):
        assert always_bailing().run(board, board.active_player, machine_code=True) is None
        where_even = difference_of_moves(bails_at=0)
        bailed = where_even.run(board, board.active_player, machine_code=True) is None
        assert bailed == (moves(board, board.active_player) == 0)


def test_larger_boards_are_left_to_the_machine() -> None:
    board, program = Board(width=13, height=13), difference_of_moves()
    with pytest.raises(InvalidArgumentError, match="a 13x13 board has more than 128 cells"):
        program.run(board, board.active_player, machine_code=True)
    assert program.run(board, board.active_player) == 0


@pytest.mark.parametrize("text", ["7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1", "9x8 9/9/3x5/9/4x4/9/9/9 2,3 4,4 1"])
@pytest.mark.parametrize("options", [{"depth": 5}, {"nodes": 8000, "mode": "fast"}, {"nodes": 8001}])
def test_searches_that_come_to_machine_code_find_the_same(
    compiler: Compiler, text: str, options: dict[str, Any]
) -> None:
    compiler(same=difference_of_moves())

    def same(game: Any, player: Any) -> int:
        return moves(game, player)

    board = Board.from_text(text)
    in_python = search(board, moves, compile=False, **options)
    for _ in range(3):
        assert search(board, same, **options) == in_python


def test_threads_that_search_at_once_find_the_same(compiler: Compiler) -> None:
    compiler(same=difference_of_moves())

    def same(game: Any, player: Any) -> int:
        return moves(game, player)

    boards = [board for board in random_positions(40) if board.get_legal_moves()][:6]
    found: dict[int, Any] = {}

    def work(number: int) -> None:
        found[number] = [search(board, same, nodes=6000) for board in boards]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    in_python = [search(board, moves, nodes=6000, compile=False) for board in boards]
    assert [found[number] for number in range(3)] == 3 * [in_python]

"""A program knows the line of the source that each of its instructions is for."""

import sys
from typing import Any

import pytest

from isolation_fast import Board
from isolation_fast.compiled.programs import lower
from isolation_fast.compiled.source import Source
from isolation_fast.exceptions import InvalidArgumentError
from tests.python.compiled.agreement import agree
from tests.python.compiled.conftest import op

ENGINE: Any = sys.modules["isolation_fast._native"]
ENTRY = (3, 1, 0), (2, 0, 0), (0, 1, 0)


def mobility(**named: Any) -> Any:
    """How many moves the player has, by functions of three and of two instructions."""
    entry = (*ENTRY, [op("Call", 1, 0, 0, 0), op("IToF", 0, 0), op("Ret")])
    asking = ((3, 1, 0), (2, 0, 0), (1, 0, 0), [op("Mobility", 0, 0, 1), op("Ret")])
    return ENGINE.Program([entry, asking], [], [], [], **named)


def moves_of_both(game: Any, player: Any) -> float:
    own = len(game.get_legal_moves(player))
    other = game.get_opponent(player)
    return float(own - len(game.get_legal_moves(other)))


def does_not_read(game: Any, player: Any) -> float:
    # The answer is not read.
    game.get_opponent(player)
    return 1.0


def walks(game: Any, player: Any) -> float:
    moves = game.get_legal_moves(player)
    found = 0
    for row, column in moves:
        found = (3 * found + row - column) % 1009
    return float(found)


def test_the_lines_that_are_given_are_kept() -> None:
    assert mobility(lines=[[7, 0, 8], [2**32 - 1, 3]]).lines == [[7, 0, 8], [2**32 - 1, 3]]
    assert mobility(lines=((7, 0, 8), (1, 3))).lines == [[7, 0, 8], [1, 3]]
    assert mobility().lines is None
    assert mobility(lines=None).lines is None


def test_lines_change_no_value() -> None:
    board = Board()
    assert mobility(lines=[[1, 2, 3], [4, 5]]).run(board, board.active_player) == 49


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "lines are given for 0 functions, where the program has 2"),
        ([[1, 2, 3], [4, 5], []], "lines are given for 3 functions, where the program has 2"),
        ([[1, 2, 3], [4]], "function 1: 1 lines are given for 2 instructions"),
        ([[1, 2, 3, 4], [5, 6]], "function 0: 4 lines are given for 3 instructions"),
        (
            [[1, 2, 3], [4, -1]],
            "function 1, instruction 1: a line is an integer from 0 to 4294967295, not -1",
        ),
        ([[1, 2**32, 3], [4, 5]], "function 0, instruction 1: a line is .*, not 4294967296"),
        ([["one", 2, 3], [4, 5]], "function 0, instruction 0: a line is .*, not 'one'"),
        ([[1.0, 2, 3], [4, 5]], "function 0, instruction 0: a line is .*, not 1.0"),
    ],
)
def test_lines_that_do_not_fit_the_program_are_refused(lines: Any, reason: str) -> None:
    with pytest.raises(InvalidArgumentError, match=f"^{reason}$"):
        mobility(lines=lines)


def test_a_compiled_heuristic_has_the_lines_of_its_source() -> None:
    lines = lower(Source.of(moves_of_both)).lines
    assert lines is not None
    first = moves_of_both.__code__.co_firstlineno
    assert set(lines[0]) - {0} == {first + 1, first + 2, first + 3}
    assert all(len(each) > 0 for each in lines)


def test_a_question_whose_answer_is_not_read_is_asked_at_its_line() -> None:
    lines = lower(Source.of(does_not_read)).lines
    assert lines is not None
    assert does_not_read.__code__.co_firstlineno + 2 in lines[0]


@pytest.mark.parametrize("function", [moves_of_both, does_not_read, walks])
def test_programs_that_know_their_lines_give_what_python_gives(function: Any) -> None:
    agree(function)

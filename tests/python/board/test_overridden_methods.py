"""Methods of a subclass's own: the others go by them, on both boards."""

import copy
from typing import Any

from isolation_fast import Board, evaluate, heuristics, search

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"
FROM_1_2 = [(3, 1), (0, 0), (2, 0), (0, 4), (2, 4)]


def start(board_class: Any, subclass: Any) -> Any:
    board = subclass("Ann", "Ben")
    board._board_state = board_class.from_text(START)._board_state
    board._order_bits = 5
    return board


def test_a_rule_of_ones_own_decides_the_moves(board_class: Any) -> None:
    class Walled(board_class):  # type: ignore[misc]
        def move_is_legal(self, move: Any) -> Any:
            return move[1] > 0 and super().move_is_legal(move)

    board = start(board_class, Walled)
    assert sorted(board.get_legal_moves()) == sorted(move for move in FROM_1_2 if move[1] > 0)
    assert sorted(board._Board__get_moves((1, 2))) == sorted(board.get_legal_moves("Ann"))
    # Where there is no move left by that rule, the game is over.
    for cell in range(7, 49):
        board._board_state[cell] = 1
    assert board.is_loser("Ann")
    assert board.is_winner("Ben")
    assert board.utility("Ben") == float("inf")


def test_the_order_of_moves_is_the_boards_own(board_class: Any) -> None:
    class Asked(board_class):  # type: ignore[misc]
        def move_is_legal(self, move: Any) -> Any:
            return super().move_is_legal(move)

    board, plain = start(board_class, Asked), start(board_class, board_class)
    assert board.get_legal_moves() == plain.get_legal_moves()
    assert board._Board__get_moves((-1, 1)) == plain._Board__get_moves((-1, 1))


def test_places_and_blank_spaces_of_ones_own(board_class: Any) -> None:
    class Elsewhere(board_class):  # type: ignore[misc]
        def get_player_location(self, player: Any) -> Any:
            return (6, 6) if player == "Ann" else None

        def get_blank_spaces(self) -> Any:
            return ["anywhere"]

    board = start(board_class, Elsewhere)
    assert sorted(board.get_legal_moves()) == [(4, 5), (5, 4)]
    assert board.get_legal_moves("Ben") == ["anywhere"]


def test_a_subclass_counts_what_is_asked(board_class: Any) -> None:
    class Counting(board_class):  # type: ignore[misc]
        copies = 0

        def copy(self) -> Any:
            Counting.copies += 1
            return copy.copy(self)

    board = start(board_class, Counting)
    following = board.forecast_move((2, 0)).forecast_move((5, 4))
    assert (type(following), Counting.copies) == (Counting, 2)


def test_native_heuristics_and_searches_go_by_the_rules_alone() -> None:
    class Stuck(Board):
        def get_legal_moves(self, player: Any = None) -> Any:
            return []

    board = start(Board, Stuck)
    assert board.get_legal_moves() == []
    assert heuristics.open(board, "Ann") == evaluate(board, "open") == len(FROM_1_2)
    assert search(board, "open", depth=1).move in FROM_1_2

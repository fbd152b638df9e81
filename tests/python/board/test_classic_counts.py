"""The node counts that the course's own tests ask for, by a student's search over a counting subclass.

The searches here are those a student would hand in; the boards count what they are asked to forecast.
"""

from collections.abc import Callable
from typing import Any

import pytest

Score = Callable[[Any, Any], float]


class OutOfTime(Exception):
    """The timer of the course's tests has run out."""


class Tally:
    """What one search has generated, shared by all boards of its tree."""

    def __init__(self, limit: int | None = None) -> None:
        self.generated = 0
        self.cells: set[tuple[int, int]] = set()
        self.limit = limit

    def add(self, move: tuple[int, int]) -> None:
        if self.generated == self.limit:
            raise OutOfTime
        self.generated += 1
        self.cells.add(move)

    @property
    def counts(self) -> tuple[int, int]:
        return self.generated, len(self.cells)


def counting(board_class: Any) -> Any:
    """Return a subclass as the course's tests have it: its own `copy` and `forecast_move`."""

    class CountingBoard(board_class):  # type: ignore[misc]
        def __init__(self, *args: object, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.tally = Tally()
            self.first_step: tuple[int, int] | None = None

        def copy(self) -> Any:
            twin = CountingBoard(self._player_1, self._player_2, width=self.width, height=self.height)
            twin.move_count = self.move_count
            twin._active_player = self._active_player
            twin._inactive_player = self._inactive_player
            twin._board_state = self._board_state[:]
            twin.tally = self.tally
            twin.first_step = self.first_step
            return twin

        def forecast_move(self, move: tuple[int, int]) -> Any:
            self.tally.add(move)
            following = self.copy()
            following.apply_move(move)
            if following.first_step is None:
                following.first_step = move
            return following

    return CountingBoard


def placed(board_class: Any, mover: tuple[int, int], other: tuple[int, int], side: int) -> Any:
    board = counting(board_class)("mover", "other", width=side, height=side)
    board.apply_move(mover)
    board.apply_move(other)
    return board


def minimax(board: Any, depth: int, score: Score, player: str) -> tuple[float, Any]:
    moves = board.get_legal_moves()
    if depth == 0 or not moves:
        return score(board, player), None
    values = [(minimax(board.forecast_move(move), depth - 1, score, player)[0], move) for move in moves]
    best = max if board.active_player == player else min
    return best(values, key=lambda pair: pair[0])


def alphabeta(
    board: Any,
    depth: int,
    score: Score,
    player: str,
    alpha: float = float("-inf"),
    beta: float = float("inf"),
) -> tuple[float, Any]:
    moves = board.get_legal_moves()
    if depth == 0 or not moves:
        return score(board, player), None
    maximizing = board.active_player == player
    best, choice = (float("-inf") if maximizing else float("inf")), None
    for move in moves:
        value, _ = alphabeta(board.forecast_move(move), depth - 1, score, player, alpha, beta)
        if choice is None or (value > best if maximizing else value < best):
            best, choice = value, move
        if maximizing:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, choice


def deepen(board: Any, score: Score, player: str) -> Any:
    choice, depth = None, 0
    try:
        while True:
            depth += 1
            choice = minimax(board, depth, score, player)[1]
    except OutOfTime:
        return choice


@pytest.mark.parametrize(
    ("depth", "counts", "moves"),
    [
        (1, (8, 8), {(1, 5)}),
        (2, (24, 10), {(1, 5)}),
        (3, (92, 27), {(3, 1), (3, 5)}),
        (4, (418, 32), {(3, 1), (3, 5)}),
        (5, (1650, 43), {(3, 5), (4, 2)}),
    ],
)
def test_minimax_on_7_by_7(
    board_class: Any, depth: int, counts: tuple[int, int], moves: set[tuple[int, int]]
) -> None:
    worth = {(1, 5): 1.0, (4, 3): 2.0, (6, 6): 3.0}
    board = placed(board_class, (2, 3), (0, 0), side=7)
    choice = minimax(
        board, depth, lambda game, player: worth.get(game.get_player_location(player), 0.0), "mover"
    )
    assert board.tally.counts == counts
    assert choice[1] in moves


@pytest.mark.parametrize(
    ("depth", "counts"), [(1, (8, 8)), (2, (17, 10)), (3, (74, 42)), (4, (139, 51)), (5, (540, 119))]
)
def test_alphabeta_on_101_by_101(board_class: Any, depth: int, counts: tuple[int, int]) -> None:
    first_branch: list[tuple[int, int]] = []

    def better_off_the_first_branch(game: Any, player: str) -> float:
        if not first_branch:
            first_branch.append(game.first_step)
        return 1.0 if game.first_step in first_branch else 0.0

    board = placed(board_class, (50, 50), (0, 0), side=101)
    choice = alphabeta(board, depth, better_off_the_first_branch, "mover")[1]
    assert board.tally.counts == counts
    assert choice in first_branch


@pytest.mark.parametrize(
    ("mover", "generated", "cells"),
    [
        ((2, 3), 8, 8),
        ((6, 6), 32, 10),
        ((7, 4), 160, 39),
        ((4, 2), 603, 35),
        ((0, 5), 1861, 54),
        ((10, 10), 3912, 62),
    ],
)
def test_deepening_minimax_on_11_by_11(
    board_class: Any, mover: tuple[int, int], generated: int, cells: int
) -> None:
    board = placed(board_class, mover, (0, 0), side=11)
    board.tally.limit = generated
    choice = deepen(board, lambda game, player: 0.0, "mover")
    assert board.tally.counts == (generated, cells)
    assert choice in board.get_legal_moves()

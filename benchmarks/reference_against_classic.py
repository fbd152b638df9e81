"""Measure the reference board against the classic one, a checkout of which CLASSIC names.

Our ratios of speed are taken over the reference, and the cost of a heuristic is measured on it, so it has
to cost what the classic board costs. The same search and the same heuristic run over both boards in turn,
in one process, by CPU time.

    CLASSIC=checkout python benchmarks/reference_against_classic.py

The checkout is one of https://github.com/udacity/AIND-Isolation. Below 90 % of its nodes a second the
command fails.
"""

from __future__ import annotations

import importlib
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from isolation_fast.reference import HEURISTICS, Board, search

ROUNDS = 25
LEAST_RATIO = 0.9
# Knights placed anywhere, then this many random moves: from the first moves to the last ones.
STAGES = (0, 4, 8, 12, 16, 20)
POSITIONS_OF_A_STAGE = 4
DEPTH = 3
CALLS = 40


def classic_board(checkout: str | None) -> Any:
    """Return the class `Board` of a checkout, or end the program and say what is missing."""
    if not checkout:
        sys.exit("CLASSIC is not set: give it the path of a checkout of udacity/AIND-Isolation")
    if not (Path(checkout) / "isolation" / "isolation.py").is_file():
        sys.exit(
            f"CLASSIC={checkout} holds no isolation/isolation.py: it is no checkout of udacity/AIND-Isolation"
        )
    sys.path.insert(0, checkout)
    return importlib.import_module("isolation").Board


def random_games(seed: int) -> list[list[tuple[int, int]]]:
    """Return the moves that lead to each of the positions to measure: none of them at the end of its game."""
    chance = random.Random(seed)
    games: list[list[tuple[int, int]]] = []
    while len(games) < len(STAGES) * POSITIONS_OF_A_STAGE:
        board = Board()
        moves: list[tuple[int, int]] = []
        for _ in range(2 + STAGES[len(games) // POSITIONS_OF_A_STAGE]):
            legal = sorted(board.get_legal_moves())
            if not legal:
                break
            moves.append(chance.choice(legal))
            board.apply_move(moves[-1])
        else:
            if all(board.get_legal_moves(player) for player in ("player 1", "player 2")):
                games.append(moves)
    return games


def boards_after(board_class: Any, games: list[list[tuple[int, int]]]) -> list[Any]:
    """Return a board of that class for each list of moves."""
    boards = []
    for moves in games:
        board = board_class("player 1", "player 2")
        for move in moves:
            board.apply_move(move)
        boards.append(board)
    return boards


def search_all(boards: list[Any]) -> int:
    """Search every board to the same depth, and return the nodes."""
    # The seed gives both boards the same order at the root.
    return sum(search(board, "improved", depth=DEPTH, seed=board.move_count).nodes for board in boards)


def list_moves(boards: list[Any]) -> int:
    """Ask for the legal moves again and again."""
    for board in boards:
        for _ in range(CALLS):
            board.get_legal_moves()
    return CALLS * len(boards)


def forecast_moves(boards: list[Any]) -> int:
    """Forecast one move again and again."""
    for board in boards:
        move = min(board.get_legal_moves())
        for _ in range(CALLS):
            board.forecast_move(move)
    return CALLS * len(boards)


def score_boards(boards: list[Any]) -> int:
    """Score with the course's strongest baseline again and again."""
    improved = HEURISTICS["improved"]
    for board in boards:
        player = board.active_player
        for _ in range(CALLS // 4):
            improved(board, player)
    return CALLS // 4 * len(boards)


WORK: dict[str, Callable[[list[Any]], int]] = {
    "nodes of alpha-beta with improved": search_all,
    "get_legal_moves": list_moves,
    "forecast_move": forecast_moves,
    "improved_score": score_boards,
}


def rate(work: Callable[[list[Any]], int], boards: list[Any]) -> float:
    """Return how often a second of CPU time the work was done."""
    start = process_time()
    done = work(boards)
    return done / (process_time() - start)


def main() -> None:
    """Print one line for each kind of work."""
    games = random_games(seed=1)
    reference = boards_after(Board, games)
    classic = boards_after(classic_board(os.environ.get("CLASSIC")), games)
    print(f"{'calls a second':36}{'reference':>12}{'classic':>12}{'ratio':>8}")
    ratios = {}
    for name, work in WORK.items():
        assert work(reference) == work(classic)
        # Turn about, and the median of the pairs, so that a busy machine slows both.
        pairs = [(rate(work, reference), rate(work, classic)) for _ in range(ROUNDS)]
        ratios[name] = median(own / other for own, other in pairs)
        own, other = (median(column) for column in zip(*pairs, strict=True))
        print(f"{name:36}{own:12,.0f}{other:12,.0f}{ratios[name]:8.2f}")
    searching = ratios["nodes of alpha-beta with improved"]
    if searching < LEAST_RATIO:
        sys.exit(
            f"the reference reaches {searching:.0%} of the classic board's nodes, less than {LEAST_RATIO:.0%}"
        )


if __name__ == "__main__":
    main()

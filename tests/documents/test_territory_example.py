"""The example that is better than `AB_Improved`: a cell is for who can be on it first."""

from math import inf
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolation_fast import Board, heuristics, play_game
from isolation_fast.players import RandomPlayer
from isolation_fast.submission import load

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "territory_agent.py"
score = load(EXAMPLE).heuristics["custom_score"]


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 1000), st.sampled_from([(7, 7), (5, 8), (3, 4)]))
def test_what_one_player_gains_the_other_loses_and_an_end_is_infinite(
    seed: int, size: tuple[int, int]
) -> None:
    game = play_game(RandomPlayer(), RandomPlayer(), width=size[0], height=size[1], seed=seed)
    board = Board(width=size[0], height=size[1])
    for move in game.moves:
        board.apply_move(move)
        if board.get_player_location("player 2") is None:
            continue
        before, value = board.to_text(), score(board, "player 1")
        assert score(board, "player 2") == -value
        assert abs(value) in (*range(len(board.get_blank_spaces()) + 1), inf)
        assert board.to_text() == before
        if not board.get_legal_moves():
            assert value == heuristics.improved(board, "player 1")


@pytest.mark.parametrize(
    ("position", "value"),
    [
        ("3x3 x2/3/3 0,0 - 2", 0.0),
        # By hand: two cells to one, four to two, and the four that are left; (2, 1) both could reach at once.
        ("3x5 x2/3/3/3/2x 0,0 4,2 1", 7.0),
        ("3x5 x2/3/3/3/2x 0,0 4,2 2", -7.0),
    ],
)
def test_who_is_to_move_has_what_both_could_reach_at_once(position: str, value: float) -> None:
    assert score(Board.from_text(position), "player 1") == value

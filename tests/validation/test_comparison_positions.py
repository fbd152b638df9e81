"""The positions of a comparison: every stage, some other sizes, the same for the same seed."""

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from validation.positions import Spot, seeded_positions


def test_a_seed_decides_the_positions_and_another_one_gives_others() -> None:
    assert seeded_positions(40, seed=1) == seeded_positions(40, seed=1)
    assert seeded_positions(40, seed=1) != seeded_positions(40, seed=2)


@given(st.integers(0, 60), st.integers(0, 2**40))
@settings(max_examples=10, deadline=None)
def test_more_positions_begin_with_the_same_ones(count: int, seed: int) -> None:
    assert seeded_positions(count + 5, seed)[:count] == seeded_positions(count, seed)


def test_positions_do_not_depend_on_the_random_numbers_of_others() -> None:
    random.seed(1)
    before = seeded_positions(30, seed=0)
    random.seed(2)
    assert seeded_positions(30, seed=0) == before


def test_every_stage_of_a_game_occurs_on_every_size(board_class: Any) -> None:
    stages: dict[tuple[bool, bool], set[str]] = {}
    for spot in seeded_positions(1000, seed=0):
        board = spot.on(board_class)
        over = not board.get_legal_moves()
        stage = str(len(spot.moves)) if len(spot.moves) < 2 else "over" if over else "on"
        usual = spot.width == spot.height == 7
        stages.setdefault((usual, spot.width > spot.height), set()).add(stage)
    assert all(found == {"0", "1", "on", "over"} for found in stages.values())
    assert set(stages) == {(True, False), (False, True), (False, False)}


def test_every_tenth_position_is_of_another_size() -> None:
    spots = seeded_positions(200, seed=3)
    others = [number for number, spot in enumerate(spots) if (spot.width, spot.height) != (7, 7)]
    assert others == list(range(9, 200, 10))
    assert {(11, 11), (5, 6), (9, 8)} <= {(spot.width, spot.height) for spot in spots}


def test_a_position_is_reached_by_legal_moves_alone(board_class: Any) -> None:
    for spot in seeded_positions(42, seed=5):
        board = board_class("Ann", "Ben", spot.width, spot.height)
        for move in spot.moves:
            assert move in board.get_legal_moves()
            board.apply_move(move)
        assert spot.on(board_class).to_text() == board.to_text()


def test_the_players_of_a_position_are_those_given(board_class: Any) -> None:
    board = Spot(5, 6, ((0, 1), (2, 2))).on(board_class, ("Ann", "Ben"))
    assert (board.active_player, board.get_player_location("Ben")) == ("Ann", (2, 2))

"""A whole game by `Board.play` goes the same way on both boards, however a player ends it."""

from typing import Any

import numpy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import isolation_fast
from isolation_fast import reference

LAW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

SIZES = st.tuples(st.integers(1, 7), st.integers(1, 7)) | st.sampled_from([(8, 8), (13, 5), (16, 8), (43, 3)])


class LostPatience(Exception):
    """What a player of these tests raises."""


def raising(move: Any) -> Any:
    raise LostPatience


# What a player makes of the move that it is told to answer. All but the first few end the game.
LEGAL_ANSWERS: list[Any] = [
    lambda move: move,
    lambda move: (numpy.int64(move[0]), numpy.int8(move[1])),
    lambda move: (move[0], numpy.uint64(move[1])),
]
ENDINGS: list[Any] = [
    lambda move: None,
    lambda move: (-1, -1),
    lambda move: (10**30, 0),
    list,
    lambda move: (float(move[0]), float(move[1])),
    lambda move: (move, "and why"),
    lambda move: (*move, 1),
    lambda move: move[0],
    lambda move: "ab",
    numpy.array,
    lambda move: {move: 1},
    lambda move: iter(move),
    raising,
]


class Scripted:
    """Answers by a list, and writes down what it was shown."""

    def __init__(
        self, script: list[tuple[float, Any]], seen: list[Any], too_late_at: int | None, clock: Any
    ) -> None:
        self.script, self.seen, self.too_late_at, self.clock = script, seen, too_late_at, clock
        self.turns = 0

    def get_move(self, game: Any, time_left: Any) -> Any:
        assert time_left() <= 1000
        moves = game.get_legal_moves()
        self.seen.append((game.to_text(), game.move_count, moves, game.active_player is self))
        if self.turns == self.too_late_at:
            while time_left() >= 0:
                self.clock.seconds += 0.01
        share, answer = self.script[self.turns % len(self.script)]
        self.turns += 1
        # Whatever is done to the copy is nothing to the game.
        for blank in game.get_blank_spaces()[:1]:
            game.apply_move(blank)
        return answer(moves[int(share * (len(moves) - 1))]) if moves else (-1, -1)


SCRIPTS = st.lists(st.tuples(st.floats(0, 1), st.sampled_from(LEGAL_ANSWERS)), min_size=3, max_size=9)


def played(board_class: Any, size: Any, scripts: Any, touched: bool, late: Any, clock: Any) -> Any:
    seen: list[Any] = []
    players = [
        Scripted(script, seen, too_late_at, clock) for script, too_late_at in zip(scripts, late, strict=True)
    ]
    board = board_class(*players, *size)
    board._order_bits = 17
    if touched:
        board._board_state[0] = 1
    try:
        winner, history, outcome = board.play(time_limit=1000)
        ended: Any = (players.index(winner), history, outcome)
    except LostPatience:
        ended = "raised"
    return ended, seen, board.to_text(), board.move_count


@LAW
@given(SIZES, SCRIPTS, SCRIPTS, st.booleans())
def test_games_to_the_end(clock: Any, size: Any, first: Any, second: Any, touched: bool) -> None:
    native, twin = [
        played(board_class, size, (first, second), touched, (None, None), clock)
        for board_class in (isolation_fast.Board, reference.Board)
    ]
    assert native == twin
    assert native[0][2] == "illegal move"


@LAW
@given(SIZES, SCRIPTS, SCRIPTS, st.integers(0, 8), st.sampled_from(ENDINGS), st.booleans())
def test_games_that_an_answer_may_end(
    clock: Any, size: Any, first: Any, second: Any, at: int, ending: Any, touched: bool
) -> None:
    script = [*first]
    script.insert(at % len(script), (0.5, ending))
    native, twin = [
        played(board_class, size, (script, second), touched, (None, None), clock)
        for board_class in (isolation_fast.Board, reference.Board)
    ]
    assert native == twin
    assert native[0] == "raised" or native[0][2] in ("forfeit", "illegal move")


@settings(LAW, max_examples=25)
@given(SIZES, SCRIPTS, SCRIPTS, st.integers(0, 3), st.booleans())
def test_games_that_time_may_end(
    clock: Any, size: Any, first: Any, second: Any, at: int, is_first: bool
) -> None:
    late = (at, None) if is_first else (None, at)
    native, twin = [
        played(board_class, size, (first, second), False, late, clock)
        for board_class in (isolation_fast.Board, reference.Board)
    ]
    assert native == twin

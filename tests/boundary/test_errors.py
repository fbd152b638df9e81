"""What goes wrong between a person's code and the engine, and how it is told."""

import math
import re
import traceback
from fractions import Fraction
from typing import Any

import numpy
import pytest

from isolation_fast import (
    AlphaBetaPlayer,
    Board,
    GreedyPlayer,
    HeuristicResultError,
    IllegalMoveError,
    InvalidBoardError,
    InvalidBudgetError,
    InvalidPositionError,
    RandomPlayer,
    UnknownHeuristicError,
    UnknownPlayerError,
    play_game,
    search,
)

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"
EMPTY = "7x7 7/7/7/7/7/7/7 - - 1"


def start() -> Any:
    return Board.from_text(START)


def searched_with(heuristic: Any) -> Any:
    """Every way in which a heuristic is asked: each must tell what goes wrong alike."""
    return [
        lambda: search(start(), heuristic, depth=2),
        lambda: search(start(), heuristic, depth=2, method="minimax"),
        lambda: search(start(), heuristic, nodes=100),
        lambda: search(start(), heuristic, depth=2, mode="fast"),
        lambda: search(start(), heuristic, depth=1, root_values=True),
        lambda: GreedyPlayer(heuristic).get_move(start(), lambda: 150.0),
        lambda: play_game(AlphaBetaPlayer(heuristic, depth=1), RandomPlayer(), start=START),
    ]


def notes_of(error: BaseException) -> list[str]:
    """What was added to an exception; Python 3.10 has no type for it."""
    return list(vars(error)["__notes__"])


# Boards, moves and players.


@pytest.mark.parametrize("move", [(2, 9), (-1, -1), (0, 7), (7, 0), (10**30, 0), (0, -(10**30))])
@pytest.mark.parametrize("method", ["apply_move", "forecast_move"])
def test_a_move_off_the_board_is_named_with_its_board(method: Any, move: Any) -> None:
    board = Board()
    with pytest.raises(IllegalMoveError) as refusal:
        getattr(board, method)(move)
    assert str(refusal.value) == f"move {move} is outside the 7x7 board '{EMPTY}'"
    assert isinstance(refusal.value, ValueError)
    assert board.to_text() == EMPTY


@pytest.mark.parametrize("move", [None, 5, (3.0, 3.0), (3,), "ab", (None, 1), object()])
@pytest.mark.parametrize("method", ["apply_move", "forecast_move", "move_is_legal"])
def test_what_is_no_pair_of_integers_is_a_type_error(method: Any, move: Any) -> None:
    with pytest.raises(TypeError):
        getattr(Board(), method)(move)


@pytest.mark.parametrize(
    ("width", "height", "named"),
    [(0, 7, 0), (7, 0, 0), (-1, 7, -1), (7, -1, -1), (10**6, 10**9, 10**9), (10**30, 1, 10**30)],
)
def test_a_board_without_cells_or_beyond_memory_is_refused(width: int, height: int, named: int) -> None:
    with pytest.raises(InvalidBoardError) as refusal:
        Board(width=width, height=height)
    assert str(named) in str(refusal.value)


@pytest.mark.parametrize("stranger", ["stranger", None, 3, object()])
@pytest.mark.parametrize("method", ["get_opponent", "get_player_location"])
def test_a_stranger_as_player_is_refused(method: Any, stranger: Any) -> None:
    with pytest.raises(UnknownPlayerError) as refusal:
        getattr(start(), method)(stranger)
    assert isinstance(refusal.value, RuntimeError)


def test_strangers_have_no_moves_and_neither_won_nor_lost() -> None:
    with pytest.raises(UnknownPlayerError):
        start().get_legal_moves("stranger")
    stuck = Board.from_text("1x1 x - - 1")
    assert not stuck.is_winner("stranger")
    assert not stuck.is_loser("stranger")
    assert stuck.utility("stranger") == 0.0


@pytest.mark.parametrize(
    "text", ["", "7x7", "7x7 7/7/7/7/7/7/7 - - 3", "7x7 7/7/7/7/7/7/8 - - 1", EMPTY + " 1"]
)
def test_a_text_that_is_no_position_is_refused_by_name(text: Any) -> None:
    with pytest.raises(InvalidPositionError) as refusal:
        Board.from_text(text)
    assert repr(text)[1:-1] in str(refusal.value)


@pytest.mark.parametrize(
    "garbage", [[], [0] * 51, [0] * 49 + ["x", None, None], [0] * 49 + [0, None, 99], ["?"] * 52, [0] * 53]
)
def test_a_search_refuses_a_state_that_is_no_position(garbage: Any) -> None:
    board = start()
    board._board_state = garbage
    with pytest.raises(InvalidPositionError):
        search(board, "open", depth=1)
    assert board._board_state == garbage


# Limits and names.


@pytest.mark.parametrize("limits", [{"depth": 0}, {"depth": -1}, {"nodes": -5}, {"ms": -1.0}, {"depth": 2.0}])
def test_a_limit_that_cannot_be_met_is_refused_by_name_and_value(limits: Any) -> None:
    ((name, value),) = limits.items()
    with pytest.raises(InvalidBudgetError) as refusal:
        search(start(), "open", **limits)
    assert str(refusal.value).startswith(name)
    assert str(refusal.value).endswith(f"not {value!r}")


def test_an_unknown_heuristic_is_answered_with_the_one_that_was_meant_and_the_list() -> None:
    with pytest.raises(UnknownHeuristicError) as refusal:
        search(start(), "improoved", depth=1)
    assert "did you mean 'improved'?" in str(refusal.value)
    assert "Allowed: 'improved', 'blend_improved', " in str(refusal.value)


# Heuristics.


class CustomError(Exception):
    """An exception of a person's own."""


def raising_score(game: Any, player: Any) -> float:
    raise CustomError("the heuristic gave up")


@pytest.mark.parametrize("attempt", searched_with(raising_score))
def test_a_heuristic_that_raises_comes_back_as_itself_with_the_position(attempt: Any) -> None:
    with pytest.raises(CustomError, match="gave up") as failure:
        attempt()
    assert "raising_score" in [frame.name for frame in traceback.extract_tb(failure.value.__traceback__)]
    positions = re.findall(r"\d+x\d+ \S+ \S+ \S+ [12]", "\n".join(notes_of(failure.value)))
    assert Board.from_text(positions[0]).to_text() == positions[0]


@pytest.mark.parametrize(
    "failure", [KeyboardInterrupt, SystemExit, MemoryError, RecursionError, StopIteration]
)
def test_whatever_a_heuristic_raises_comes_back(failure: Any) -> None:
    def failing_score(game: Any, player: Any) -> float:
        raise failure

    for attempt in searched_with(failing_score):
        with pytest.raises(failure):
            attempt()


@pytest.mark.parametrize(
    "value",
    ["x", "3.5", None, math.nan, 1j, (1.0,), [1.0], numpy.float64("nan"), numpy.complex128(1), b"1"],
    ids=repr,
)
def test_a_result_that_is_no_real_number_is_named_with_its_heuristic(value: Any) -> None:
    def peculiar_score(game: Any, player: Any) -> Any:
        return value

    for attempt in searched_with(peculiar_score):
        with pytest.raises(HeuristicResultError) as refusal:
            attempt()
        assert isinstance(refusal.value, TypeError)
        assert isinstance(refusal.value, ValueError)
        assert "peculiar_score" in str(refusal.value)
        assert repr(value) in str(refusal.value)


@pytest.mark.parametrize(
    "value",
    [
        1,
        True,
        10**20,
        -0.0,
        math.inf,
        -math.inf,
        numpy.float64(1.5),
        numpy.float32(1.5),
        numpy.int64(3),
        numpy.uint8(3),
        numpy.bool_(True),
        Fraction(3, 2),
    ],
    ids=repr,
)
def test_every_kind_of_real_number_is_a_number(value: Any) -> None:
    for method in ("alphabeta", "minimax"):
        report = search(start(), lambda game, player: value, depth=2, method=method)
        assert report.value == float(value)
        assert type(report.value) is float


def test_a_heuristic_that_changes_its_board_does_not_disturb_the_search() -> None:
    def quiet_score(game: Any, player: Any) -> Any:
        return float(len(game.get_legal_moves(player)))

    def vandal_score(game: Any, player: Any) -> Any:
        value = quiet_score(game, player)
        for move in game.get_blank_spaces():
            game.apply_move(move)
        game._board_state[:] = ["rubbish"]
        game._active_player = game._player_1 = None
        game.width = game.move_count = 70
        return value

    for method in ("alphabeta", "minimax"):
        board = start()
        undisturbed = search(board, quiet_score, depth=3, method=method, root_values=True)
        assert search(board, vandal_score, depth=3, method=method, root_values=True) == undisturbed
        assert board.to_text() == START


def test_a_heuristic_that_keeps_its_boards_keeps_what_it_saw() -> None:
    kept = []

    def hoarding_score(game: Any, player: Any) -> Any:
        kept.append((game, game.to_text()))
        return 0.0

    search(start(), hoarding_score, depth=3)
    assert len({id(game) for game, _ in kept}) == len(kept)
    assert all(game.to_text() == text for game, text in kept)


def test_an_exception_that_is_raised_again_and_again_names_the_last_position_only() -> None:
    trouble = RuntimeError("always the same")

    def failing_score(game: Any, player: Any) -> float:
        raise trouble

    for _ in range(3):
        with pytest.raises(RuntimeError):
            search(start(), failing_score, depth=1)
    assert len(trouble.__notes__) == 1  # type: ignore[attr-defined]


def test_a_board_whose_players_cannot_be_compared_still_has_a_repr() -> None:
    class Incomparable:
        def __eq__(self, other: object) -> bool:
            raise RuntimeError("no")

        __hash__ = None  # type: ignore[assignment]

    assert repr(Board(Incomparable(), Incomparable())) == "<Board 7x7 whose players cannot be compared>"

"""What heuristics say of positions without a search: of one, and of many at once."""

import builtins
import signal
import threading
import time
from typing import Any

import numpy
import pytest

from isolation_fast import (
    Board,
    HeuristicResultError,
    InvalidBudgetError,
    InvalidPositionError,
    UnknownPlayerError,
    WalkTooLongError,
    evaluate,
    evaluate_many,
    heuristics,
    reference,
    search,
)

TEXT = "5x5 1x3/5/2x2/x4/5 2,2 3,0 1"
LATE = "3x3 1x1/1x1/2x 0,1 2,2 1"
LARGE = f"101x101 {'/'.join(['x100', *['101'] * 99, '100x'])} 0,0 100,100 1"
MANY: dict[Any, float] = {heuristics.knight_decay_2.variant(r=number / 1000): 1.0 for number in range(1, 900)}
OPENING = "7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1"


def says_nothing(game: Any, player: Any) -> Any:
    pass


def whole_moves(game: Any, player: Any) -> int:
    return len(game.get_legal_moves(player))


@pytest.mark.parametrize("name", heuristics.names())
def test_a_value_is_that_of_the_heuristic_called(name: Any) -> None:
    board = Board.from_text(TEXT)
    heuristic = heuristics.get(name)
    for player in ("player 1", "player 2"):
        assert evaluate(board, name, player) == heuristic(board, player)
    assert evaluate(board, heuristic) == heuristic(board, "player 1")


@pytest.mark.parametrize("name", heuristics.names())
def test_many_values_are_those_of_each(name: Any) -> None:
    large = Board(width=12, height=11)
    boards: list[Board | str] = [Board.from_text(TEXT), LATE, large]
    if heuristics.get(name).walks:
        boards.pop()
    each = [evaluate(Board.from_text(b) if isinstance(b, str) else b, name) for b in boards]
    assert list(evaluate_many(boards, name)) == each
    second = [evaluate(Board.from_text(b) if isinstance(b, str) else b, name, "player 2") for b in boards]
    assert list(evaluate_many(iter(boards), name, player="player 2")) == second


def test_many_values_are_an_array_where_there_is_numpy(monkeypatch: Any) -> None:
    values = evaluate_many([TEXT, LATE], "open")
    assert isinstance(values, numpy.ndarray)
    assert values.dtype == numpy.float64
    values[0] = 0.0

    real_import = builtins.__import__

    def without_numpy(name: str, *arguments: Any, **keywords: Any) -> Any:
        if name == "numpy":
            raise ImportError(name)
        return real_import(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without_numpy)
    assert evaluate_many([TEXT, LATE], "open") == [6.0, 1.0]


def test_of_no_boards_there_are_no_values() -> None:
    assert list(evaluate_many([], "bfs")) == []


def test_functions_are_heuristics_too() -> None:
    board = Board.from_text(TEXT, "me", "you")
    assert evaluate(board, whole_moves, "you") == 2.0
    assert type(evaluate(board, whole_moves)) is float
    assert list(evaluate_many([board, LATE], whole_moves)) == [6.0, 1.0]
    with pytest.raises(HeuristicResultError, match="`says_nothing` returned None for") as refusal:
        evaluate(board, says_nothing)
    assert TEXT in str(refusal.value)


def test_what_a_function_raises_comes_out_as_itself_with_a_note_of_the_position() -> None:
    def spoils(game: Any, player: Any) -> float:
        game.apply_move((0, 0))
        raise ZeroDivisionError("boom")

    for ask in (
        lambda: evaluate(Board.from_text(TEXT), spoils),
        lambda: evaluate_many([TEXT, LATE], spoils),
    ):
        with pytest.raises(ZeroDivisionError, match="boom") as failure:
            ask()
        (note,) = vars(failure.value)["__notes__"]
        assert note == f'raised by heuristic `spoils` for "{TEXT}"'
    # A board that is no position is shown as it is.
    with pytest.raises(ZeroDivisionError) as failure:
        evaluate(Board("same", "same"), spoils)
    assert "'same', 'same'" in vars(failure.value)["__notes__"][0]


def test_players_are_those_of_the_board() -> None:
    board = Board.from_text(TEXT, "me", "you")
    assert evaluate(board, "improved", "you") == -4.0
    for stranger in ("player 1", 3):
        with pytest.raises(UnknownPlayerError):
            evaluate(board, "improved", stranger)
        with pytest.raises(UnknownPlayerError):
            evaluate_many([board], "improved", player=stranger)
    with pytest.raises(UnknownPlayerError, match="'me' is not a player"):
        evaluate_many([TEXT], "improved", player="me")


def test_what_is_no_board_is_named() -> None:
    with pytest.raises(TypeError, match=r"evaluate takes an isolation_fast.Board, not an isolation_fast.ref"):
        evaluate(reference.Board(), "open")  # type: ignore[arg-type]
    refusal = r"boards\[1\] must be an isolation_fast.Board or a position as a text"
    for heuristic in ("open", whole_moves):
        for stranger in (3, reference.Board()):
            with pytest.raises(TypeError, match=refusal):
                evaluate_many([TEXT, stranger], heuristic)  # type: ignore[list-item]
    for one in (TEXT, Board()):
        with pytest.raises(TypeError, match="several boards"):
            evaluate_many(one, "open")  # type: ignore[arg-type]
    with pytest.raises(InvalidPositionError):
        evaluate_many([TEXT, "7x7"], "open")


def test_a_walk_beyond_what_is_allowed_is_an_error_that_says_how_to_allow_more() -> None:
    board = Board.from_text(OPENING)
    for ask in (
        lambda: heuristics.continuations(board, "player 1"),
        lambda: evaluate(board, "continuations"),
        lambda: evaluate_many([LATE, OPENING], "continuations"),
    ):
        with pytest.raises(WalkTooLongError, match=r"10000000 positions .* nodes=") as refusal:
            ask()
        assert OPENING in str(refusal.value)


def test_a_walk_is_granted_the_positions_that_it_takes() -> None:
    board = Board.from_text(LATE)
    assert evaluate(board, "continuations", nodes=6) == 5.0
    with pytest.raises(WalkTooLongError, match="more than 5 positions"):
        evaluate(board, "continuations", nodes=5)
    for nodes in (0, -1, 1.5, True):
        with pytest.raises(InvalidBudgetError):
            evaluate(board, "continuations", nodes=nodes)  # type: ignore[arg-type]


def test_a_walk_is_granted_no_more_where_it_is_not_clear_whose_turn_it_is() -> None:
    same, small = Board("same", "same"), Board("same", "same", width=2, height=2)
    active = Board()
    active._active_player = "player 2"
    for heuristic in ("continuations_difference", heuristics.weighted_sum({"bfs": 1.0, "longest_win": 1.0})):
        for board in (same, active):
            with pytest.raises(WalkTooLongError, match="more than 10 positions"):
                evaluate(board, heuristic, nodes=10)
            with pytest.raises(WalkTooLongError, match="more than 10 positions"):
                evaluate_many([small, board], heuristic, nodes=10)
    assert evaluate(small, "continuations", nodes=64) == reference_value(small)


def reference_value(board: Board) -> float:
    """What the formula in Python makes of the board's methods."""
    return reference.HEURISTICS["continuations"](board, board.active_player)


def test_a_walk_in_a_search_ends_with_the_budget() -> None:
    report = search(Board.from_text(OPENING), "continuations", nodes=1000)
    assert (report.nodes, report.reason, report.depth) == (1000, "nodes", 0)
    assert search(Board.from_text(OPENING), "longest_win", ms=5).reason == "time"


@pytest.mark.parametrize(
    "walk",
    [
        lambda board: evaluate(board, "continuations", nodes=10**15),
        lambda board: evaluate_many([board], "longest_win", nodes=10**15),
        lambda board: search(board, "continuations", depth=1),
        # A third of a second each.
        lambda _: evaluate_many([Board.from_text(LARGE)] * 1000, heuristics.weighted_sum(MANY)),
    ],
)
def test_ctrl_c_ends_a_walk_and_the_values_of_slow_heuristics(walk: Any) -> None:
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(0.1, signal.pthread_kill, (main, signal.SIGINT))
    before = time.monotonic()

    def walked() -> None:
        # Within what expects it: on a busy machine it may come before the walk has begun.
        timer.start()
        walk(Board.from_text(OPENING))

    with pytest.raises(KeyboardInterrupt):
        walked()
    assert time.monotonic() - before < 30
    timer.join()


def test_other_threads_run_while_many_boards_are_evaluated() -> None:
    board = Board.from_text(OPENING)
    counted = [0]
    over = threading.Event()

    def count() -> None:
        while not over.is_set():
            counted[0] += 1

    other = threading.Thread(target=count)
    other.start()
    with pytest.raises(WalkTooLongError):
        evaluate_many([board], "continuations", nodes=20_000_000)
    over.set()
    other.join()
    assert counted[0] > 0


def test_a_board_in_doubt_keeps_its_place_among_many() -> None:
    doubtful = Board("same", "same")
    doubtful.apply_move((0, 0))
    boards = [Board("same", "other"), doubtful, Board("same", "other", width=3, height=3)]
    each = [heuristics.open(board, "same") for board in boards]
    assert list(evaluate_many(boards, "open", player="same")) == each


def test_more_boards_than_are_evaluated_together_keep_their_order() -> None:
    boards = [Board(width=1 + number % 9, height=5) for number in range(3000)]
    assert list(evaluate_many(boards, "open")) == [5.0 * board.width for board in boards]

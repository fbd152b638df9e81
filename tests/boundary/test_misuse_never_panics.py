"""Whatever is done to a board through its documented interface ends in a result or an ordinary exception.

A panic of the engine would arrive as `PanicException`, which is a BaseException; a borrow that is still
held as a RuntimeError that is none of ours; an abort would end the test run. None of these is allowed.
"""

import copy
import pickle
from typing import Any

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from isolation_fast import (
    AlphaBetaPlayer,
    Board,
    Budget,
    GreedyPlayer,
    IsolationError,
    MinimaxPlayer,
    PerfectPlayer,
    RandomPlayer,
    heuristics,
    perft,
    play_game,
    search,
    solve,
)
from isolation_fast.players import Player

ALLOWED = (IsolationError, TypeError, ValueError, AttributeError)

FUZZ = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Surprising:
    """An object that answers every question with a surprise."""

    def __eq__(self, other: Any) -> bool:
        raise ValueError("not comparable")

    def __hash__(self) -> int:
        raise TypeError("not hashable")

    def __index__(self) -> int:
        return 2**64

    def __float__(self) -> float:
        raise ValueError("no float")

    def __len__(self) -> int:
        return -1

    def __bool__(self) -> bool:
        raise ValueError("neither true nor false")

    def __repr__(self) -> str:
        return "Surprising()"


ODD: list[Any] = [
    None,
    True,
    0,
    1,
    -1,
    7,
    2**31,
    2**63,
    2**64,
    -(2**64),
    10**40,
    0.0,
    1.5,
    float("nan"),
    float("inf"),
    1j,
    "",
    "x",
    "player 1",
    "7x7 7/7/7/7/7/7/7 - - 1",
    "\ud800",
    "\0",
    b"7x7",
    (),
    (1,),
    (1, 2),
    (1, 2, 3),
    [3, 3],
    {},
    set(),
    object(),
    Surprising(),
    int,
    len,
    numpy.int64(2),
    numpy.array([1, 2]),
    numpy.array([[1, 2], [3, 4]]),
    numpy.float64("nan"),
    Board(),
    RandomPlayer(),
    heuristics.open,
    Ellipsis,
]
ODD_VALUES = st.sampled_from(ODD).map(copy.copy)  # copied, for some are changed by what is done with them

# For what takes no other limit than a depth, and would count until the end of days.
NO_INTEGERS = ODD_VALUES.filter(lambda value: isinstance(value, bool) or not hasattr(value, "__index__"))

MOVES = (
    st.tuples(st.integers(-2, 8), st.integers(-2, 8))
    | st.lists(ODD_VALUES, max_size=3).map(tuple)
    | ODD_VALUES
)
PLAYERS = st.sampled_from(["player 1", "player 2"]) | ODD_VALUES
STATES = st.lists(st.sampled_from([0, 1, None, -1, 99, 2**64, "x", 0.5, True]), max_size=60) | ODD_VALUES
INDICES = st.integers(-70, 70)


PLAYERS_OF_OURS: list[Player] = [
    RandomPlayer(),
    GreedyPlayer(),
    MinimaxPlayer(depth=1),
    AlphaBetaPlayer(nodes=50),
    PerfectPlayer(nodes=50),
]


def heuristic_of(value: Any) -> Any:
    """A function that answers that value, whatever it is."""
    return lambda game, player: value


HEURISTICS = (
    st.sampled_from(["open", "improved", "center", "null", len]) | ODD_VALUES | ODD_VALUES.map(heuristic_of)
)

LIMITS = st.fixed_dictionaries(
    {"nodes": st.integers(1, 300)},
    optional={"depth": st.integers(-1, 3) | ODD_VALUES, "seed": ODD_VALUES, "root_values": ODD_VALUES},
)


def assign(board: Any, name: Any, value: Any) -> None:
    setattr(board, name, value)


def write_state(board: Any, index: Any, value: Any) -> None:
    state = board._board_state
    if isinstance(index, int) and not -len(state) <= index < len(state):
        return  # a list's own IndexError is no concern of the board's
    state[index] = value


def shorten_state(board: Any, index: Any, value: Any) -> None:
    del board._board_state[index:]


def alias_and_move(board: Any, move: Any, value: Any) -> None:
    alias = board._board_state
    board.apply_move(move)
    alias.append(value)
    board.get_legal_moves()


def drawn(board: Any, symbols: Any) -> Any:
    try:
        return Board.to_string(board, symbols)
    except IndexError:
        return None  # too few symbols for the knights there are, as on the classic board


def pickled(board: Any) -> Any:
    return pickle.loads(pickle.dumps(board)).to_text()


ATTRIBUTES = [
    "_board_state",
    "_active_player",
    "_inactive_player",
    "_player_1",
    "_player_2",
    "width",
    "height",
    "move_count",
    "active_player",
    "own_attribute",
]

PLAIN_OPERATIONS: list[Any] = [
    Board.copy,
    Board.get_blank_spaces,
    Board.hash,
    Board.to_text,
    Board.print_board,
    Board.to_svg,
    Board._repr_svg_,
    repr,
    str,
    copy.copy,
    copy.deepcopy,
    lambda board: pickled(board),
    lambda board: board._board_state.clear(),
    lambda board: board.__dict__.clear(),
]

OPERATIONS = st.one_of(
    st.tuples(
        st.sampled_from(
            [
                Board.apply_move,
                Board.forecast_move,
                Board.move_is_legal,
                Board._Board__get_moves,
                drawn,
                Board.from_text,
            ]
        ),
        MOVES,
    ).map(
        lambda pair: (
            lambda board: pair[0](board, pair[1]) if pair[0] is not Board.from_text else pair[0](pair[1])
        )
    ),
    st.tuples(
        st.sampled_from(
            [
                Board.get_legal_moves,
                Board.get_opponent,
                Board.get_player_location,
                Board.is_winner,
                Board.is_loser,
                Board.utility,
            ]
        ),
        PLAYERS,
    ).map(lambda pair: lambda board: pair[0](board, pair[1])),
    st.sampled_from(PLAIN_OPERATIONS),
    st.tuples(
        st.sampled_from(ATTRIBUTES),
        STATES,
    ).map(lambda pair: lambda board: assign(board, *pair)),
    st.tuples(st.sampled_from([write_state, shorten_state]), INDICES, ODD_VALUES).map(
        lambda chosen: lambda board: chosen[0](board, chosen[1], chosen[2])
    ),
    st.tuples(MOVES, ODD_VALUES).map(lambda pair: lambda board: alias_and_move(board, *pair)),
    st.tuples(HEURISTICS, LIMITS).map(lambda pair: lambda board: search(board, pair[0], **pair[1])),
    (st.integers(-1, 2) | NO_INTEGERS).map(lambda depth: lambda board: perft(board, depth)),
    (st.integers(-1, 300) | NO_INTEGERS).map(
        lambda nodes: lambda board: solve(board, nodes=nodes, distance=True)
    ),
    st.sampled_from(PLAYERS_OF_OURS).map(lambda player: lambda board: player.get_move(board, lambda: 20.0)),
)


def attempt(operation: Any, *arguments: Any) -> Any:
    """Do it, and let nothing pass but a result or an allowed exception."""
    try:
        return operation(*arguments)
    except ALLOWED:
        return None


@FUZZ
@given(st.integers(1, 5), st.integers(1, 5), st.lists(OPERATIONS, min_size=1, max_size=12))
def test_operations_on_a_board_in_any_order(width: Any, height: Any, operations: Any) -> None:
    board = Board("player 1", "player 2", width, height)
    for operation in operations:
        attempt(operation, board)
    untouched = Board("player 1", "player 2", width, height)
    assert search(untouched, "open", depth=1).nodes == width * height


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_every_attribute_set_to_every_odd_value(name: str) -> None:
    for value in ODD:
        board = Board()
        attempt(assign, board, name, copy.copy(value))
        for operation in PLAIN_OPERATIONS:
            attempt(operation, board)
        attempt(board.get_legal_moves)
        attempt(board.apply_move, (3, 3))
        attempt(board.is_winner, "player 1")
        attempt(lambda used: search(used, "open", nodes=100), board)


@FUZZ
@given(
    st.lists(ODD_VALUES, max_size=5),
    st.dictionaries(st.sampled_from(["width", "height", "player_1"]), ODD_VALUES),
)
def test_making_boards_of_anything(positional: Any, named: Any) -> None:
    board = attempt(lambda: Board(*positional, **named))
    if board is not None:
        attempt(board.to_text)


@FUZZ
@given(st.text(alphabet="0123456789x/-,. \n", max_size=40) | st.text(max_size=20) | ODD_VALUES)
def test_reading_positions_from_anything(text: Any) -> None:
    board = attempt(lambda: Board.from_text(text))
    if board is not None:
        assert Board.from_text(board.to_text()).to_text() == board.to_text()


@FUZZ
@given(STATES, HEURISTICS, st.sampled_from(["minimax", "alphabeta"]))
def test_searching_any_state(state: Any, heuristic: Any, method: Any) -> None:
    board = Board()
    attempt(assign, board, "_board_state", state)
    attempt(lambda: search(board, heuristic, nodes=200, method=method))
    attempt(board.get_legal_moves)
    attempt(board.to_text)
    attempt(board.copy)


@FUZZ
@given(ODD_VALUES, ODD_VALUES, ODD_VALUES, ODD_VALUES)
def test_making_budgets_players_and_games_of_anything(
    first: Any, second: Any, third: Any, fourth: Any
) -> None:
    attempt(lambda: Budget(depth=first, nodes=second, ms=third))
    attempt(lambda: AlphaBetaPlayer(first, nodes=second, mode=third, seed=fourth))
    attempt(lambda: MinimaxPlayer(first, depth=second, seed=third, score_fn=fourth))
    attempt(lambda: heuristics.get(first))
    attempt(lambda: heuristics.open(first, second))
    attempt(lambda: search(Board(), "open", budget=first, depth=second, method=third, mode=fourth))
    attempt(lambda: play_game(first, second))
    small: dict[str, Any] = {"width": 3, "height": 3}
    attempt(lambda: play_game(RandomPlayer(), GreedyPlayer(), seed=first, time_limit=second, **small))
    attempt(lambda: play_game(RandomPlayer(), GreedyPlayer(), start=third, **small))

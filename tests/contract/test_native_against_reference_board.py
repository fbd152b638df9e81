"""The engine's board and the reference one do the same: the same operations, in any order, on both.

Both get the same bits, so that even the order of their lists of moves is equal. After each step all that can
be asked of a board is compared, down to the types of the errors.
"""

import copy
import pickle
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import isolation_fast
from isolation_fast import heuristics, reference
from isolation_fast.reference.heuristics import HEURISTICS

LAW = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)

# Width and height on both sides of each width of the engine's cell sets, and all small ones.
SIZES = st.tuples(st.integers(1, 13), st.integers(1, 12)) | st.sampled_from(
    [(1, 1), (7, 7), (8, 8), (64, 1), (13, 5), (1, 65), (16, 8), (43, 3), (3, 43), (20, 20)]
)


# The other heuristics have a file of their own.
BASELINES = ["null", "open", "center", "improved"]


class Plain:
    """A player that is only itself."""


class Named:
    """A player that equals all of its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


ALONE, MAN, WOMAN = Plain(), Named("Ann"), Plain()
PLAYERS: list[tuple[Any, Any]] = [
    ("Ann", "Ben"),
    (MAN, WOMAN),
    (WOMAN, MAN),
    (ALONE, ALONE),
    (Named("Ann"), Named("Ann")),
    (1, 1.0),
    (None, "Ben"),
    (("a", "pair"), 7),
]
STRANGERS: list[Any] = ["Eve", Named("Ann"), Plain(), 1, None]


class Pair:
    """The same board twice, and whom to ask it about."""

    def __init__(self, native: Any, twin: Any, asked: list[Any]) -> None:
        self.native, self.twin, self.asked = native, twin, asked

    def both(self, action: Callable[[Any], Any]) -> tuple[Any, Any]:
        return outcome(lambda: action(self.native)), outcome(lambda: action(self.twin))

    def agrees(self, action: Callable[[Any], Any]) -> Any:
        """Do it to both, and return the engine's outcome."""
        native, twin = self.both(action)
        assert native == twin
        return native


def outcome(action: Callable[[], Any]) -> Any:
    try:
        return ("value", action())
    except Exception as error:  # noqa: BLE001 - whatever it is, it is compared
        return ("error", type(error))


def made(players: tuple[Any, Any], size: tuple[int, int], bits: int) -> Pair:
    native = isolation_fast.Board(*players, width=size[0], height=size[1])
    twin = reference.Board(*players, width=size[0], height=size[1])
    native._order_bits = twin._order_bits = bits
    return Pair(native, twin, [*players, *STRANGERS])


def is_whole(pair: Pair) -> bool:
    """Whether the list is long enough for the size: both boards raise where it is not, each in its place."""
    return len(pair.twin._board_state) >= int(pair.twin.width * pair.twin.height + 3)


def seat(board: Any, player: Any) -> Any:
    """Which of the board's players it is: a deep copy has players of its own."""
    return player is board._player_1, player is board._player_2, type(player)


def seated(board: Any) -> Any:
    named = (board.active_player, board.inactive_player, board._active_player, board._inactive_player)
    return [seat(board, player) for player in named]


def drawn(board: Any) -> Any:
    return board.to_text(), repr(board), str(board), board.to_string(["A", "B"]), board.to_svg(size=100)


def counted(board: Any) -> Any:
    return board.width, board.height, board.move_count, board._order_bits, seated(board)


def asked_about(board: Any, player: Any) -> Any:
    """All questions about a player, for an object or, by name, for whom an attribute holds."""
    if isinstance(player, str) and player.startswith("_"):
        player = getattr(board, player)
    return [
        outcome(lambda: board.get_legal_moves(player)),
        outcome(lambda: board.get_player_location(player)),
        outcome(lambda: seat(board, board.get_opponent(player))),
        outcome(lambda: board.is_winner(player)),
        outcome(lambda: board.is_loser(player)),
        outcome(lambda: board.utility(player)),
    ]


def legality(board: Any, move: Any) -> Any:
    return board.move_is_legal(move)


PRIVATE_PLAYERS = ["_player_1", "_player_2", "_active_player", "_inactive_player"]


def assert_equal(pair: Pair) -> None:
    """Ask both boards everything, and touch neither."""
    pair.agrees(counted)
    if not is_whole(pair):
        return
    for question in (drawn, lambda board: board.get_blank_spaces(), lambda board: board.get_legal_moves()):
        pair.agrees(question)
    pair.agrees(lambda board: board.__board_state__)
    for player in [*PRIVATE_PLAYERS, *pair.asked]:
        pair.agrees(partial(asked_about, player=player))
    cells = [
        (0, 0),
        (pair.twin.height - 1, pair.twin.width - 1),
        (-1, 0),
        (0, -1),
        (pair.twin.height, 0),
        [1, 2],
    ]
    for cell in cells:
        pair.agrees(partial(legality, move=cell))
    # A copy's list, since a board whose own was read is no longer native.
    pair.agrees(lambda board: board.copy()._board_state)


NUMBERS = st.integers(-2, 21)
CELLS = st.tuples(NUMBERS, NUMBERS)
MOVES: Any = (
    CELLS
    | CELLS.map(list)
    | CELLS.map(lambda cell: (numpy.int64(cell[0]), numpy.int32(cell[1])))
    | CELLS.map(numpy.array)
    | st.sampled_from(
        [(0, 1, 2), (True, False), (10**30, 0), (0, -(2**63)), "ab", "", (3,), (3.0, 3.0), None, 5]
    )
    | st.sampled_from([{0: 1, 1: 0}, {}, [[0], [1]], ("0", "1"), b"\0\0", range(2)])
)


def at_cell(pair: Pair, share: float) -> int:
    """A cell of the board, by how far down it is among all: the size may change on the way."""
    return int(share * (pair.twin.width * pair.twin.height - 1))


def on_board(pair: Pair, share: float) -> tuple[int, int]:
    column, row = divmod(at_cell(pair, share), pair.twin.height)
    return row, column


def write_cell(board: Any, index: int, value: Any) -> None:
    board._board_state[index] = value


def flip(board: Any) -> None:
    board._board_state[-3] ^= 1


class Steps:
    """What can be done to the boards. Each step leaves equal boards, or the same error."""

    def __init__(self, pairs: list[Pair]) -> None:
        self.pairs = pairs

    def jump(self, pair: Pair, share: float) -> None:
        move = on_board(pair, share)
        pair.agrees(lambda board: board.apply_move(move))

    def play(self, pair: Pair, share: float) -> None:
        kind, moves = pair.agrees(lambda board: board.get_legal_moves())
        if kind == "value" and moves:
            move = moves[int(share * (len(moves) - 1))]
            pair.agrees(lambda board: board.apply_move(move))

    def apply(self, pair: Pair, move: Any) -> None:
        pair.agrees(lambda board: board.apply_move(move))

    def ask(self, pair: Pair, move: Any) -> None:
        pair.agrees(lambda board: board.move_is_legal(move))

    def list_from(self, pair: Pair, move: Any) -> None:
        pair.agrees(lambda board: board._Board__get_moves(move))

    def forecast(self, pair: Pair, move: Any) -> None:
        self.derive(pair, lambda board: board.forecast_move(move))

    def teleport(self, pair: Pair, share: float) -> None:
        self.forecast(pair, on_board(pair, share))

    def duplicate(self, pair: Pair, how: Callable[[Any], Any]) -> None:
        self.derive(pair, how)

    def derive(self, pair: Pair, how: Callable[[Any], Any]) -> None:
        (kind, native), (twin_kind, twin) = pair.both(how)
        assert kind == twin_kind
        if kind == "value":
            assert type(native) is isolation_fast.Board
            self.pairs.append(Pair(native, twin, pair.asked))
        else:
            assert native == twin

    def name(self, pair: Pair, change: tuple[str, int]) -> None:
        attribute, number = change
        pair.agrees(lambda board: setattr(board, attribute, pair.asked[number]))

    def hand_over(self, pair: Pair, change: tuple[str, str]) -> None:
        attribute, other = change
        pair.agrees(lambda board: setattr(board, attribute, getattr(board, other)))

    def count(self, pair: Pair, number: int) -> None:
        pair.agrees(lambda board: setattr(board, "move_count", number))

    def resize(self, pair: Pair, change: tuple[str, int]) -> None:
        pair.agrees(lambda board: setattr(board, *change))
        stands = [cell for cell in pair.twin._board_state[-2:] if cell is not None]
        if not is_whole(pair) or any(cell >= pair.twin.width * pair.twin.height for cell in stands):
            self.renew(pair, change[1])

    def read(self, pair: Pair, _: Any) -> None:
        pair.agrees(lambda board: list(board._board_state))

    def flip(self, pair: Pair, _: Any) -> None:
        pair.agrees(flip)

    def write(self, pair: Pair, change: tuple[float, Any]) -> None:
        share, value = change
        cell = at_cell(pair, share)
        pair.agrees(lambda board: write_cell(board, cell, value))

    def place(self, pair: Pair, change: tuple[int, float | None]) -> None:
        entry, share = change
        cell = None if share is None else at_cell(pair, share)
        pair.agrees(lambda board: write_cell(board, entry, cell))

    def move_with_an_alias(self, pair: Pair, share: float) -> None:
        move, aliases = on_board(pair, share), (pair.native._board_state, pair.twin._board_state)
        pair.agrees(lambda board: board.apply_move(move))
        assert aliases[0] == aliases[1]
        assert pair.native._board_state is aliases[0]

    def renew(self, pair: Pair, number: int) -> None:
        cells = pair.twin.width * pair.twin.height
        entries = [int((cell * (number + 7)) % 5 == 0) for cell in range(cells)]
        places = [None, number % cells] if number % 2 else [number % cells, None]
        pair.agrees(lambda board: setattr(board, "_board_state", [*entries, number % 2, *places]))

    def take_over(self, pair: Pair, _: Any) -> None:
        """As a subclass's own `copy` does it: a new board, and the old one's list."""
        other = made(("", ""), (pair.twin.width, pair.twin.height), 5)
        for new, old in ((other.native, pair.native), (other.twin, pair.twin)):
            new._board_state = copy.copy(old._board_state)
            for attribute in PRIVATE_PLAYERS:
                setattr(new, attribute, getattr(old, attribute))
        other.asked = pair.asked
        self.pairs.append(other)


SHARES = st.floats(0, 1)
PASTS = st.sampled_from(
    [
        lambda board: board.copy(),
        copy.copy,
        copy.deepcopy,
        lambda board: pickle.loads(pickle.dumps(board)),
        lambda board: pickle.loads(pickle.dumps(board, protocol=0)),
    ]
)
ARGUMENTS: dict[str, Any] = {
    "play": SHARES,
    "jump": SHARES,
    "teleport": SHARES,
    "apply": MOVES,
    "forecast": MOVES,
    "ask": MOVES,
    "list_from": CELLS | CELLS.map(list) | st.none(),
    "duplicate": PASTS,
    "name": st.tuples(st.sampled_from(PRIVATE_PLAYERS), st.integers(0, 1 + len(STRANGERS))),
    "hand_over": st.tuples(st.sampled_from(PRIVATE_PLAYERS), st.sampled_from(PRIVATE_PLAYERS)),
    "count": st.integers(-(2**40), 2**40),
    "resize": st.tuples(st.sampled_from(["width", "height"]), st.integers(1, 13)),
    "read": st.none(),
    "flip": st.none(),
    "write": st.tuples(SHARES, st.sampled_from([0, 1, 0, 1, True, 0.0, 1.0])),
    "place": st.tuples(st.sampled_from([-1, -2]), SHARES | st.none()),
    "move_with_an_alias": SHARES,
    "renew": st.integers(0, 200),
    "take_over": st.none(),
}
STEP = st.sampled_from(["play", "jump", *ARGUMENTS]).flatmap(
    lambda step: st.tuples(st.just(step), st.integers(0, 50), ARGUMENTS[step])
)


@LAW
@given(st.sampled_from(PLAYERS), SIZES, st.integers(0, 2**64 - 1), st.lists(STEP, max_size=20))
def test_any_operations_in_any_order_leave_equal_boards(
    players: Any, size: Any, bits: int, steps: list[Any]
) -> None:
    pairs = [made(players, size, bits)]
    for step, chosen, argument in steps:
        pair = pairs[chosen % len(pairs)]
        getattr(Steps(pairs), step)(pair, argument)
        assert_equal(pair)
        assert_equal(pairs[-1])
    # Nothing that was done to one of them reached another.
    for pair in pairs:
        assert_equal(pair)
    hashes: dict[Any, Any] = {}
    for pair in pairs:
        state = (pair.twin.width, pair.twin.height, tuple(pair.twin._board_state))
        assert hashes.setdefault(state, pair.native.hash()) == pair.native.hash()


@LAW
@given(
    # A player who is None is asked for in vain: `get_legal_moves(None)` means the active one.
    st.sampled_from([players for players in PLAYERS if None not in players]),
    SIZES,
    st.lists(
        st.tuples(st.sampled_from(["play", "jump", "flip", "teleport", "hand_over", "name"]), SHARES),
        max_size=20,
    ),
    st.sampled_from(BASELINES),
)
def test_the_baselines_say_the_same_of_both_boards(
    players: Any, size: Any, steps: list[tuple[str, float]], name: str
) -> None:
    pairs = [made(players, size, 1)]
    for step, share in steps:
        argument: Any = share
        if step == "hand_over":
            argument = ("_active_player", PRIVATE_PLAYERS[int(share * 3)])
        elif step == "name":
            argument = ("_active_player", int(share * 2))
        getattr(Steps(pairs), step)(pairs[-1], argument)
        for attribute in PRIVATE_PLAYERS:
            native = outcome(partial(value, heuristics.get(name), pairs[-1].native, attribute))
            assert native == outcome(partial(value, HEURISTICS[name], pairs[-1].twin, attribute))


def value(heuristic: Any, board: Any, attribute: str) -> Any:
    return heuristic(board, getattr(board, attribute))


@pytest.mark.parametrize("name", BASELINES)
def test_the_baselines_of_a_finished_game(name: str) -> None:
    text = "3x3 xxx/x1x/xxx 0,1 2,2 2"
    board, twin = isolation_fast.Board.from_text(text), reference.Board.from_text(text)
    for player in ("player 1", "player 2"):
        assert heuristics.get(name)(board, player) == HEURISTICS[name](twin, player)


@pytest.mark.parametrize("size", [(7, 7), (5, 4), (9, 8), (11, 9), (13, 12)])
@pytest.mark.parametrize("seed", range(10))
def test_both_boards_list_moves_in_the_same_order(size: tuple[int, int], seed: int) -> None:
    random.seed(seed)
    twin = reference.Board("Ann", "Ben", *size)
    random.seed(seed)
    native = isolation_fast.Board("Ann", "Ben", *size)
    while True:
        assert twin.to_text() == native.to_text()
        for player in ("Ann", "Ben"):
            assert twin.get_legal_moves(player) == native.get_legal_moves(player)
        moves = twin.get_legal_moves()
        if not moves:
            break
        twin.apply_move(moves[0])
        native.apply_move(moves[0])


def test_who_enters_a_cell_that_was_made_blank_again_is_there() -> None:
    for board_class in (isolation_fast.Board, reference.Board):
        board = board_class("Ann", "Ben", 3, 3)
        for move in ((0, 0), (1, 2), (2, 1), (2, 0)):
            board.apply_move(move)
        assert board.__board_state__[2][0] == 2
        board._board_state = [0] * 9 + [0, None, None]
        board.apply_move((2, 0))
        assert board.__board_state__ == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]

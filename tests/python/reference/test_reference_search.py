"""The contract of the search, on the reference one: counts, budgets, the move, what heuristics may do."""

import itertools
import random
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

import pytest

import isolation_fast
from isolation_fast import reference
from isolation_fast.exceptions import (
    HeuristicResultError,
    InvalidArgumentError,
    InvalidBudgetError,
    InvalidPositionError,
    UnknownHeuristicError,
)
from isolation_fast.reference import HEURISTICS, Board, search, self_play

INFINITY = float("inf")
METHODS = ["minimax", "alphabeta"]


def placed(mover: tuple[int, int] = (2, 3), other: tuple[int, int] = (0, 0), **size: int) -> Board:
    board = Board("Ann", "Ben", **size)
    board.apply_move(mover)
    board.apply_move(other)
    return board


def random_board(seed: int) -> Board:
    """A position of a random game on a small board, its end included now and then."""
    chance = random.Random(seed)
    random.seed(seed)
    board = Board("Ann", "Ben", width=chance.randint(3, 6), height=chance.randint(3, 6))
    for _ in range(chance.randint(2, 12)):
        moves = board.get_legal_moves()
        if moves:
            board.apply_move(chance.choice(moves))
    return board


def plain_minimax(board: Board, depth: int, heuristic: Any, player: object) -> tuple[float, int]:
    """The value and the nodes below, as short as it can be said."""
    moves = board.get_legal_moves()
    if depth == 0 or not moves:
        return heuristic(board, player), 0
    below = [plain_minimax(board.forecast_move(move), depth - 1, heuristic, player) for move in moves]
    best = max if board.active_player == player else min
    return best(value for value, _ in below), len(moves) + sum(nodes for _, nodes in below)


class TickingClock:
    """A clock that goes on by one millisecond whenever it is read."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        self.seconds += 0.001
        return self.seconds


class Classic:
    """Nothing but the methods of the classic board, as a search needs them."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.height = board.height

    def __getattr__(self, name: str) -> Any:
        if name not in {
            "active_player",
            "get_legal_moves",
            "get_player_location",
            "is_winner",
            "is_loser",
            "get_opponent",
        }:
            raise AttributeError(name)
        return getattr(self._board, name)

    def copy(self) -> "Classic":
        return Classic(self._board.copy())

    def forecast_move(self, move: tuple[int, int]) -> "Classic":
        return Classic(self._board.forecast_move(move))


@pytest.mark.parametrize("library", [isolation_fast, reference])
@pytest.mark.parametrize(("depth", "nodes"), [(1, 8), (2, 24), (3, 92), (4, 418), (5, 1650)])
def test_minimax_counts_the_classic_nodes(library: Any, depth: int, nodes: int) -> None:
    board = library.Board.from_text(placed().to_text())
    assert library.search(board, "open", depth=depth, method="minimax").nodes == nodes


@pytest.mark.parametrize("library", [isolation_fast, reference])
@pytest.mark.parametrize(("depth", "nodes"), [(1, 8), (2, 17), (3, 74), (4, 139), (5, 540)])
def test_alphabeta_counts_the_classic_nodes(library: Any, depth: int, nodes: int) -> None:
    board = library.Board.from_text(placed((50, 50), (0, 0), width=101, height=101).to_text())
    row, column = board.get_legal_moves()[0]

    def below_the_first_branch(game: Any, player: object) -> float:
        return float(not game.move_is_legal((row, column)))

    assert library.search(board, below_the_first_branch, depth=depth).nodes == nodes


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("method", METHODS)
def test_the_value_is_the_minimax_value_and_the_move_the_first_that_has_it(seed: int, method: str) -> None:
    board = random_board(seed)
    for name, depth in itertools.product(("improved", "center", "null"), (1, 2, 3)):
        player = board.active_player
        value, nodes = plain_minimax(board, depth, HEURISTICS[name], player)
        report = search(board, name, depth=depth, method=method)
        assert report.value == value
        if not board.get_legal_moves():
            assert (report.move, report.depth, report.nodes, report.reason) == (None, 0, 0, "exhausted")
            continue
        best = [
            move
            for move in board.get_legal_moves()
            if plain_minimax(board.forecast_move(move), depth - 1, HEURISTICS[name], player)[0] == value
        ]
        assert report.move == best[0]
        assert report.nodes == nodes if method == "minimax" else report.nodes <= nodes


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("method", METHODS)
def test_each_root_move_has_its_value_on_request(seed: int, method: str) -> None:
    board = random_board(seed)
    report = search(board, "improved", depth=3, method=method, root_values=True)
    values = {
        move: plain_minimax(board.forecast_move(move), 2, HEURISTICS["improved"], board.active_player)[0]
        for move in board.get_legal_moves()
    }
    assert report.root_values == values
    assert list(report.root_values or {}) == list(values)


def test_a_seed_replaces_the_order_of_the_root_and_nothing_else() -> None:
    chosen = {search(placed(), "null", depth=1, seed=seed).move for seed in range(50)}
    assert len(chosen) > 4
    board = placed()
    assert search(board, "null", depth=2, seed=7) == search(placed(), "null", depth=2, seed=7)
    assert search(board, "null", depth=2, seed=board._order_bits + 3 * 2**64) == search(
        board, "null", depth=2
    )


def test_replies_are_tried_in_column_major_order() -> None:
    asked: list[tuple[int, int]] = []

    def note(game: Board, player: object) -> float:
        asked.append(game.get_player_location("Ben") or (-1, -1))
        return 0.0

    search(placed((0, 0), (3, 3)), note, depth=2, method="minimax")
    replies = [(2, 1), (4, 1), (1, 2), (5, 2), (1, 4), (5, 4), (2, 5), (4, 5)]
    assert sorted(asked[:7], key=replies.index) == asked[:7]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8, 9, 25, 100, 1000])
def test_a_node_budget_is_spent_to_the_node(limit: int) -> None:
    report = search(placed(), "improved", nodes=limit)
    assert (report.nodes, report.reason) == (limit, "nodes")


def test_an_unfinished_depth_is_discarded() -> None:
    one, two = (search(placed(), "improved", depth=depth, method="minimax", seed=1) for depth in (1, 2))
    report = search(placed(), "improved", nodes=one.nodes + two.nodes + 5, method="minimax", seed=1)
    assert (report.move, report.value, report.depth) == (two.move, two.value, 2)
    assert report.nodes == one.nodes + two.nodes + 5


def test_where_depth_1_is_not_finished_the_first_move_is_taken() -> None:
    board = placed()
    report = search(board, "improved", nodes=3, root_values=True)
    assert (report.move, report.value, report.depth) == (board.get_legal_moves()[0], None, 0)
    assert report.root_values == {}


def test_a_budget_that_is_just_enough_does_not_end_the_search() -> None:
    nodes = sum(search(placed(), "open", depth=depth, method="minimax").nodes for depth in (1, 2, 3))
    enough = search(placed(), "open", depth=3, nodes=nodes, method="minimax")
    short = search(placed(), "open", depth=3, nodes=nodes - 1, method="minimax")
    assert (enough.depth, enough.reason) == (3, "depth")
    assert (short.depth, short.reason) == (2, "nodes")


def test_time_is_read_from_the_clock_before_each_node() -> None:
    # The clock stands at 1 when the search begins with its 20, so the reading of 21 refuses a node.
    report = search(placed(), "open", ms=20.5, clock=TickingClock())
    assert (report.nodes, report.reason, report.depth) == (20, "time", 1)


def test_the_first_limit_ends_the_search() -> None:
    assert search(placed(), "open", nodes=10, ms=1000, clock=TickingClock()).reason == "nodes"
    assert search(placed(), "open", nodes=1000, ms=10, clock=TickingClock()).reason == "time"
    assert search(placed(), "open", depth=1, nodes=1000, ms=1000, clock=TickingClock()).reason == "depth"


@pytest.mark.parametrize("method", METHODS)
def test_a_search_that_saw_the_end_of_every_line_is_exhausted(method: str) -> None:
    board = placed((0, 0), (1, 2), width=3, height=3)
    alone = search(board, "improved", depth=30, method=method, seed=1)
    deepened = search(board, "improved", nodes=10**6, method=method, seed=1)
    assert (alone.reason, deepened.reason) == ("exhausted", "exhausted")
    assert (alone.move, alone.value) == (deepened.move, deepened.value)
    assert deepened.depth < 30


def test_an_infinite_value_does_not_end_the_deepening() -> None:
    report = search(placed(), lambda game, player: INFINITY, depth=3, nodes=10**6)
    assert (report.depth, report.value) == (3, INFINITY)


def test_nothing_is_tried_after_an_infinite_value_at_the_root() -> None:
    assert search(placed(), lambda game, player: INFINITY, depth=1).nodes == 1
    assert search(placed(), lambda game, player: INFINITY, depth=1, root_values=True).nodes == 8


def test_among_moves_that_all_lose_the_first_is_taken() -> None:
    board = placed()
    report = search(board, lambda game, player: -INFINITY, depth=2)
    assert (report.move, report.value) == (board.get_legal_moves()[0], -INFINITY)


def test_a_position_without_moves_is_scored_and_has_no_move() -> None:
    board = placed((1, 1), (0, 0), width=3, height=3)
    report = search(board, "improved", depth=3, root_values=True)
    assert (report.move, report.value, report.depth, report.nodes) == (None, -INFINITY, 0, 0)
    assert (report.reason, report.root_values) == ("exhausted", {})


def test_a_search_runs_over_any_board_with_the_classic_methods() -> None:
    for seed in range(10):
        board = random_board(seed)
        assert search(Classic(board), "improved", depth=3) == search(board, "improved", depth=3)
        assert search(Classic(board), "improved", depth=2, seed=seed) == search(
            board, "improved", depth=2, seed=seed
        )


def test_the_board_stays_as_it_is() -> None:
    board = placed()
    before = board.hash()
    search(board, "improved", depth=3)
    assert (board.hash(), board.move_count) == (before, 2)


def test_each_call_of_a_heuristic_has_a_board_of_its_own() -> None:
    seen: list[Board] = []

    def spoil(game: Board, player: object) -> float:
        seen.append(game)
        game._board_state[:-3] = [1] * 49
        game._active_player = "Eve"
        return 0.0

    board = placed()
    assert search(board, spoil, depth=2, method="minimax").nodes == 24
    assert len({id(game) for game in seen}) == len(seen) == 16
    assert board.active_player == "Ann"


def test_a_heuristic_asked_at_the_root_has_a_board_of_its_own() -> None:
    def spoil(game: Board, player: object) -> float:
        game.apply_move((2, 2))
        return 0.0

    board = placed((1, 1), (0, 0), width=3, height=3)
    assert search(board, spoil, depth=1).move is None
    assert board.move_count == 2


def test_a_heuristic_is_asked_for_the_player_at_the_root() -> None:
    players: list[object] = []

    def note(game: Board, player: object) -> float:
        players.append(player)
        return 0.0

    search(placed(), note, depth=3)
    assert set(players) == {"Ann"}


def test_a_heuristic_may_search_itself() -> None:
    def look_ahead(game: Board, player: object) -> float:
        return search(game, "improved", depth=1).value or 0.0

    assert search(placed(), look_ahead, depth=2).depth == 2


def test_what_a_heuristic_raises_comes_out_as_itself_with_a_note() -> None:
    error = LookupError("mine")

    def fail(game: Board, player: object) -> NoReturn:
        raise error

    with pytest.raises(LookupError) as caught:
        search(placed(), fail, depth=2)
    assert caught.value is error
    if sys.version_info >= (3, 11):
        assert "fail" in error.__notes__[0]
        assert "7x7" in error.__notes__[0]


@pytest.mark.parametrize("value", [1, True, 2.5, Fraction(5, 2), Decimal("2.5"), -INFINITY])
def test_any_real_number_is_a_score(value: Any) -> None:
    assert search(placed(), lambda game, player: value, depth=1).value == value


@pytest.mark.parametrize("kind", ["float64", "float32", "int8", "uint64", "bool_"])
def test_numpy_scalars_are_scores(kind: str) -> None:
    numpy = pytest.importorskip("numpy")
    report = search(placed(), lambda game, player: getattr(numpy, kind)(1), depth=1)
    assert (type(report.value), report.value) == (float, 1.0)


@pytest.mark.parametrize(
    "value", ["1", b"1", None, float("nan"), 1j, (1, 2), [1.0], 10**400, Decimal("nan"), object()]
)
def test_what_is_no_real_number_is_named(value: Any) -> None:
    def odd(game: Board, player: object) -> Any:
        return value

    with pytest.raises(HeuristicResultError, match="'odd' returned") as caught:
        search(placed(), odd, depth=1)
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("kind", "content"), [("array", [1.0]), ("complex64", 1), ("complex128", 1), ("float64", "nan")]
)
def test_numpy_arrays_and_complex_numbers_are_no_scores(kind: str, content: object) -> None:
    numpy = pytest.importorskip("numpy")
    with pytest.raises(HeuristicResultError):
        search(placed(), lambda game, player: getattr(numpy, kind)(content), depth=1)


def test_a_zero_has_no_sign() -> None:
    assert str(search(placed(), lambda game, player: -0.0, depth=2).value) == "0.0"


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"depth": 0},
        {"depth": -1},
        {"nodes": 0},
        {"nodes": -5},
        {"ms": 0},
        {"ms": -1},
        {"ms": float("nan")},
    ],
)
def test_a_budget_that_allows_nothing_is_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(InvalidBudgetError):
        search(placed(), "improved", **limits)


def test_unknown_names_are_answered_with_those_that_are_known() -> None:
    with pytest.raises(UnknownHeuristicError, match="did you mean 'improved'"):
        search(placed(), "improoved", depth=1)
    with pytest.raises(InvalidArgumentError, match="did you mean 'minimax'"):
        search(placed(), "improved", depth=1, method="minmax")


def test_a_written_state_that_is_no_position_is_refused() -> None:
    board = placed()
    board._board_state[-1] = 99
    with pytest.raises(InvalidPositionError):
        search(board, "improved", depth=1)


def test_self_play_ends_where_the_loser_has_no_move() -> None:
    random.seed(3)
    board = placed()
    winner, moves = self_play(board, "improved", depth=2)
    for move in moves:
        assert move in board.get_legal_moves()
        board.apply_move(move)
    assert board.get_legal_moves() == []
    assert winner == board.inactive_player

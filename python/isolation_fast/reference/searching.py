"""Minimax, alpha-beta and iterative deepening over any board with the methods of the classic one.

The same contract as the engine's `plain` search, to the node:

- the root's moves are tried in the board's own order, all others in column-major order;
- the heuristic is asked at depth 0 and where there is no move, always for the player at the root;
- a node is a position generated below the root, and a budget of N nodes refuses the one after that;
- the move is the first in the root's order that has the best value;
- a loop begins with the worst value and takes what compares as better, which NaN never does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from numbers import Complex, Real
from operator import index
from time import perf_counter
from typing import Any

from isolation_fast.budgets import Budget
from isolation_fast.exceptions import HeuristicResultError, InvalidArgumentError, UnknownHeuristicError
from isolation_fast.numbers import NANS, Nan
from isolation_fast.reference.board import WORD, Board, column_major, shuffle_moves
from isolation_fast.reference.heuristics import HEURISTICS, Heuristic
from isolation_fast.reports import Move, Reason, SearchReport
from isolation_fast.text import unknown_word

METHODS = ("alphabeta", "minimax")
INFINITY = float("inf")


def search(
    board: Any,
    heuristic: str | Heuristic,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    ms: float | None = None,
    method: str = "alphabeta",
    seed: int | None = None,
    root_values: bool = False,
    nan: Nan = "refuse",
    clock: Callable[[], float] = perf_counter,
) -> SearchReport:
    """Search the best move for the side to move: `depth` alone is one search, all else deepens.

    A heuristic that returns NaN is a `HeuristicResultError`; with `nan="course"` it is compared and counted.
    `clock` returns seconds; tests hand in one of their own.

    >>> board = Board.from_text("7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1")
    >>> report = search(board, "improved", depth=5, method="minimax")
    >>> report.value, report.nodes, report.reason
    (0.0, 1650, 'depth')
    """
    budget = Budget(depth=depth, nodes=nodes, ms=ms)
    if method not in METHODS:
        raise InvalidArgumentError(unknown_word("method", str(method), METHODS))
    if nan not in NANS:
        raise InvalidArgumentError(unknown_word("nan", str(nan), NANS))
    if isinstance(heuristic, str):
        if heuristic not in HEURISTICS:
            raise UnknownHeuristicError(unknown_word("heuristic", heuristic, list(HEURISTICS)))
        heuristic = HEURISTICS[heuristic]
    if isinstance(board, Board):
        board.to_text()  # raises where somebody wrote into the board's state what is no position
        if seed is not None:
            # All of the search, the boards that the heuristic is given too, goes by the seed.
            board = board.copy()
            board._order_bits = index(seed) & WORD
    tree = _Tree(heuristic, board.active_player, budget, clock, refuses_nan=nan == "refuse")
    moves = _root_moves(board, seed)
    if not moves:
        value = tree.score(board.copy())
        return SearchReport(None, value, 0, 0, "exhausted", {} if root_values else None, tree.nans)

    def search_to(limit: int) -> list[float]:
        if method == "minimax":
            return [_minimax(tree, tree.child(board, move), limit - 1, maximizing=False) for move in moves]
        return _alphabeta_root(tree, board, moves, limit, each_alone=root_values)

    single = nodes is None and ms is None
    depths = [budget.depth] if single and budget.depth is not None else count(1)
    return _deepen(tree, moves, search_to, depths, root_values)


def self_play(board: Any, heuristic: str | Heuristic, depth: int) -> tuple[Any, list[Move]]:
    """Return the winner and the moves of a game in which both sides search alike; the board stays as it is.

    >>> self_play(Board.from_text("3x3 x2/3/3 0,0 - 2", "Ann", "Ben"), "improved", depth=3)
    ('Ben', [(1, 0), (1, 2), (2, 2), (2, 0), (0, 1)])
    """
    moves: list[Move] = []
    while True:
        move = search(board, heuristic, depth=depth).move
        if move is None:
            return board.inactive_player, moves
        moves.append(move)
        board = board.forecast_move(move)


def _deepen(
    tree: _Tree,
    moves: list[Move],
    search_to: Callable[[int], list[float]],
    depths: Iterable[int],
    root_values: bool,
) -> SearchReport:
    """Search one depth after the other until a limit, or the end of the game in every line, is reached."""
    move, value, finished = moves[0], None, 0
    values: dict[Move, float] = {}
    reason: Reason = "depth"
    for depth in depths:
        tree.was_cut = False
        try:
            found = search_to(depth)
        except _BudgetSpent as spent:
            reason = spent.reason
            break
        best, at = -INFINITY, 0
        for number, worth in enumerate(found):
            if worth > best:  # the first of equals
                best, at = worth, number
        # The sum with 0.0 makes a plain zero of -0.0.
        move, value, finished = moves[at], best + 0.0, depth
        values = {each: worth + 0.0 for each, worth in zip(moves, found, strict=False)}
        if not tree.was_cut:
            reason = "exhausted"
            break
        if depth == tree.budget.depth:
            break
    return SearchReport(move, value, finished, tree.nodes, reason, values if root_values else None, tree.nans)


def _minimax(tree: _Tree, board: Any, depth: int, *, maximizing: bool) -> float:
    """Return the value of a position for the player at the root, every line looked at."""
    if depth == 0:
        return tree.score_at_depth_0(board)
    moves = _natural_moves(board)
    if not moves:
        return tree.score(board)
    best = -INFINITY if maximizing else INFINITY
    for move in moves:
        value = _minimax(tree, tree.child(board, move), depth - 1, maximizing=not maximizing)
        if (value > best) if maximizing else (value < best):
            best = value
    return best


def _alphabeta(tree: _Tree, board: Any, depth: int, alpha: float, beta: float, sign: int) -> float:
    """Return the value of a position for its side to move, as far as it matters between `alpha` and `beta`.

    `sign` is 1 where the player at the root is to move, else -1. A value of `alpha` or less, or of `beta`
    or more, is a bound.
    """
    if depth == 0:
        return sign * tree.score_at_depth_0(board)
    moves = _natural_moves(board)
    if not moves:
        return sign * tree.score(board)
    best = -INFINITY
    for move in moves:
        value = -_alphabeta(tree, tree.child(board, move), depth - 1, -beta, -alpha, -sign)
        if value > best:
            best = value
        if best >= beta:
            break
        if best > alpha:
            alpha = best
    return best


def _alphabeta_root(
    tree: _Tree, board: Any, moves: list[Move], depth: int, *, each_alone: bool
) -> list[float]:
    """Return the value of each root move.

    Without `each_alone`, a move that cannot be the best has a bound instead, and nothing is tried after an
    infinite one.
    """
    found: list[float] = []
    alpha = -INFINITY
    for move in moves:
        floor = -INFINITY if each_alone else alpha
        value = -_alphabeta(tree, tree.child(board, move), depth - 1, -INFINITY, -floor, -1)
        found.append(value)
        if value > alpha:
            alpha = value
        # Nothing exceeds infinity: the root's `beta`.
        if alpha == INFINITY and not each_alone:
            break
    return found


class _BudgetSpent(Exception):  # noqa: N818 - it ends a search and is no error
    """The search may not generate the next node."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


class _Tree:
    """What the nodes of one search share: the heuristic, for whom it is asked, and what may be spent."""

    def __init__(
        self,
        heuristic: Heuristic,
        player: object,
        budget: Budget,
        clock: Callable[[], float],
        *,
        refuses_nan: bool,
    ) -> None:
        self.heuristic = heuristic
        self.player = player
        self.budget = budget
        self.clock = clock
        self.deadline = None if budget.ms is None else clock() + budget.ms / 1000
        self.nodes = self.nans = 0
        self.refuses_nan = refuses_nan
        # Whether depth 0 was reached where the game goes on: then a deeper search would see more.
        self.was_cut = False

    def child(self, board: Any, move: Move) -> Any:
        """Generate a node."""
        if self.nodes == self.budget.nodes:
            raise _BudgetSpent("nodes")
        if self.deadline is not None and self.clock() >= self.deadline:
            raise _BudgetSpent("time")
        self.nodes += 1
        return board.forecast_move(move)

    def score_at_depth_0(self, board: Any) -> float:
        # Before the heuristic is asked, which may change its board.
        if not self.was_cut:
            self.was_cut = bool(board.get_legal_moves())
        return self.score(board)

    def score(self, board: Any) -> float:
        """Ask the heuristic about a board that nobody else uses."""
        try:
            value: object = self.heuristic(board, self.player)
        except Exception as error:
            # What `add_note` does, which Python 3.10 does not have.
            note = f"raised by the heuristic {_name(self.heuristic)} at {_place(board)}"
            vars(error).setdefault("__notes__", []).append(note)
            raise
        if type(value) is float and value == value:
            return value
        number = _real_number(value)
        if number is None:
            raise HeuristicResultError(
                "a score is a real number that a float can hold, "
                f"and the heuristic {_name(self.heuristic)} returned {value!r} at {_place(board)}"
            )
        if number != number:
            if self.refuses_nan:
                raise HeuristicResultError(
                    "NaN is neither larger nor smaller than any score, "
                    f"and the heuristic {_name(self.heuristic)} returned {value!r} at {_place(board)}"
                )
            self.nans += 1
        return number


def _real_number(value: object) -> float | None:
    """Return the value as a float, None where it is not a real number."""
    # numpy's booleans are no numbers to Python, yet they have a float's value. Text and arrays are none,
    # but what numpy.where makes of two numbers is one: it has a `__len__` that it does not answer.
    plain = isinstance(value, Real) or not (isinstance(value, Complex) or _has_length(value))
    if not plain or not hasattr(value, "__float__"):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _has_length(value: object) -> bool:
    try:
        len(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return True


def _name(heuristic: object) -> str:
    return repr(getattr(heuristic, "__name__", heuristic))


def _place(board: Any) -> str:
    try:
        return repr(board.to_text())
    except (AttributeError, ValueError):
        # The classic board has no notation; and the heuristic may have spoilt this one.
        return f"a {type(board).__name__} without a notation"


def _natural_moves(board: Any) -> list[Move]:
    return sorted(board.get_legal_moves(), key=column_major)


def _root_moves(board: Any, seed: int | None) -> list[Move]:
    """Return the moves in the board's own order, or in that which a seed gives."""
    location = board.get_player_location(board.active_player)
    if seed is None or location is None:
        return list(board.get_legal_moves())
    moves = _natural_moves(board)
    row, column = location
    shuffle_moves(moves, index(seed) & WORD, row + column * board.height)
    return moves

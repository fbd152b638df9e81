"""What the engine says of a position: its best move, its value, and how many positions are below it."""

from array import array
from collections.abc import Callable, Iterable
from dataclasses import replace
from operator import index
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast, get_args

from isolation_fast import _native
from isolation_fast._native import Board, Heuristic
from isolation_fast.budgets import (
    LARGEST_DEPTH,
    LARGEST_NODES,
    Budget,
    SearchLimits,
    budget_or_none,
    engine_limits,
    limits_by_name,
)
from isolation_fast.compiled import Refusal, use_of, within
from isolation_fast.cost import BANDS, Cost, checked_cost, of
from isolation_fast.exceptions import (
    HeuristicResultError,
    InvalidArgumentError,
    InvalidBudgetError,
    UnknownCostError,
)
from isolation_fast.heuristics import HeuristicLike, resolve
from isolation_fast.numbers import NANS, Nan, integer
from isolation_fast.programs import Program, program_of
from isolation_fast.reports import Reason, SearchReport
from isolation_fast.text import described, unknown_word

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray
    from typing_extensions import Unpack

Method: TypeAlias = Literal["alphabeta", "minimax"]
Mode: TypeAlias = Literal["plain", "fast"]
METHODS: Final[tuple[Method, ...]] = get_args(Method)
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
WALK_LIMIT: Final = 10_000_000
"""The default number of positions that a heuristic may walk for one value."""


@limits_by_name
def search(
    board: Board,
    heuristic: HeuristicLike,
    *,
    method: Method = "alphabeta",
    mode: Mode = "plain",
    seed: int | None = None,
    root_values: bool = False,
    nan: Nan = "refuse",
    compile: bool = True,  # noqa: A002 - what it says
    **limits: "Unpack[SearchLimits]",
) -> SearchReport:
    """Search the best move for the side to move.

    `heuristic` is a registered name, a native heuristic, or any Python function `f(game, player)`. It scores
    the positions at the end of each line, always for the player to move at the root.

    The limits are `depth`, `nodes`, `ms` and `work`, one or several, or `budget=Budget(...)`, which explains
    them. Work of a function is counted by its program, or divided by `cost=`. A position without a legal move
    is no error: the report's move is None.

    No search looks more than 1024 moves ahead, which matters on boards of more cells than that: deepening
    stops there with the reason `"depth"`, and a greater `depth` alone is refused. The search ignores methods
    that a subclass of `Board` overrides: it uses the position and the rules.

    `method="minimax"` does not prune. With `mode="fast"` alpha-beta tries promising replies first and deepens
    by two: value and move at the reported depth are the same, the node count is lower and not comparable.
    `seed` replaces the order in which the board lists the root's moves, which decides between moves of equal
    value. `root_values=True` asks for the value of every root move, at the price of a full search of each.

    A Python heuristic that returns NaN is a `HeuristicResultError`. With `nan="course"` NaN is compared as by
    the course's loops, `if value > best`, so that a move to it never replaces another one, and counted.

    A Python heuristic that is asked often is compiled where it can be, which changes no result:
    `isolation_fast.compiled` says what is. `compile=False` leaves it to Python.

    >>> from isolation_fast import Board
    >>> board = Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
    >>> report = search(board, "improved", depth=3, method="minimax")
    >>> report.value, report.depth, report.nodes, report.reason
    (2.0, 3, 168, 'depth')
    >>> search(board, lambda game, player: len(game.get_legal_moves(player)), depth=3).value
    7.0
    >>> print(search(board, "improved", nodes=2000, seed=0))
    (2, 4) is worth 0 at depth 5 (2,000 nodes; out of nodes)
    >>> search(board, "improved", work=2000, cost=4.0).nodes
    500
    >>> search(board, "improved", depth=3, seed=0, root_values=True).root_values
    {(2, 4): 2.0, (0, 4): 2.0, (0, 0): -inf, (2, 0): 2.0, (3, 1): 2.0}
    """
    require_native_board("search", board)
    scorer = resolve(heuristic)
    budget = budget_or_none(**limits) or Budget()  # which says that a limit is missing
    require_choice("method", method, METHODS)
    require_choice("mode", mode, MODES)
    require_choice("nan", nan, NANS)
    if method == "minimax" and mode == "fast":
        raise InvalidArgumentError("mode='fast' is for method='alphabeta': minimax has nothing to prune")
    options: dict[str, Any] = {"method": method, "mode": mode, "seed": seed, "nan": nan, "compile": compile}
    return run_search(board, scorer, budget, root_values=root_values, **options)


def run_search(
    board: Board,
    scorer: Heuristic | Callable[[Board, Any], float],
    limits: Budget,
    *,
    method: Method = "alphabeta",
    mode: Mode = "plain",
    seed: int | None = None,
    root_values: bool = False,
    nan: Nan = "refuse",
    stops: tuple[type[BaseException], ...] = (),
    compile: bool = True,  # noqa: A002 - as `search` has it
    scale: Callable[[], float] | None = None,
    value_work: int | None = None,
) -> SearchReport:
    """Search with checked arguments.

    An exception of the heuristic that is among `stops` ends the search as a spent budget does. By `scale`
    work without a cost is spent as the search goes, and nothing is compiled; one value may take `value_work`.
    """
    spent = None
    if scale is not None:
        limits = limits if limits.cost is None else without_work(limits, scorer, board)
        spent, compile = (limits.work, scale(), value_work), False  # noqa: A001 - as above
    elif is_counted(limits, scorer):
        if method != "alphabeta" or seed is not None or root_values:
            raise InvalidArgumentError(
                "work of a function is counted in alpha-beta as players search: give cost= beside work= for "
                "method='minimax', seed= and root_values="
            )
        return _counted_search(board, program_for(scorer), limits, is_fast=mode == "fast")
    else:
        limits = without_work(limits, scorer, board)
    depth, nodes, ms = engine_limits(limits)
    used = use_of(scorer) if compile else None
    with within(None if used is None else ms) as less:
        move, value, finished, searched, reason, values, nans = _native.search(
            board,
            scorer,
            depth,
            nodes,
            ms if less is None else less,
            method == "minimax",
            mode == "fast",
            None if seed is None else seed_bits(seed),
            bool(root_values),
            nan == "refuse",
            stops or None,
            used,
            spent,
        )
    if finished == LARGEST_DEPTH and limits.depth is not None:
        finished = limits.depth
    return SearchReport(move, value, finished, searched, cast(Reason, reason), values, nans)


def is_counted(budget: Budget, scorer: HeuristicLike) -> bool:
    """Whether work is counted by the program of a function: the budget has no cost of it."""
    is_function = not isinstance(scorer, (str, Heuristic))
    return is_function and budget.work is not None and budget.cost is None


def program_for(scorer: HeuristicLike) -> Program:
    """The program by which a function's work is counted; an `UnknownCostError` where it has none."""
    assert not isinstance(scorer, (str, Heuristic))
    try:
        return program_of(scorer)
    except Refusal as refusal:
        called = getattr(scorer, "__qualname__", None) or repr(scorer)
        raise UnknownCostError(
            f"the cost of {called} is not known, and its work cannot be counted: {refusal}; give it as cost= "
            "beside work=, or a budget of nodes=, depth= or ms="
        ) from None


def _counted_search(board: Board, program: Program, limits: Budget, *, is_fast: bool) -> SearchReport:
    depth, nodes, ms = engine_limits(limits)
    assert limits.work is not None
    work = min(limits.work, LARGEST_NODES)
    chosen, missing = _native.NativePlayer.counted(program, work, depth, nodes, ms, is_fast, None).choose(
        board
    )
    if chosen is None:
        position, player, _ = missing or ("", 0, False)
        raise HeuristicResultError(
            f"its program has no value for player {player} on {position}: give cost= beside work=, and "
            "Python is asked"
        )
    move, value, finished, searched, _, reason = chosen
    return SearchReport(move, value, finished, searched, cast(Reason, reason))


def perft(board: Board, depth: int) -> int:
    """Count the lines of exactly that many moves: the classic test of a move generator.

    >>> from isolation_fast import Board
    >>> perft(Board(width=3, height=3), 2)
    72
    """
    require_native_board("perft", board)
    return _native.perft(board, min(integer("depth", depth, 0, error=InvalidBudgetError), LARGEST_DEPTH))


def evaluate(
    board: Board, heuristic: HeuristicLike, player: object | None = None, *, nodes: int = WALK_LIMIT
) -> float:
    """The value of a board for one of its players, by default the one to move.

    `heuristic` is a registered name, a native heuristic, or any Python function `f(game, player)`. A
    heuristic that walks the tree of play below the board may walk `nodes` positions; a larger tree raises a
    `WalkTooLongError`. Ctrl-C ends a walk.

    >>> from isolation_fast import Board
    >>> board = Board.from_text("5x5 1x3/5/2x2/x4/5 2,2 3,0 1")
    >>> evaluate(board, "space"), evaluate(board, "space", "player 2")
    (8.0, 5.0)
    >>> evaluate(board, "continuations", nodes=1000)
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.WalkTooLongError: continuations has more than 1000 positions to walk below ...
    """
    require_native_board("evaluate", board)
    scorer = resolve(heuristic)
    return _native.evaluate(board, scorer, player, _walked(nodes))


def evaluate_many(
    boards: Iterable[Board | str],
    heuristic: HeuristicLike,
    *,
    player: object | None = None,
    nodes: int = WALK_LIMIT,
    compile: bool = True,  # noqa: A002 - as `search` has it
) -> "NDArray[numpy.float64] | list[float]":
    """The values of many boards, as `evaluate` gives them: an array if numpy is installed, else a list.

    A board may also be a text in the notation of `Board.to_text`; its players are "player 1" and "player 2".
    `player` must be one of every board's players; by default each value is for the player to move. `nodes`
    is for each board. Native heuristics let other threads run meanwhile, and so do compiled ones. A Python
    function that is asked often is compiled where it can be, unless with `compile=False`.

    >>> texts = ["5x5 1x3/5/2x2/x4/5 2,2 3,0 1", "3x3 1x1/1x1/2x 0,1 2,2 1"]
    >>> [float(value) for value in evaluate_many(texts, "open")]
    [6.0, 1.0]
    >>> [float(value) for value in evaluate_many(texts, "continuations_difference", player="player 2")]
    [3082.0, 1.0]
    """
    if isinstance(boards, (str, Board)):
        raise TypeError(f"evaluate_many takes several boards, such as a list, not {described(boards)}")
    scorer, most = resolve(heuristic), _walked(nodes)
    if isinstance(scorer, Heuristic):
        values = _native.evaluate_many(boards, scorer, player, most)
    else:
        values = _native.evaluate_many_in_python(boards, scorer, player, use_of(scorer) if compile else None)
    try:
        import numpy
    except ImportError:
        return array("d", bytes(values)).tolist()
    return numpy.frombuffer(values)


def _walked(nodes: int) -> int:
    return min(integer("nodes", nodes, 1, error=InvalidBudgetError), LARGEST_NODES)


def without_work(budget: Budget, scorer: HeuristicLike, board: Board) -> Budget:
    """The budget for a search of this board, with nodes in the place of work."""
    if budget.work is None:
        return budget
    cost = cost_within(budget, scorer).at(len(Board.get_blank_spaces(board)), board.width * board.height)
    return _with_nodes(budget, affordable_nodes(budget.work, cost))


def agent_limits(
    budget: Budget, scorer: HeuristicLike
) -> tuple[int | None, int | None, float | None, list[tuple[float, int]]]:
    """The engine's limits of a player, which searches many boards, and its nodes for each band of them.

    >>> agent_limits(Budget(work=2000, cost=4.0), "any")
    (None, 500, None, [])
    """
    if budget.work is None:
        return *engine_limits(budget), []
    cost = cost_within(budget, scorer)
    nodes = [affordable_nodes(budget.work, each) for each in cost.bands or (cost.value,)]
    limits = engine_limits(_with_nodes(budget, max(nodes)))
    return *limits, list(zip(BANDS, nodes, strict=True)) if cost.bands else []


def cost_within(budget: Budget, scorer: HeuristicLike) -> Cost:
    """The budget's cost of a node, else that of the table; an `UnknownCostError` if there is neither."""
    return of(scorer) if budget.cost is None else checked_cost(budget.cost)


def affordable_nodes(work: int, cost: float) -> int:
    """The number of nodes, at least 1, that cost as much as `work` nodes with `improved`.

    >>> affordable_nodes(2000, 5.2), affordable_nodes(1, 50.0)
    (385, 1)
    """
    return max(1, min(round(min(min(work, LARGEST_NODES) / cost, LARGEST_NODES)), LARGEST_NODES))


def _with_nodes(budget: Budget, nodes: int) -> Budget:
    fewest = nodes if budget.nodes is None else min(budget.nodes, nodes)
    return replace(budget, nodes=fewest, work=None, cost=None)


def require_choice(what: str, word: object, allowed: tuple[str, ...]) -> None:
    """Refuse a word that is not allowed, and name the one that was probably meant."""
    if not isinstance(word, str):
        raise InvalidArgumentError(f"{what} must be one of {', '.join(map(repr, allowed))}, not {word!r}")
    if word not in allowed:
        raise InvalidArgumentError(unknown_word(what, word, allowed))


def seed_bits(seed: int) -> int:
    """Any integer as the 64 bits that the engine takes as a seed."""
    try:
        return index(seed) % 2**64
    except TypeError:
        raise TypeError(f"seed must be an integer, not {seed!r}") from None


def require_native_board(function: str, board: object) -> None:
    """Refuse any other board, such as a reference board."""
    if not isinstance(board, Board):
        raise TypeError(f"{function} takes an isolation_fast.Board, not {described(board)}")

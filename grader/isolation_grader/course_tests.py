"""What the course's own checker tests of a submission's players and heuristics, for both layouts of its code.

| layout | classes | who tested |
|---|---|---|
| `v1` | `CustomPlayer` | tests that came with the course's code until April 2017 |
| `v2` | `MinimaxPlayer`, `AlphaBetaPlayer` | a service, whose list of tests students have quoted |

Positions, and the values of leaves, are drawn: what a search should answer is computed here, by a walk of the
whole tree. Counts of children are what the submission's process says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any, Final, Literal, Protocol, TypeAlias

from isolation_fast import Board
from isolation_fast.jail import Call, Called, Fault, leaf_value
from isolation_grader.report import Document

Function: TypeAlias = Literal["minimax", "alphabeta"]
Move: TypeAlias = tuple[int, int]

PLAYERS: Final[Mapping[str, Mapping[Function, str]]] = {
    "v1": {"minimax": "CustomPlayer", "alphabeta": "CustomPlayer"},
    "v2": {"minimax": "MinimaxPlayer", "alphabeta": "AlphaBetaPlayer"},
}
"""The class whose method each search is."""
TIMEOUTS: Final = {"v1": "Timeout", "v2": "SearchTimeout"}

CHILDREN: Final = ((8, 8), (24, 10), (92, 27), (418, 32), (1650, 43))
"""Of minimax on 7 by 7, at depths 1 to 5: how many are made, and how many different cells they go to."""
CHILDREN_CUT: Final = ((8, 8), (17, 10), (74, 42), (139, 51), (540, 119))
"""Of alpha-beta on 101 by 101, where the first move from the root is worth 1, and all others 0."""
DEEPENED: Final[Sequence[tuple[Move, int, int]]] = (
    ((2, 3), 8, 8),
    ((6, 6), 32, 10),
    ((7, 4), 160, 39),
    ((4, 2), 603, 35),
    ((0, 5), 1861, 54),
    ((10, 10), 3912, 62),
)
"""Of iterative deepening with minimax on 11 by 11: where the player stands, and the counts at its end."""

DRAWN: Final = 6
"""Positions of each search."""
DEPTHS: Final = (1, 2, 3)
SEARCHES: Final = 5
"""After so many searches the time of a deepening player ends."""
IN_TIME: Final = 60
"""Children after which the clock runs out in the middle of a search."""
TOO_DEEP: Final = 12
"""A depth that the search does not reach by then."""
LATE: Final = 16
"""Leaves that a search may value afterwards: some look at the clock once a node. In the course 10 ms are left
then, in which it values hundreds."""
TURN: Final = 5000
"""Children after which a turn of a player that deepens is over."""
MOST_FAILURES: Final = 2
"""Of each check: the first ones show what is wrong."""


@dataclass(frozen=True, slots=True)
class Failure(Document):
    """What a submission was asked for, at which position, what was expected, and what came."""

    JSON = "call position board_state expected came trace"

    call: str
    expected: str
    came: str
    position: str | None = None
    """None where no position matters."""
    trace: tuple[str, ...] = ()

    @property
    def board_state(self) -> list[Any] | None:
        """The list to paste: `game._board_state = ...` of a board of that size."""
        return None if self.position is None else list(Board.from_text(self.position)._board_state)


class Asking(Protocol):
    """Calls a submission in a process of its own."""

    def __call__(self, call: Call) -> Called:
        """What came; or a `Fault`."""


@dataclass(frozen=True, slots=True)
class Tested:
    """What the tests need of a submission."""

    layout: str
    ask: Asking
    seed: int


@dataclass(frozen=True, slots=True)
class CourseTest:
    """A test by its name, in a few words, and what it yields: a `Failure` for each thing that is wrong."""

    name: str
    about: str
    member: str
    """The class or heuristic that it needs."""
    run: Callable[[Tested], Iterator[Failure]] | None
    """None where full games are played."""


def tests_of(layout: str, heuristics: Sequence[str]) -> Iterator[CourseTest]:
    """The tests of a layout, in the order of the course; `heuristics` are those that it asks for.

    >>> [each.name for each in tests_of("v1", ["custom_score"])][:3]
    ['minimax interface', 'minimax', 'minimax timeout']
    """
    timeout = TIMEOUTS[layout]
    functions: tuple[Function, ...] = ("minimax", "alphabeta")
    for function in functions:
        member = PLAYERS[layout][function]
        returns = "a pair of a float and a move" if layout == "v1" else "a legal move"
        yield CourseTest(
            f"{function} interface", f"it returns {returns}", member, partial(_interface, function=function)
        )
        yield CourseTest(
            function, "moves, values and node counts", member, partial(_function, function=function)
        )
        ends = f"{timeout} is raised once the time is over"
        yield CourseTest(f"{function} timeout", ends, member, partial(_timeout, function=function))
    deepens = PLAYERS[layout]["alphabeta"]
    yield CourseTest("get_move interface", "get_move returns a legal move", deepens, _get_move)
    deepening = _deepening_counts if layout == "v1" else _deepening_depths
    yield CourseTest("iterative deepening", "depth after depth until the time is over", deepens, deepening)
    for member in dict.fromkeys(PLAYERS[layout].values()):
        yield CourseTest(f"{member} games", "full games without a fault", member, None)
    for name in heuristics:
        yield CourseTest(name, "it returns a float", name, partial(_heuristic, member=name))


# ---- what is right


@dataclass(frozen=True, slots=True)
class Right:
    """What a search of the whole tree finds: the value of each move, and the children it makes."""

    values: Mapping[Move, float]
    children: int
    has_end: bool
    """Whether a game ends within the tree: then the course leaves open what a leaf is."""

    @property
    def value(self) -> float:
        """Of the best move."""
        return max(self.values.values())

    @property
    def best(self) -> list[Move]:
        """Every move that is worth as much."""
        return sorted(move for move, value in self.values.items() if value == self.value)


def right(position: str, depth: int, seed: int) -> Right:
    """Walk the whole tree below a position, for the player to move.

    >>> found = right("3x3 x1x/3/3 0,0 0,2 1", 1, seed=5)
    >>> found.children, found.has_end, len(found.values)
    (2, False, 2)
    """
    board = Board.from_text(position)
    me, other = board.active_player, board.inactive_player
    children, has_end = 0, False

    def value(game: Board, left: int) -> float:
        nonlocal children, has_end
        if left == 0:
            has_end = has_end or not game.get_legal_moves()
            own, its = game.get_player_location(me), game.get_player_location(other)
            return leaf_value(seed, own or (-1, -1), its or (-1, -1))
        moves = game.get_legal_moves()
        children += len(moves)
        has_end = has_end or not moves
        values = [value(game.forecast_move(move), left - 1) for move in moves] or [0.0]
        return max(values) if game.active_player == me else min(values)

    moves = board.get_legal_moves()
    values = {move: value(board.forecast_move(move), depth - 1) for move in moves}
    return Right(values, children + len(moves), has_end or not moves)


def standing(own: Move, other: Move, size: int) -> str:
    """A position after two moves on a square board, player 1 to move."""
    board = Board(width=size, height=size)
    board.apply_move(own)
    board.apply_move(other)
    return board.to_text()


def drawn(chance: Random, depth: int, seed: int, sizes: Sequence[int] = (7, 9)) -> tuple[str, Right]:
    """A position of a game between players who draw their moves, and what is right there.

    No game ends within the depth, and not every move is right.
    """
    while True:
        size = chance.choice(sizes)
        board = Board(width=size, height=size)
        for _ in range(2 * chance.randint(1, 7)):
            if not (moves := sorted(board.get_legal_moves())):
                break
            board.apply_move(chance.choice(moves))
        position = board.to_text()
        found = right(position, depth, seed)
        if not found.has_end and len(found.best) < len(found.values):
            return position, found


# ---- the tests


def _interface(tested: Tested, function: Function) -> Iterator[Failure]:
    if tested.layout == "v1":
        # The first layout's test asks about the boards after a move, for a player who is not to move.
        board = Board.from_text(standing((5, 3), (0, 0), 7))
        moves = sorted(board.get_legal_moves())
        for position in (board.forecast_move(move).to_text() for move in moves):
            yield from _asked(tested, function, position, 1, "a float with a move", _float_of)
    for chance in (Random(f"{tested.seed} {number}") for number in range(DRAWN)):
        position, found = drawn(chance, 1, tested.seed)
        legal = sorted(found.values)
        yield from _asked(tested, function, position, 1, f"one of {legal}", partial(_move_in, legal))


def _function(tested: Tested, function: Function) -> Iterator[Failure]:
    """On the course's boards with its counts, then on drawn ones."""
    for depth, (counts, counts_cut) in enumerate(zip(CHILDREN, CHILDREN_CUT, strict=True), start=1):
        if function == "minimax":
            position = standing((2, 3), (0, 0), 7)
            yield from _searched(
                tested, function, position, depth, right(position, depth, tested.seed), counts
            )
        else:
            position = standing((50, 50), (0, 0), 101)
            told = f"the move that it tries first, of value 1, and all others of 0; {_counted(*counts_cut)}"
            wanted = partial(_first, counts_cut)
            yield from _asked(tested, function, position, depth, told, wanted, values="first branch")
    for depth in DEPTHS:
        for number in range(DRAWN):
            position, best = drawn(Random(f"{tested.seed} {depth} {number}"), depth, tested.seed)
            yield from _searched(tested, function, position, depth, best)


def _searched(
    tested: Tested,
    function: Function,
    position: str,
    depth: int,
    best: Right,
    counts: tuple[int, int] | None = None,
) -> Iterator[Failure]:
    """A search with the values of cells: its move, its value where it returns one, and its children."""
    children = _counted(*counts) if counts else f"{best.children} children"
    if function == "alphabeta":
        children = f"at most {children}, all there are"
    told = f"{_one_of(best.best)}, whose value is {best.value}; {children}"

    def wrong(called: Called) -> str | None:
        if called.cell not in best.best:
            worth = None if called.cell is None else best.values.get(called.cell)
            return _returned(called) + ("" if worth is None else f"; the value of that move is {worth}")
        if tested.layout == "v1" and called.value != best.value:
            return _returned(called)
        cells = called.cells if counts is None else counts[1]
        fits = called.nodes == best.children and called.cells == cells
        if fits or (function == "alphabeta" and called.nodes <= best.children):
            return None
        return _counted(called.nodes, called.cells)

    yield from _asked(tested, function, position, depth, told, wrong)


def _timeout(tested: Tested, function: Function) -> Iterator[Failure]:
    name = TIMEOUTS[tested.layout]
    position, _ = drawn(Random(f"{tested.seed} timeout"), 3, tested.seed)
    told = f"{name} at once, and no leaf valued: there is no time left from the beginning"
    yield from _asked(tested, function, position, 3, told, _in_time, expires=0)
    position = standing((4, 4), (0, 0), 9)
    told = f"{name} within {LATE} more leaves: the time ends at a leaf, after {IN_TIME} children"
    yield from _asked(tested, function, position, TOO_DEEP, told, _in_time, expires=IN_TIME)


def _get_move(tested: Tested) -> Iterator[Failure]:
    """At the beginning of a game, as both players, and later."""
    empty = Board(width=9, height=9)
    one = empty.forecast_move((2, 7))
    two = one.forecast_move((0, 0))
    # A player of the later layout deepens until its time is over.
    fields: dict[str, Any] = {"expires": TURN} if tested.layout == "v2" else {}
    for board, side in ((empty, 0), (one, 1), (two, 0)):
        legal = sorted(board.get_legal_moves())
        told = "a blank cell" if len(legal) > 8 else f"one of {legal}"
        wanted = partial(_move_in, legal)
        yield from _asked(tested, "get_move", board.to_text(), 1, told, wanted, side=side, **fields)


def _deepening_counts(tested: Tested) -> Iterator[Failure]:
    for own, nodes, cells in DEEPENED:
        position = standing(own, (0, 0), 11)
        legal = sorted(Board.from_text(position).get_legal_moves())
        fields: dict[str, Any] = {"expires": nodes, "iterative": True}
        counted = (
            f"{_counted(nodes, cells)}, give or take a child, when the time ends, and no leaf valued later"
        )
        told = f"one of {legal}; {counted}"
        yield from _asked(
            tested, "get_move", position, -1, told, partial(_deepened, legal, nodes, cells), **fields
        )


def _deepening_depths(tested: Tested) -> Iterator[Failure]:
    position = standing((4, 4), (0, 0), 9)
    legal = sorted(Board.from_text(position).get_legal_moves())
    last = legal[SEARCHES - 2]
    told = (
        f"self.alphabeta called with {SEARCHES} depths, each 1 more than the one before, until it raises "
        f"{TIMEOUTS[tested.layout]}; and {last}, which the last one returned that ended"
    )
    yield from _asked(tested, "get_move", position, 3, told, partial(_deepened_to, last), searches=SEARCHES)


def _heuristic(tested: Tested, member: str) -> Iterator[Failure]:
    course = standing((0, 0), (1, 1), 7)
    # Many heuristics are written for the board of the course's games alone.
    chances = (Random(f"{tested.seed} score {number}") for number in range(DRAWN))
    some = (drawn(chance, 1, tested.seed, sizes=(7,))[0] for chance in chances)
    for position in (course, *some):
        for side in (0, 1):
            yield from _asked(tested, "score", position, 0, "a float", _is_float, side=side, member=member)


# ---- one call


def _asked(
    tested: Tested,
    function: Literal["minimax", "alphabeta", "get_move", "score"],
    position: str,
    depth: int,
    told: str,
    wrong: Callable[[Called], str | None],
    **fields: Any,
) -> Iterator[Failure]:
    """A failure where the call ends by a fault, or `wrong` says what is wrong with what came."""
    fields = {"side": 0, "seed": tested.seed, **fields}
    if function != "score":
        method: Function = "alphabeta" if function == "alphabeta" else "minimax"
        at = "alphabeta" if tested.layout == "v2" and function == "get_move" else method
        fields |= {"member": PLAYERS[tested.layout][at], "method": method}
    call = Call(function=function, position=position, depth=depth, **fields)
    trace: tuple[str, ...] = ()
    try:
        came = wrong(tested.ask(call))
    except Fault as fault:
        came, trace = f"{fault.ending}: {fault.detail}", tuple(fault.trace.splitlines())
    if came is not None:
        yield Failure(_in_python(tested.layout, call), told, came, position, trace)


def _in_python(layout: str, call: Call) -> str:
    """The call as a student would write it."""
    if call.function == "score":
        return f"{call.member}(game, {'player_2' if call.side else 'player_1'})"
    made = f"{call.depth}, score"
    if layout == "v1":
        made += f", {call.iterative}, {call.method!r}"
    asked = f"game, {call.depth}"
    if call.function == "get_move":
        asked = "game, legal_moves, time_left" if layout == "v1" else "game, time_left"
    return f"{call.member}({made}).{call.function}({asked})"


def _one_of(moves: Sequence[Move]) -> str:
    return str(moves[0]) if len(moves) == 1 else f"one of {list(moves)}"


def _counted(nodes: int, cells: int) -> str:
    return f"{nodes} children on {cells} different cells"


def _returned(called: Called) -> str:
    return "it raised its own exception for spent time" if called.timed_out else f"it returned {called.shown}"


def _move_in(legal: Sequence[Move], called: Called) -> str | None:
    return None if called.cell in legal else _returned(called)


def _float_of(called: Called) -> str | None:
    if called.has_value and called.is_float:
        return None
    return f"{_returned(called)}{f', whose value is of type {called.type}' if called.type else ''}"


def _is_float(called: Called) -> str | None:
    return None if called.is_float else f"{_returned(called)}, of type {called.type}"


def _first(counts: tuple[int, int], called: Called) -> str | None:
    if called.cell is None or called.first != (called.cell,):
        return _returned(called)
    return None if (called.nodes, called.cells) == counts else _counted(called.nodes, called.cells)


def _in_time(called: Called) -> str | None:
    if not called.timed_out:
        return _returned(called)
    return f"it was raised after {called.late} more leaves" if called.late > LATE else None


def _deepened(legal: Sequence[Move], nodes: int, cells: int, called: Called) -> str | None:
    if called.cell not in legal:
        return _returned(called)
    if abs(called.nodes - nodes) <= 1 and called.cells == cells and not called.late:
        return None
    late = f", and {called.late} leaves valued later" if called.late else ""
    return f"{_counted(called.nodes, called.cells)}{late}"


def _deepened_to(last: Move, called: Called) -> str | None:
    depths = called.depths
    sequential = all(after == before + 1 for before, after in pairwise(depths))
    if len(depths) == SEARCHES and sequential and called.cell == last:
        return None
    return f"depths {', '.join(map(str, depths)) or 'none'}; {_returned(called)}"

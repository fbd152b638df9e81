# ruff: noqa: ARG002, T201
# Not every player looks at the clock, and a HumanPlayer talks in the terminal.
"""Ready-made players, with the `get_move(game, time_left)` of the classic course code.

All of them play on any board that the course code plays on: `isolation_fast.Board` and its subclasses, the
reference board, and the classic `isolation.Board` itself. Those that search do so natively in every case.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from math import isinf
from typing import Any, Final, Protocol

from isolation_fast._native import Board, Heuristic, NativePlayer
from isolation_fast.budgets import Budget, budget_or_none
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.heuristics import HeuristicLike, resolve
from isolation_fast.reports import Move, SearchReport
from isolation_fast.searching import (
    MODES,
    Method,
    Mode,
    engine_limits,
    require_choice,
    search,
    seed_bits,
)

__all__ = ["AlphaBetaPlayer", "GreedyPlayer", "HumanPlayer", "MinimaxPlayer", "Player", "RandomPlayer"]

NO_MOVE: Final = (-1, -1)
"""What the classic players answer where there is no legal move."""

CLASSIC_TIME_LIMIT: Final = 150.0
"""Milliseconds a turn, as the course plays; also taken where a turn has no limit at all."""


class Player(Protocol):
    """Whatever can be asked for a move in the classic way."""

    def get_move(self, game: Any, time_left: Callable[[], float], /) -> Any:
        """Answer a (row, column) from `game.get_legal_moves()` before `time_left()` is below 0."""


class RandomPlayer:
    """Answers any legal move, each with the same chance.

    It draws from Python's `random`, so `random.seed` repeats its games; with `seed=` it has its own stream.

    >>> from isolation_fast import Board
    >>> RandomPlayer(seed=1).get_move(Board(), lambda: 150.0) in Board().get_legal_moves()
    True
    """

    def __init__(self, *, seed: int | None = None) -> None:
        self.seed = seed
        self._stream = None if seed is None else random.Random(seed_bits(seed))

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """A random legal move, `(-1, -1)` where there is none."""
        legal_moves: list[Move] = game.get_legal_moves()
        if not legal_moves:
            return NO_MOVE
        return random.choice(legal_moves) if self._stream is None else self._stream.choice(legal_moves)

    def __repr__(self) -> str:
        return "RandomPlayer()" if self.seed is None else f"RandomPlayer(seed={self.seed!r})"

    def _native_form(self, time_limit: float) -> NativePlayer | None:
        return NativePlayer.random() if self.seed is None else None


class _ScoringPlayer:
    """What the players with a heuristic share.

    `score`, `time_left` and `timeout` bear the classic names, because heuristics of the course read them from
    the player that they are given.
    """

    def __init__(self, heuristic: HeuristicLike, default: str, score_fn: HeuristicLike | None) -> None:
        if score_fn is not None:
            if heuristic != default:
                raise InvalidArgumentError("score_fn= is the classic name of heuristic=: give one of them")
            heuristic = score_fn
        self.score = resolve(heuristic)
        self.time_left: Callable[[], float] | None = None
        self.report: SearchReport | None = None
        self.searched_nodes = 0

    def __getstate__(self) -> dict[str, Any]:
        # The clock of a turn that is over is of no use elsewhere, and most clocks cannot be pickled.
        return {**vars(self), "time_left": None}

    def _search(self, game: Any, **options: Any) -> SearchReport:
        board, order_bits = _native_board(game)
        options.setdefault("seed", None)
        if options["seed"] is None:
            options["seed"] = order_bits
        self.report = search(board, self.score, **options)
        self.searched_nodes += self.report.nodes
        return self.report

    def _shown_heuristic(self) -> str:
        if isinstance(self.score, Heuristic):
            return repr(self.score.name)
        return str(getattr(self.score, "__qualname__", None) or repr(self.score))


class GreedyPlayer(_ScoringPlayer):
    """Answers the move after which the heuristic is highest; of equal ones the larger (row, column).

    `score_fn` is the classic name of `heuristic`. `report` holds the search behind the last move, and
    `searched_nodes` the number of positions looked at so far.

    >>> from isolation_fast import Board
    >>> board = Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
    >>> GreedyPlayer().get_move(board, lambda: 150.0)
    (2, 4)
    """

    def __init__(self, heuristic: HeuristicLike = "open", *, score_fn: HeuristicLike | None = None) -> None:
        super().__init__(heuristic, "open", score_fn)

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """The move that looks best at once, `(-1, -1)` where there is none."""
        self.time_left = time_left
        values = self._search(game, depth=1, root_values=True).root_values
        if not values:
            return NO_MOVE
        return max(values, key=lambda move: (values[move], move))

    def __repr__(self) -> str:
        return f"GreedyPlayer({self._shown_heuristic()})"

    def _native_form(self, time_limit: float) -> NativePlayer | None:
        return NativePlayer.greedy(self.score) if isinstance(self.score, Heuristic) else None


class _SearchingPlayer(_ScoringPlayer):
    """What the two players that look ahead share: a budget, or what the clock leaves."""

    _method: Method
    mode: Mode = "plain"

    def __init__(
        self,
        heuristic: HeuristicLike,
        score_fn: HeuristicLike | None,
        budget: Budget | None,
        seed: int | None,
        timeout: float,
    ) -> None:
        super().__init__(heuristic, "improved", score_fn)
        self.budget = budget
        self.seed = None if seed is None else seed_bits(seed)
        self.timeout = self.TIMER_THRESHOLD = timeout

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """The best move found, `(-1, -1)` where there is none, the first legal one where no time is left."""
        self.time_left = time_left
        limits = self._turn_limits(time_left)
        if limits is None:
            legal_moves: list[Move] = game.get_legal_moves()
            return legal_moves[0] if legal_moves else NO_MOVE
        report = self._search(game, budget=limits, method=self._method, mode=self.mode, seed=self.seed)
        return NO_MOVE if report.move is None else report.move

    def _turn_limits(self, time_left: Callable[[], float]) -> Budget | None:
        """The budget of this turn, None where no time is left for any.

        Depth and nodes mean just that, whatever the clock says: so they give the same move every time.
        """
        if self.budget is not None and self.budget.ms is None:
            return self.budget
        left = time_left() - self.timeout
        if self.budget is not None and self.budget.ms is not None:
            return replace(self.budget, ms=min(self.budget.ms, left)) if left > 0 else None
        if isinf(left):
            left = CLASSIC_TIME_LIMIT - self.timeout
        return Budget(ms=left) if left > 0 else None

    def __repr__(self) -> str:
        shown = [self._shown_heuristic()]
        if self.budget is not None:
            shown.append(repr(self.budget).removeprefix("Budget(").removesuffix(")"))
        if self.mode != "plain":
            shown.append(f"mode={self.mode!r}")
        if self.seed is not None:
            shown.append(f"seed={self.seed}")
        if self.timeout != DEFAULT_MARGIN:
            shown.append(f"timeout={self.timeout!r}")
        return f"{type(self).__name__}({', '.join(shown)})"


DEFAULT_MARGIN: Final = 10.0
"""Milliseconds that a player leaves on the clock, as the course's players do."""


class MinimaxPlayer(_SearchingPlayer):
    """Searches without pruning, three moves deep unless told otherwise.

    `score_fn` is the classic name of `heuristic`. `seed` replaces the board's order of the root's moves,
    which decides between moves of equal value. `timeout` is the margin in milliseconds that a budget with
    `ms` leaves on the turn's clock. `report` holds the last search, `searched_nodes` the number of positions
    searched so far.

    >>> from isolation_fast import Board
    >>> board = Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
    >>> player = MinimaxPlayer("improved", depth=2, seed=0)
    >>> move = player.get_move(board, lambda: 150.0)
    >>> player.report.depth, player.report.nodes
    (2, 40)
    """

    _method = "minimax"

    def __init__(
        self,
        heuristic: HeuristicLike = "improved",
        *,
        depth: int | None = None,
        nodes: int | None = None,
        ms: float | None = None,
        budget: Budget | None = None,
        seed: int | None = None,
        score_fn: HeuristicLike | None = None,
        timeout: float = DEFAULT_MARGIN,
    ) -> None:
        limits = budget_or_none(depth, nodes, ms, budget) or Budget(depth=3)
        super().__init__(heuristic, score_fn, limits, seed, timeout)

    def _native_form(self, time_limit: float) -> NativePlayer | None:
        limits = self.budget
        if self.seed is not None or not isinstance(self.score, Heuristic):
            return None
        depth, nodes, ms = (None, None, None) if limits is None else engine_limits(limits)
        if depth is None or nodes is not None or ms is not None:
            return None  # the engine's minimax player knows a depth only
        return NativePlayer.minimax(self.score, depth)


class AlphaBetaPlayer(_SearchingPlayer):
    """Searches with pruning, as far as its budget goes; without one, as long as the turn's clock allows.

    A player without a budget deepens until `time_left()` less a margin of `timeout` milliseconds is used, and
    one with `ms=` until the smaller of the two. `depth` and `nodes` do not look at the clock, so they give
    the same move every time. `mode="fast"` tries promising replies first; `seed` replaces the board's order
    of the root's moves, which decides between moves of equal value. `score_fn` is the classic name of
    `heuristic`. `report` holds the last search, `searched_nodes` the number of positions searched so far.

    >>> from isolation_fast import Board
    >>> board = Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
    >>> player = AlphaBetaPlayer("improved", nodes=500)
    >>> move = player.get_move(board, lambda: 150.0)
    >>> player.report.nodes, player.report.reason
    (500, 'nodes')
    """

    _method = "alphabeta"

    def __init__(
        self,
        heuristic: HeuristicLike = "improved",
        *,
        depth: int | None = None,
        nodes: int | None = None,
        ms: float | None = None,
        budget: Budget | None = None,
        mode: Mode = "plain",
        seed: int | None = None,
        score_fn: HeuristicLike | None = None,
        timeout: float = DEFAULT_MARGIN,
    ) -> None:
        require_choice("mode", mode, MODES)
        super().__init__(heuristic, score_fn, budget_or_none(depth, nodes, ms, budget), seed, timeout)
        self.mode = mode

    def _native_form(self, time_limit: float) -> NativePlayer | None:
        limits = self._turn_limits(lambda: time_limit)
        if limits is None or self.seed is not None or not isinstance(self.score, Heuristic):
            return None
        return NativePlayer.alphabeta(self.score, *engine_limits(limits), self.mode)


class HumanPlayer:
    """Shows the board and the numbered moves in the terminal, and answers what the person there chooses.

    In `play_game` no turn of such a game has a time limit; `Board.play` wants one that a person can keep.
    The end of the input (Ctrl-D) gives the game up.

    >>> from isolation_fast import Board
    >>> HumanPlayer().get_move(Board.from_text("1x1 x - - 1"), lambda: 150.0)
    (-1, -1)
    """

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """The move that was chosen; `(-1, -1)` where there is none, or when the game is given up."""
        legal_moves: list[Move] = game.get_legal_moves()
        if not legal_moves:
            return NO_MOVE
        print(game.to_string())
        print("\t".join(f"[{number}] {move}" for number, move in enumerate(legal_moves)))
        while True:
            try:
                answer = input("Select move index:")
            except EOFError:
                print("\nNo more input: the game is given up.")
                return NO_MOVE
            try:
                number = int(answer)
            except ValueError:
                print("Invalid index! Try again.")
                continue
            if 0 <= number < len(legal_moves):
                return legal_moves[number]
            print("Illegal move! Try again.")

    def __repr__(self) -> str:
        return "HumanPlayer()"


def native_form(player: object, time_limit: float) -> NativePlayer | None:
    """What the engine needs to play this player's side itself; None if that takes Python.

    Only for exactly these classes: a subclass, or one whose `get_move` was replaced, is asked in Python.
    """
    ours = (RandomPlayer, GreedyPlayer, MinimaxPlayer, AlphaBetaPlayer)
    if isinstance(player, ours) and type(player) in ours and "get_move" not in vars(player):
        return player._native_form(time_limit)
    return None


def _native_board(game: Any) -> tuple[Board, int | None]:
    """The board as the engine searches it, with the bits that order the root's moves if they are not its own.

    The classic board and the reference board keep their state in the same list, which is all it takes.
    """
    if isinstance(game, Board):
        return game, None
    try:
        twin = Board(game._player_1, game._player_2, width=game.width, height=game.height)
        twin._active_player, twin._inactive_player = game._active_player, game._inactive_player
        twin.move_count = game.move_count
        twin._board_state = list(game._board_state)
    except AttributeError as missing:
        raise TypeError(f"a player needs a board with the classic attributes: {missing}") from missing
    return twin, getattr(game, "_order_bits", None)

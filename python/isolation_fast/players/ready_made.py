# ruff: noqa: ARG002, T201
# Not every player looks at the clock, and one talks in the terminal.
"""Ready-made players, with the `get_move(game, time_left)` of the classic course code.

All of them play on any board that the course code plays on: `isolation_fast.Board` and its subclasses, the
reference board, and the classic `isolation.Board` itself. Those that search do so natively in every case.
"""

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

from isolation_fast._native import Heuristic, NativePlayer
from isolation_fast.board.turns import chosen_in_terminal, counting
from isolation_fast.budgets import Budget, SearchLimits, budget_or_none, engine_limits, limits_by_name
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.heuristics import HeuristicLike
from isolation_fast.numbers import Nan
from isolation_fast.players.bases import (
    DEFAULT_MARGIN,
    ReadyMadePlayer,
    ScoringPlayer,
    SearchingPlayer,
    has_no_clock,
)
from isolation_fast.reports import NO_MOVE, Move
from isolation_fast.searching import MODES, Mode, agent_limits, require_choice, seed_bits

if TYPE_CHECKING:
    from typing_extensions import TypeIs, Unpack


class Player(Protocol):
    """Any object that can be asked for a move in the classic way."""

    def get_move(self, game: Any, time_left: Callable[[], float], /) -> Any:
        """Answer a (row, column) from `game.get_legal_moves()` before `time_left()` is below 0."""


class RandomPlayer(ReadyMadePlayer):
    """Answers any legal move, each with the same chance.

    It draws from Python's `random`, so `random.seed` repeats its games; with `seed=` it has its own stream.

    >>> from isolation_fast import Board
    >>> RandomPlayer(seed=1).get_move(Board(), lambda: 150.0) in Board().get_legal_moves()
    True
    """

    def __init__(self, *, seed: int | None = None) -> None:
        self.seed = seed
        self._stream = None if seed is None else random.Random(seed_bits(seed))
        self._is_set_up = True

    @counting(lambda _: True)
    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """A random legal move, `(-1, -1)` where there is none."""
        legal_moves: list[Move] = game.get_legal_moves()
        if not legal_moves:
            return NO_MOVE
        return random.choice(legal_moves) if self._stream is None else self._stream.choice(legal_moves)

    def _shown_arguments(self) -> list[str]:
        return [] if self.seed is None else [f"seed={self.seed!r}"]

    def _native_form(self, time_limit: float) -> NativePlayer | None:
        return NativePlayer.random() if self.seed is None else None


class GreedyPlayer(ScoringPlayer):
    """Answers the move after which the heuristic is highest; of equal ones the larger (row, column).

    `score_fn` is the classic name of `heuristic`. `report` holds the search for the last move, and
    `searched_nodes` the number of positions searched so far. A heuristic that returns NaN is an error. With
    `nan="course"` the pairs of value and move are compared as in the course's player: a NaN that comes first
    stays, and no other one is taken. `nans` counts them. `compile` is as in `search`.

    >>> from isolation_fast import Board
    >>> board = Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
    >>> GreedyPlayer().get_move(board, lambda: 150.0)
    (2, 4)
    """

    def __init__(
        self,
        heuristic: HeuristicLike = "open",
        *,
        score_fn: HeuristicLike | None = None,
        nan: Nan = "refuse",
        compile: bool = True,  # noqa: A002 - as `search` has it
    ) -> None:
        super().__init__(heuristic, "open", score_fn, nan, compile)

    @counting(lambda _: True)
    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """The move that looks best at once, `(-1, -1)` where there is none."""
        self._start_turn(time_left)
        values = self._search(game, depth=1, root_values=True).root_values
        if not values:
            return NO_MOVE
        return max(values, key=lambda move: (values[move], move))

    def _shown_arguments(self) -> list[str]:
        return [*super()._shown_arguments(), *self._shown_options()]

    def _native_form(self, time_limit: float) -> NativePlayer | None:
        return NativePlayer.greedy(self.score) if isinstance(self.score, Heuristic) else None


NO_SEARCH_DEPTH: Final = (
    "AlphaBetaPlayer has no search_depth, which the course's player ignores: "
    "limit it with depth=, nodes= or ms=, or leave it to the turn's clock"
)


class MinimaxPlayer(SearchingPlayer):
    """Searches without pruning, by default three moves deep.

    `score_fn` is the classic name of `heuristic`. `seed` replaces the board's order of the root's moves,
    which decides between moves of equal value. `timeout` is the margin in milliseconds that a budget with
    `ms` leaves on the turn's clock. `search_depth` is the classic name of `depth`. `nan` and `compile` are as
    in `search`.
    `report` holds the last search, `searched_nodes` the number of positions searched so far, and `nans` how
    often the heuristic has returned NaN.

    >>> from isolation_fast import Board
    >>> board = Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
    >>> player = MinimaxPlayer("improved", depth=2, seed=0)
    >>> move = player.get_move(board, lambda: 150.0)
    >>> player.report.depth, player.report.nodes
    (2, 40)
    """

    _method = "minimax"
    _usual_budget = Budget(depth=3)

    @limits_by_name
    def __init__(
        self,
        heuristic: HeuristicLike = "improved",
        *,
        seed: int | None = None,
        score_fn: HeuristicLike | None = None,
        timeout: float = DEFAULT_MARGIN,
        search_depth: int | None = None,
        nan: Nan = "refuse",
        compile: bool = True,  # noqa: A002 - as `search` has it
        **limits: "Unpack[SearchLimits]",
    ) -> None:
        if search_depth is not None:
            if limits.get("depth") is not None:
                raise InvalidArgumentError("search_depth= is the classic name of depth=: give one of them")
            limits["depth"] = search_depth
        super().__init__(heuristic, score_fn, budget_or_none(**limits), seed, timeout, nan, compile)

    search_depth = SearchingPlayer.depth
    """The classic name of `depth`."""

    # Its own, so that errors about its arguments name this class.
    @counting(has_no_clock)
    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """The best move found, `(-1, -1)` where there is none, the first legal one where no time is left."""
        return self._searched_move(game, time_left)

    def _native_form(self, time_limit: float) -> NativePlayer | None:
        limits = self.budget
        if limits is None or self.seed is not None or not isinstance(self.score, Heuristic):
            return None
        depth, _, _ = engine_limits(limits)
        if depth is None or limits != Budget(depth=limits.depth):
            return None  # the engine's minimax player knows a depth only
        return NativePlayer.minimax(self.score, depth)


class AlphaBetaPlayer(SearchingPlayer):
    """Searches with pruning, as far as its budget goes; without one, as long as the turn's clock allows.

    Without a budget it deepens until `time_left()` less a margin of `timeout` milliseconds is used, with
    `ms=` until the smaller of the two. `depth`, `nodes` and `work` ignore the clock, so they give the same
    move every time. With `work=`, players of different heuristics spend the same time; `cost=` is what a node
    costs with a heuristic that is not a native one. `mode="fast"` tries promising replies first; `seed`
    replaces the board's order of the root's moves, which decides between moves of equal value. `score_fn` is
    the classic name of `heuristic`. `nan` and `compile` are as in `search`. `report` holds the last search,
    `searched_nodes` the number of positions searched so far, and `nans` how often the heuristic has returned
    NaN.

    >>> from isolation_fast import Board
    >>> board = Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
    >>> player = AlphaBetaPlayer("improved", nodes=500)
    >>> move = player.get_move(board, lambda: 150.0)
    >>> player.report.nodes, player.report.reason
    (500, 'nodes')
    """

    _method = "alphabeta"

    @limits_by_name
    def __init__(
        self,
        heuristic: HeuristicLike = "improved",
        *,
        mode: Mode = "plain",
        seed: int | None = None,
        score_fn: HeuristicLike | None = None,
        timeout: float = DEFAULT_MARGIN,
        search_depth: None = None,
        nan: Nan = "refuse",
        compile: bool = True,  # noqa: A002 - as `search` has it
        **limits: "Unpack[SearchLimits]",
    ) -> None:
        if search_depth is not None:
            raise TypeError(NO_SEARCH_DEPTH)
        require_choice("mode", mode, MODES)
        super().__init__(heuristic, score_fn, budget_or_none(**limits), seed, timeout, nan, compile)
        self.mode = mode

    @property
    def search_depth(self) -> None:
        """Always None: the course's argument, which its deepening players ignore."""
        return None

    @search_depth.setter
    def search_depth(self, depth: None) -> None:
        if depth is not None:
            raise AttributeError(NO_SEARCH_DEPTH)

    # Its own, so that errors about its arguments name this class.
    @counting(has_no_clock)
    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """The best move found, `(-1, -1)` where there is none, the first legal one where no time is left."""
        return self._searched_move(game, time_left)

    def _native_form(self, time_limit: float) -> NativePlayer | None:
        limits = self._turn_limits(lambda: time_limit)
        if limits is None or self.seed is not None or not isinstance(self.score, Heuristic):
            return None
        return NativePlayer.alphabeta(self.score, *agent_limits(limits, self.score), self.mode == "fast")


class HumanPlayer:
    """Shows the board and the numbered moves in the terminal, and answers what the person there chooses.

    In `play_game` no turn of such a game has a time limit; `Board.play` needs one that a person can keep.
    The end of the input (Ctrl-D) gives the game up.

    >>> from isolation_fast import Board
    >>> HumanPlayer().get_move(Board.from_text("1x1 x - - 1"), lambda: 150.0)
    (-1, -1)
    """

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        """The chosen move; `(-1, -1)` where there is none, or when the game is given up."""
        legal_moves: list[Move] = game.get_legal_moves()
        if not legal_moves:
            return NO_MOVE
        try:
            return chosen_in_terminal(game, legal_moves)
        except EOFError:
            print("\nNo more input: the game is given up.")
            return NO_MOVE

    def __repr__(self) -> str:
        return "HumanPlayer()"


def native_form(player: object, time_limit: float) -> NativePlayer | None:
    """What the engine needs to play this player's side by itself; None if that takes Python.

    Only for exactly these classes: a subclass, or one whose `get_move` was replaced, is asked in Python.
    """
    return player._native_form(time_limit) if _is_ours(player) else None


def _is_ours(player: object) -> "TypeIs[RandomPlayer | GreedyPlayer | MinimaxPlayer | AlphaBetaPlayer]":
    ours = (RandomPlayer, GreedyPlayer, MinimaxPlayer, AlphaBetaPlayer)
    return isinstance(player, ours) and type(player) in ours and "get_move" not in vars(player)

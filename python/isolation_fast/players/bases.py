"""What the ready-made players share: being set up, a heuristic, a budget, the turn's clock, any board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isinf
from typing import TYPE_CHECKING, Any, Final

from isolation_fast._native import Board, Heuristic
from isolation_fast.budgets import LIMITS, Budget, budget_or_none
from isolation_fast.cost import Cost
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.heuristics import HeuristicLike, resolve
from isolation_fast.numbers import NANS, Nan, number
from isolation_fast.reports import NO_MOVE, Move, SearchReport
from isolation_fast.searching import (
    Method,
    Mode,
    cost_within,
    is_counted,
    program_for,
    require_choice,
    run_search,
    search,
    seed_bits,
)
from isolation_fast.text import described

CLASSIC_TIME_LIMIT: Final = 150.0
"""Milliseconds a turn, as the course plays; also taken where a turn has no limit at all."""

DEFAULT_MARGIN: Final = 10.0
"""Milliseconds that a player leaves on the clock, as the course's players do."""


class ReadyMadePlayer:
    """What all players but `HumanPlayer` share: a check that they were set up, and a `repr`."""

    _is_set_up = False

    # Not for type checkers: to them it would mean that every attribute exists.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            kind = type(self).__name__
            if self._is_set_up:
                missing = f"{kind!r} object has no attribute {name!r}"
            else:
                missing = f"{kind} has no {name!r} yet: call super().__init__() in {kind}.__init__"
            raise AttributeError(missing, name=name, obj=self)

    def _shown_arguments(self) -> list[str]:
        return []

    def __repr__(self) -> str:
        kind = type(self).__name__
        if not self._is_set_up:
            return f"<{kind}, whose super().__init__() was not called>"
        return f"{kind}({', '.join(self._shown_arguments())})"


class ScoringPlayer(ReadyMadePlayer):
    """What the players with a heuristic share.

    `score`, `time_left` and `timeout` have the classic names: heuristics of the course read them from the
    player that they receive.
    """

    compile = True

    def __init__(
        self,
        heuristic: HeuristicLike,
        default: str,
        score_fn: HeuristicLike | None,
        nan: Nan,
        compile: bool,  # noqa: A002 - as `search` has it
    ) -> None:
        if score_fn is not None:
            if heuristic != default:
                raise InvalidArgumentError("score_fn= is the classic name of heuristic=: give one of them")
            heuristic = score_fn
        require_choice("nan", nan, NANS)
        self.score = resolve(heuristic)
        self.nan = nan
        self.compile = bool(compile)
        self.time_left: Callable[[], float] | None = None
        self.report: SearchReport | None = None
        self.searched_nodes = 0
        self.nans = 0
        self._is_set_up = True

    @property
    def heuristic(self) -> HeuristicLike:
        """What scores the positions; also `score`, and `score_fn` as the course's constructors call it."""
        return self.score

    @heuristic.setter
    def heuristic(self, heuristic: HeuristicLike) -> None:
        self.score = resolve(heuristic)

    score_fn = heuristic
    """The classic name of `heuristic`."""

    def _start_turn(self, time_left: Callable[[], float]) -> None:
        if not callable(time_left):
            raise TypeError(
                "time_left must be a function that returns the milliseconds left, such as lambda: 100, "
                f"not {described(time_left)}"
            )
        self.time_left = time_left

    def __getstate__(self) -> dict[str, Any]:
        # The clock of a past turn has no use elsewhere, and most clocks cannot be pickled.
        return {**vars(self), "time_left": None}

    def _search(self, game: Any, **options: Any) -> SearchReport:
        board, order_bits = native_board(game)
        if options.get("seed") is None:
            options["seed"] = order_bits
        self.report = self._search_natively(board, nan=self.nan, compile=self.compile, **options)
        self.searched_nodes += self.report.nodes
        self.nans += self.report.nans
        return self.report

    def _search_natively(self, board: Board, **options: Any) -> SearchReport:
        return search(board, self.score, **options)

    def _shown_options(self) -> list[str]:
        nan = [] if self.nan == "refuse" else [f"nan={self.nan!r}"]
        return nan if self.compile else [*nan, "compile=False"]

    def _shown_arguments(self) -> list[str]:
        if isinstance(self.score, Heuristic):
            return [repr(self.score.name)]
        return [str(getattr(self.score, "__qualname__", None) or repr(self.score))]


def _limit(name: str, meaning: str) -> Any:
    """One limit of a player's budget, which can be read and set by itself."""

    def read(player: SearchingPlayer) -> Any:
        return None if player.budget is None else getattr(player.budget, name)

    return property(read, lambda player, value: player._set_limits(**{name: value}), doc=meaning)


class SearchingPlayer(ScoringPlayer):
    """What the two players that look ahead share: a budget, or what the clock leaves."""

    _method: Method
    _usual_budget: Budget | None = None
    mode: Mode = "plain"
    scale: Callable[[], float] | None = None
    """By what a function's work is spent as it is searched, where nothing says what a node costs: tournaments
    set it. See `measuring.scale_here`."""
    value_work: int | None = None
    """How much one value of a function may take then, in nodes with `improved`."""

    def __init__(
        self,
        heuristic: HeuristicLike,
        score_fn: HeuristicLike | None,
        budget: Budget | None,
        seed: int | None,
        timeout: float,
        nan: Nan,
        compile: bool,  # noqa: A002 - as `search` has it
    ) -> None:
        super().__init__(heuristic, "improved", score_fn, nan, compile)
        self.budget = budget
        if self.budget is not None and self.budget.work is not None:
            # What cannot be counted shows here, and not in the first game.
            if is_counted(self.budget, self.score):
                program_for(self.score)
            else:
                cost_within(self.budget, self.score)
        self.seed = None if seed is None else seed_bits(seed)
        self.timeout = timeout

    @property
    def budget(self) -> Budget | None:
        """What a turn's search may spend; None if that is what the clock leaves."""
        return self._budget

    @budget.setter
    def budget(self, budget: Budget | None) -> None:
        self._budget = budget_or_none(budget=budget) or self._usual_budget

    depth: int | None = _limit("depth", "The budget's moves ahead.")
    nodes: int | None = _limit("nodes", "The budget's positions.")
    ms: float | None = _limit("ms", "The budget's milliseconds.")
    work: int | None = _limit("work", "The budget's work.")
    cost: Cost | float | None = _limit(
        "cost", "What a node costs with the heuristic, where the budget says it."
    )

    def _set_limits(self, **changed: Any) -> None:
        limits = {name: getattr(self, name) for name in LIMITS} | changed
        if limits["work"] is None and "cost" not in changed:
            limits["cost"] = None  # a cost means nothing without work
        self.budget = budget_or_none(**limits)

    @property
    def timeout(self) -> float:
        """The milliseconds that a turn leaves on the clock; `TIMER_THRESHOLD` to the course's players."""
        return self._timeout

    @timeout.setter
    def timeout(self, timeout: float) -> None:
        self._timeout = number("timeout in milliseconds", timeout, least=0)

    TIMER_THRESHOLD = timeout
    """The classic name of `timeout`."""

    def _searched_move(self, game: Any, time_left: Callable[[], float]) -> Move:
        self._start_turn(time_left)
        limits = self._turn_limits(time_left)
        if limits is None:
            legal_moves: list[Move] = game.get_legal_moves()
            return legal_moves[0] if legal_moves else NO_MOVE
        report = self._search(game, budget=limits, method=self._method, mode=self.mode, seed=self.seed)
        return NO_MOVE if report.move is None else report.move

    def _turn_limits(self, time_left: Callable[[], float]) -> Budget | None:
        return limits_of_turn(self.budget, self.timeout, time_left)

    def _search_natively(self, board: Board, **options: Any) -> SearchReport:
        if self.scale is None:
            return super()._search_natively(board, **options)
        options |= {"scale": self.scale, "value_work": self.value_work}
        return run_search(board, self.score, options.pop("budget"), **options)

    def _shown_arguments(self) -> list[str]:
        shown = super()._shown_arguments()
        if self.budget is not None:
            shown.append(repr(self.budget).removeprefix("Budget(").removesuffix(")"))
        if self.mode != "plain":
            shown.append(f"mode={self.mode!r}")
        if self.seed is not None:
            shown.append(f"seed={self.seed}")
        if self.timeout != DEFAULT_MARGIN:
            shown.append(f"timeout={self.timeout!r}")
        return [*shown, *self._shown_options()]


def has_no_clock(player: Any) -> bool:
    """Whether a player's budget is depth, nodes or work alone, so that it ignores the clock of its turn."""
    return player.budget is not None and player.budget.ms is None


def limits_of_turn(budget: Budget | None, margin: float, time_left: Callable[[], float]) -> Budget | None:
    """The budget of a turn whose clock leaves so much, less a margin; None where no time is left.

    Depth, nodes and work ignore the clock, so they give the same move every time.
    """
    if budget is not None and budget.ms is None:
        return budget
    left = time_left() - margin
    if budget is not None and budget.ms is not None:
        return replace(budget, ms=min(budget.ms, left)) if left > 0 else None
    if isinf(left):
        left = CLASSIC_TIME_LIMIT - margin
    return Budget(ms=left) if left > 0 else None


def native_board(game: Any) -> tuple[Board, int | None]:
    """The board as the engine searches it; of another board also the bits that order the root's moves.

    The classic board and the reference board keep their state in the same list, so that it can be copied.
    """
    if isinstance(game, Board):
        return game, None
    try:
        twin = Board(game._player_1, game._player_2, width=game.width, height=game.height)
        twin._active_player, twin._inactive_player = game._active_player, game._inactive_player
        twin.move_count = game.move_count
        twin._board_state = list(game._board_state)
    except AttributeError as missing:
        raise TypeError(
            f"a player needs a board with the classic attributes, not {described(game)} ({missing})"
        ) from missing
    return twin, getattr(game, "_order_bits", None)

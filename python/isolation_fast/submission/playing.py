"""A native alpha-beta player around a heuristic of a submission."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from isolation_fast._native import Board, NodeCount
from isolation_fast.budgets import Budget, SearchLimits, limits_by_name
from isolation_fast.classic import Layout
from isolation_fast.exceptions import InvalidArgumentError, UnknownHeuristicError
from isolation_fast.players import AlphaBetaPlayer
from isolation_fast.players.bases import CLASSIC_TIME_LIMIT, DEFAULT_MARGIN
from isolation_fast.reports import SearchReport
from isolation_fast.searching import Mode, run_search, without_work
from isolation_fast.submission.loading import Submission, load
from isolation_fast.text import described, unknown_word

if TYPE_CHECKING:
    from typing_extensions import Unpack

PLAYER_CLASSES: Final = ("AlphaBetaPlayer", "CustomPlayer", "MinimaxPlayer", "IsolationPlayer")
"""The classes of both layouts' templates; the first most likely has all that a heuristic reads."""


class SubmissionPlayer(AlphaBetaPlayer):
    """Searches natively with a heuristic of a submission; `as_player` makes one.

    The heuristic receives the `stand_in` as its player: an instance of the submission's own player class
    where one can be made, since heuristics read its attributes, else this player. Its `time_left()` counts
    the classic 150 ms down as the budget is used.
    """

    def __init__(self, submission: Submission, name: str, **options: Any) -> None:
        super().__init__(_heuristic(submission, name), **options)
        self.submission = submission
        self.name = name
        found = _stand_in(submission, submission.heuristics[name])
        self.stand_in: Any = self if found is None else found
        self.stop_the_clock()

    def stop_the_clock(self) -> None:
        """Let the stand-in's `time_left()` always return the classic 150 ms."""
        _set_clock(self.stand_in, lambda: CLASSIC_TIME_LIMIT)

    def _search_natively(self, board: Board, **options: Any) -> SearchReport:
        limits = without_work(options.pop("budget"), self.score, board)
        stops = self.submission.timeouts
        with self.submission.activated():
            seated, count = self._prepared(board, limits, perf_counter)
            return run_search(seated, self.score, limits, stops=stops, count=count, **options)

    def _prepared(self, board: Board, limits: Budget, clock: Callable[[], float]) -> tuple[Board, NodeCount]:
        """The board that the heuristic sees in a search, and the counter that its clock reads.

        `clock` gives the seconds that a budget with `ms` counts.
        """
        count = NodeCount()
        # Without a budget of its own, both it and the stand-in have what the turn's clock leaves.
        time_left = self.time_left if self.budget is None else _time_left(limits, count, clock)
        _set_clock(self.stand_in, time_left)
        return _with_stand_ins(board), count

    def _shown_arguments(self) -> list[str]:
        return [repr(self.name), *super()._shown_arguments()[1:]]

    def __reduce__(self) -> tuple[Callable[..., SubmissionPlayer], tuple[object, ...]]:
        path, layout = str(self.submission.path), self.submission.layout
        return _loaded_again, (path, layout, self.name, self.budget, self.mode, self.seed, self.timeout)


@limits_by_name
def as_player(
    submission: Submission | str | os.PathLike[str],
    heuristic: str = "custom_score",
    *,
    mode: Mode = "plain",
    seed: int | None = None,
    timeout: float = DEFAULT_MARGIN,
    **limits: Unpack[SearchLimits],
) -> SubmissionPlayer:
    """Make a native alpha-beta player around a heuristic of a submission, which is loaded or a path.

    The other arguments are those of `AlphaBetaPlayer`; `work=` needs the heuristic's `cost=`. Where the
    heuristic raises the submission's own `SearchTimeout` or `Timeout`, the search ends as at a spent budget.
    Any other exception comes out of `get_move` as it is.

    >>> from isolation_fast import RandomPlayer, play_game
    >>> player = as_player("examples/game_agent.py", "custom_score_2", nodes=500)
    >>> print(play_game(player, RandomPlayer(), seed=2).winner)
    1
    """
    if not isinstance(submission, Submission):
        submission = load(submission)
    return SubmissionPlayer(submission, heuristic, mode=mode, seed=seed, timeout=timeout, **limits)


def _loaded_again(path: str, layout: Layout, name: str, *options: Any) -> SubmissionPlayer:
    budget, mode, seed, timeout = options
    submission = load(path, layout=layout)
    return as_player(submission, name, budget=budget, mode=mode, seed=seed, timeout=timeout)


def _heuristic(submission: Submission, name: object) -> Callable[[Any, Any], float]:
    if not isinstance(name, str):
        raise TypeError(
            f"as_player takes the name of one of the submission's heuristics, not {described(name)}; "
            "AlphaBetaPlayer takes a function"
        )
    if name in submission.heuristics:
        return submission.heuristics[name]
    where = Path(submission.path).name
    if name in submission.templates:
        raise InvalidArgumentError(f"{name!r} is still a template in {where}: it raises NotImplementedError")
    if callable(getattr(submission.module, name, None)):
        raise UnknownHeuristicError(
            f"{name!r} is in {where}, but it is not a heuristic: a heuristic takes a board and a "
            "player and returns a number"
        )
    raise UnknownHeuristicError(unknown_word(f"heuristic of {where}", name, tuple(submission.heuristics)))


def _stand_in(submission: Submission, heuristic: Callable[..., Any]) -> Any:
    """An instance of the submission's own player class; None where none can be made."""
    own = [getattr(submission.module, name, None) for name in PLAYER_CLASSES]
    kinds = [kind for kind in (*own, *submission.players.values()) if isinstance(kind, type)]
    with submission.activated():
        for kind in kinds:
            for arguments in ({"score_fn": heuristic}, {}):
                try:
                    return kind(**arguments)
                except (Exception, SystemExit):  # noqa: BLE001, PERF203 - whatever its constructor does
                    continue
    return None


def _set_clock(player: Any, time_left: Callable[[], float] | None) -> None:
    # A class that does not let it be set has no use for our clock.
    with suppress(AttributeError):
        player.time_left = time_left


def _time_left(budget: Budget, count: NodeCount, clock: Callable[[], float]) -> Callable[[], float]:
    """The milliseconds left of the classic time limit, counted down as this budget is used."""
    started = clock()

    def time_left() -> float:
        used = 0.0 if budget.nodes is None else count.nodes / budget.nodes
        if budget.ms is not None:
            used = max(used, 1000 * (clock() - started) / budget.ms)
        return CLASSIC_TIME_LIMIT * (1 - used)

    return time_left


def _with_stand_ins(board: Board) -> Board:
    """The board with the stand-ins in the seats of their players.

    The waiting player keeps its own seat where the two stand-ins are equal.
    """
    seated = Board.copy(board)
    active, inactive = (
        player.stand_in if isinstance(player, SubmissionPlayer) else player
        for player in (board._active_player, board._inactive_player)
    )
    if active is inactive or active == inactive:
        inactive = board._inactive_player
    for seat in ("_player_1", "_player_2", "_active_player", "_inactive_player"):
        player = getattr(seated, seat)
        if player is board._active_player:
            setattr(seated, seat, active)
        elif player is board._inactive_player:
            setattr(seated, seat, inactive)
    return seated

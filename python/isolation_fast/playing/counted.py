"""Players that the engine plays by itself, and those with a program where the other one needs Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from isolation_fast._native import NativePlayer
from isolation_fast.budgets import LARGEST_NODES, engine_limits
from isolation_fast.cost import PRICES_VERSION
from isolation_fast.endings import Fault, GameEnding
from isolation_fast.exceptions import WorkerError
from isolation_fast.players import (
    AlphaBetaPlayer,
    GreedyPlayer,
    MinimaxPlayer,
    Player,
    RandomPlayer,
    native_form,
)
from isolation_fast.playing.entrants import CountedEntrant, Entrant, NativeEntrant
from isolation_fast.reports import NO_MOVE, Move, SearchReport


def player_of(entrant: NativeEntrant) -> Player:
    """The player that scripts know by the same heuristic and budget.

    >>> player_of(NativeEntrant("any", "random"))
    RandomPlayer()
    """
    if entrant.kind == "random":
        return RandomPlayer()
    if entrant.heuristic is None:
        raise TypeError(f"{entrant.name} is a {entrant.kind} player without a heuristic")
    if entrant.kind == "greedy":
        return GreedyPlayer(entrant.heuristic)
    if entrant.kind == "minimax":
        return MinimaxPlayer(entrant.heuristic, budget=entrant.budget)
    return AlphaBetaPlayer(entrant.heuristic, budget=entrant.budget, mode=entrant.mode)


def engine_form(entrant: Entrant, time_limit: float) -> NativePlayer:
    """What the engine needs to know of a player that it plays by itself."""
    if isinstance(entrant, CountedEntrant):
        return counted_form(entrant)
    form = native_form(player_of(entrant), time_limit) if isinstance(entrant, NativeEntrant) else None
    if form is None:
        raise TypeError(f"the engine cannot play {entrant!r} by itself")
    return form


def counted_form(entrant: CountedEntrant) -> NativePlayer:
    """What the engine needs to know of the player.

    A `WorkerError` says that its work would be counted by other prices than those that it was planned with.
    """
    if entrant.prices != PRICES_VERSION:
        raise WorkerError(
            f"{entrant.name} is to be counted by version {entrant.prices} of the price list, and this "
            f"isolation_fast has version {PRICES_VERSION}"
        )
    depth, nodes, ms = engine_limits(entrant.budget)
    work, is_fast = entrant.budget.work, entrant.mode == "fast"
    work = None if work is None else min(work, LARGEST_NODES)
    return NativePlayer.counted(entrant.program, work, depth, nodes, ms, is_fast, entrant.value_work)


def no_value(position: str, player: int, costs_too_much: bool) -> tuple[GameEnding, str]:
    """How a game ended for want of a value, and its detail.

    >>> no_value("3x3 3/3/3 - - 1", 2, False)
    ('no value', 'its program has no value for player 2 on 3x3 3/3/3 - - 1')
    """
    if costs_too_much:
        return "value overspent", f"its value for player {player} on {position} takes more than a value may"
    return "no value", f"its program has no value for player {player} on {position}"


class CountedPlayer:
    """The same player at a board that Python plays on, where its opponent needs Python."""

    def __init__(self, entrant: CountedEntrant) -> None:
        self._form = counted_form(entrant)
        self.searched_nodes = 0
        self.report: SearchReport | None = None

    def get_move(self, game: Any, _time_left: Callable[[], float]) -> Move:
        """Its move, or a `Fault` where its program has no value."""
        chosen, missing = self._form.choose(game)
        if missing is not None:
            raise Fault(*no_value(*missing))
        assert chosen is not None
        move, value, depth, nodes, _, reason = chosen
        self.searched_nodes += nodes
        self.report = SearchReport(move, value, depth, nodes, reason)
        return NO_MOVE if move is None else move

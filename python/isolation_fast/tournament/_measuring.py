"""Measuring what a node costs with a Python heuristic, in the process that was started for it."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Final

from isolation_fast import measuring
from isolation_fast.budgets import Budget
from isolation_fast.exceptions import WorkerError
from isolation_fast.players import AlphaBetaPlayer
from isolation_fast.players.bases import CLASSIC_TIME_LIMIT
from isolation_fast.process.chunk_protocol import Order, Progress
from isolation_fast.submission import SubmissionPlayer
from isolation_fast.submission.asking import raised_line, reseed
from isolation_fast.tournament.seats import seat_of, why_not_loaded

__all__ = ["measured"]

NODES: Final = 500
"""A quarter of what a table is measured with: within some percent of that, but for the fullest boards."""


def measured(order: Order, progress: Progress) -> dict[str, Any]:
    """Measure the first entrant's heuristic; gives its `cost`, or the `problem`, as JSON knows them."""
    entrant = order.chunk.entrants[0]
    progress.asks(0, limited=False)
    reseed(0)
    try:
        # Its search is ours, and does not need to know the cost that is looked for here.
        seat = seat_of(replace(entrant, budget=Budget(nodes=NODES)), 0)
    except WorkerError:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever a file may do
        return {"problem": why_not_loaded(error, entrant)}
    player: Any = seat.player
    if type(player) not in (AlphaBetaPlayer, SubmissionPlayer):
        return {"cost": None}
    # Who the heuristic is asked about is who it is asked about in a game, with a clock that stands still.
    ours = type(player) is AlphaBetaPlayer
    asked = player if ours else player.stand_in
    if ours:
        player.time_left = lambda: CLASSIC_TIME_LIMIT
    try:
        with nullcontext() if ours else player.submission.activated():
            found = measuring.measure(player.score, rounds=order.rounds, nodes=NODES, player=asked)
    except BaseException as error:  # noqa: BLE001 - whatever a heuristic may do
        return {"problem": raised_line(error, seat.folder)}
    progress.answered()
    return {"cost": found.to_dict()}

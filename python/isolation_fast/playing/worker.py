"""The process in which a chunk with Python players is played, or the cost of a Python heuristic is measured.

`chunks` starts and watches it. What players print goes nowhere, they read nothing, and the pipes are out of
their way.
"""

from __future__ import annotations

import os
import pickle
import sys
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

from isolation_fast.budgets import Budget
from isolation_fast.cost import NODES
from isolation_fast.exceptions import WorkerError
from isolation_fast.measuring import measure
from isolation_fast.players import AlphaBetaPlayer
from isolation_fast.players.bases import CLASSIC_TIME_LIMIT
from isolation_fast.playing.entrants import make_main
from isolation_fast.playing.games import ChunkGames
from isolation_fast.playing.loaded import LoadedPlayers
from isolation_fast.playing.protocol import MOST_BYTES, Measured, Order, WatchedMemory, report_bytes
from isolation_fast.playing.seats import seat_of, why_not_loaded
from isolation_fast.process.frames import Channel, Frame, Kind
from isolation_fast.process.starting import (
    CAN_WAIT,
    end_with_the_parent,
    out_of_the_way,
    wait_for_an_order,
)
from isolation_fast.submission import SubmissionPlayer
from isolation_fast.submission.asking import raised_line, reseed
from isolation_fast.text import error_line


def main(requests: int, answers: int) -> None:
    """Do what the orders say. The process ends here, whatever threads players have left behind."""
    channel = Channel(*out_of_the_way(requests, answers), MOST_BYTES)
    players: LoadedPlayers | None = None
    while True:
        frame = channel.receive(Kind.PLAY)
        if frame is None:  # the parent is gone
            os._exit(1)
        order: Order = pickle.loads(frame.content)
        sys.path[:] = order.path
        end_with_the_parent(channel.requests)
        try:
            if players is None:
                # Only now what fails is reported: until here Python says it on stderr itself.
                os.dup2(0, 2)
                if order.main is not None:
                    make_main(order.main)
                players = LoadedPlayers(order.goes_on and CAN_WAIT)
            progress = WatchedMemory(order.progress)
            if os.name == "posix":
                # Nothing is left of it, whatever ends us.
                os.unlink(order.progress)  # noqa: PTH108
            games = partial(ChunkGames, order, progress, players=players)
            report = _measured(order, progress) if order.measures else games().play()
            content = report_bytes(report)
        except WorkerError as error:
            content = report_bytes(str(error))
        except BaseException as error:  # noqa: BLE001 - what players raise is caught where they are called
            content = report_bytes(error_line(error))
        goes_on = players is not None and players.are_untouched()
        if goes_on:
            progress.close()
            wait_for_an_order(channel.requests)
        channel.send(Frame(Kind.REPORTED, frame.number, content))
        if not goes_on:
            os._exit(0)


def _measured(order: Order, progress: WatchedMemory) -> Measured:
    """Measure the first entrant's heuristic."""
    entrant = order.chunk.entrants[0]
    progress.asks(0, limited=False)
    reseed(0)
    try:
        # Its search is ours, and does not need the cost that is measured here.
        seat = seat_of(replace(entrant, budget=Budget(nodes=NODES)), 0)
    except WorkerError:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever a file may do
        return Measured(None, why_not_loaded(error, entrant))
    player: Any = seat.player
    if type(player) not in (AlphaBetaPlayer, SubmissionPlayer):
        return Measured(None)
    # The heuristic is asked about the same player as in a game, with a clock that stands still.
    ours = type(player) is AlphaBetaPlayer
    asked = player if ours else player.stand_in
    if ours:
        player.time_left = lambda: CLASSIC_TIME_LIMIT
    try:
        with nullcontext() if ours else player.submission.activated():
            early_names = () if ours else player.submission.outline.early_names
            found = measure(player.score, player=asked, early_names=early_names)
    except BaseException as error:  # noqa: BLE001 - whatever a heuristic may do
        return Measured(None, raised_line(error, seat.folder))
    progress.answered()
    return Measured(found)

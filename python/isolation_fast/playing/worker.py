"""The process in which a chunk with Python players is played.

`chunks` starts and watches it. What players print goes nowhere, they read nothing, and the pipes are out of
their way.
"""

from __future__ import annotations

import os
import pickle
import sys

from isolation_fast.exceptions import WorkerError
from isolation_fast.playing.entrants import make_main
from isolation_fast.playing.games import ChunkGames
from isolation_fast.playing.loaded import LoadedPlayers
from isolation_fast.playing.protocol import MOST_BYTES, Order, WatchedMemory, report_bytes
from isolation_fast.process.frames import Channel, Frame, Kind
from isolation_fast.process.starting import (
    CAN_WAIT,
    end_with_the_parent,
    out_of_the_way,
    wait_for_an_order,
)
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
            content = report_bytes(ChunkGames(order, progress, players=players).play())
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

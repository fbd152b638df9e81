"""The work of a process that measures the yardstick: searches with `improved` on the reference board.

Nothing of a submission is ever in it, so no submission can slow it down. It is forked like the others, and
imports the reference afterwards.
"""

from __future__ import annotations

import os
from typing import NoReturn

from isolation_fast import reference
from isolation_fast.measuring.nodes import OPPONENT, PLAYER, YARDSTICK, nodes_of
from isolation_fast.process.frames import Channel, Frame, Kind
from isolation_fast.submission.asking import reseed
from isolation_fast.worker.messages import Measure, Measured


def serve(channel: Channel, frame: Frame | None) -> NoReturn:
    """Answer this request, and others until the referee's pipe ends. The process ends here."""
    while frame is not None:
        asked = Measure.of(frame.content)
        reseed(asked.seed)
        kind = reference.EarlyBoard if asked.early else reference.Board
        nodes = nodes_of(YARDSTICK, asked.position, (PLAYER, OPPONENT), asked.nodes, kind)
        measured = Measured(nodes)
        channel.send(Frame(measured.kind, frame.number, measured.content()))
        frame = channel.receive(Kind.MEASURE)
    os._exit(0)

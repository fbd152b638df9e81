"""Child processes in which other people's code runs: started, fed, watched, limited and ended."""

from isolation_fast.process.child import EXITED, KILLED, Asked, Child, Patience, end_of
from isolation_fast.process.frames import MOST_BYTES, Channel, Frame, FrameError, FrameReader, Kind
from isolation_fast.process.launched import Output
from isolation_fast.process.starting import (
    CAN_WAIT,
    Ends,
    Python,
    Started,
    end_with_the_parent,
    out_of_the_way,
    program_of,
    wait_for_an_order,
)

__all__ = [
    "CAN_WAIT",
    "EXITED",
    "KILLED",
    "MOST_BYTES",
    "Asked",
    "Channel",
    "Child",
    "Ends",
    "Frame",
    "FrameError",
    "FrameReader",
    "Kind",
    "Output",
    "Patience",
    "Python",
    "Started",
    "end_of",
    "end_with_the_parent",
    "out_of_the_way",
    "program_of",
    "wait_for_an_order",
]

"""Child processes in which other people's code runs: started, fed, watched, limited and ended.

| name | what it is |
|---|---|
| `Child` | one child process, asked over a pipe and watched from outside |
| `program_of` | the program of a child that calls the `main` of a module |
| `Patience` | how long an answer may take by the wall clock, where that is not a number of seconds |
| `Output` | what a child printed |
| `Channel` | the child's own side of its pipes |
| `Frame`, `Kind`, `FrameError` | what passes between the two |
"""

from isolation_fast.process.child import EXITED, KILLED, Asked, Child, Patience, end_of
from isolation_fast.process.frames import MOST_BYTES, Channel, Frame, FrameError, FrameReader, Kind
from isolation_fast.process.launched import Output, program_of

__all__ = [
    "EXITED",
    "KILLED",
    "MOST_BYTES",
    "Asked",
    "Channel",
    "Child",
    "Frame",
    "FrameError",
    "FrameReader",
    "Kind",
    "Output",
    "Patience",
    "end_of",
    "program_of",
]

"""The nursery: a process that has imported what workers need, and forks a worker whenever one is asked for.

It runs nothing of a submission, opens no file of one and keeps nothing of one in its memory: all that it is
asked is to fork, and how a worker ended. So each worker begins as a copy of the same process, and what one of
them changes meets no other. A worker keeps its ends of the pipes to its referee and nothing else that the
nursery has open. It is assigned and locked afterwards, like any process.

```text
 referee ---- socket: FORK with four descriptors, END ----> nursery      imports, waits, is not locked
    |   <---- pipe: FORKED, ENDED ------------------------     | fork
    +-------- two pipes: ASSIGN, LOAD, SEARCH ... ---------> worker      locked, one submission's
```

The nursery ends with its referee, and the workers with the nursery: it is their parent.
"""

from __future__ import annotations

import os
import select
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from isolation_fast.exceptions import WorkerError
from isolation_fast.process.frames import Channel, Frame, FrameReader, Kind, Message
from isolation_fast.process.starting import status_of
from isolation_fast.text import error_line
from isolation_fast.worker import entry
from isolation_fast.worker.messages import EndAsked, Ended, Faulted, Forked

if sys.platform == "linux":
    import fcntl

PLACES: Final = (3, 4, 1, 2, 0)
"""Where a worker has its ends: requests, answers, stdout, stderr; and its stdin, mostly empty."""
OUT_OF_THE_WAY: Final = 16
MOST: Final = 4096


def main(requests: int, answers: int) -> None:
    """Import the libraries, and fork workers, each of which goes on here."""
    entry.import_libraries()
    entry.main(*forked(requests, answers))


def forked(requests: int, answers: int) -> tuple[int, int]:
    """Serve the referee as long as it lives. This returns in each worker, with its ends of the pipes."""
    _require_one_thread()
    _require_no_shared_memory()
    channel = Channel(requests, answers)
    channel.send(Frame(Kind.READY, 0))
    received = _forked_with(channel)
    try:
        _take_places(received)
        _forget_randomness()
    except BaseException as error:  # noqa: BLE001 - it is a worker by now, and must not go on as the nursery
        os.write(2, f"{error_line(error)}\n".encode())
        os._exit(1)
    return PLACES[0], PLACES[1]


def _require_one_thread() -> None:
    """A lock that another thread holds at a fork is held for ever in the child."""
    if (threads := len(os.listdir("/proc/self/task"))) > 1:  # noqa: PTH208
        raise WorkerError(
            f"a process for submissions has {threads} threads after its imports, and only one that has a "
            "single thread can fork others"
        )


def _require_no_shared_memory() -> None:
    """What two processes map together is no copy: a worker would write to it in all others, and here too.

    libffi maps a file so where a system lets it have no memory that is both written and executed.
    """
    for line in Path("/proc/self/maps").read_text(errors="replace").splitlines():
        _, rights, *_, name = line.split(maxsplit=5)
        if rights.startswith("rw") and rights.endswith("s"):
            raise WorkerError(
                f"a process for submissions has memory that it would share with those that it forks: {name}"
            )


def _forked_with(channel: Channel) -> list[int]:
    """Answer requests; this returns in a worker, with the descriptors that came for it."""
    asked = socket.socket(fileno=channel.requests)
    reader = FrameReader()
    waiting = select.poll()
    waiting.register(asked, select.POLLIN)
    # Children of a fork of the referee may hold the other end of the socket open.
    referee = _watched(asked)
    waiting.register(referee, select.POLLIN)
    while True:
        if referee in (each for each, _ in waiting.poll()):
            os._exit(0)
        content, descriptors, _, _ = socket.recv_fds(asked, MOST, len(PLACES))
        if not content:
            os._exit(0)
        reader.feed(content)
        if (frame := reader.next()) is None:
            continue
        if frame.kind is Kind.END:
            channel.send(_ended(frame))
            continue
        answer: Message
        try:
            worker = os.fork()
        except OSError as error:
            answer = Faulted("not loaded", error_line(error))
        else:
            if not worker:
                # Its number is soon that of something else.
                asked.detach()
                return descriptors
            answer = Forked(worker)
        # Before it is answered: a pipe that the worker closes has no other end here.
        for each in descriptors:
            os.close(each)
        channel.send(Frame(answer.kind, frame.number, answer.content()))


def _watched(asked: socket.socket) -> int:
    """What tells the end of the referee. If it has ended during the imports, this process ends too."""
    # The process that made the socket. By now the parent may be another one, which has adopted this one.
    (referee,) = struct.unpack_from("i", asked.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 3 * 4))
    with suppress(ProcessLookupError):
        watched = os.pidfd_open(referee)
        if os.getppid() == referee:
            return watched
    os._exit(0)


def _ended(frame: Frame) -> Frame:
    asked = EndAsked.of(frame.content)
    if asked.reap:
        status: int | None = os.waitstatus_to_exitcode(os.waitpid(asked.pid, 0)[1])
    else:
        status = status_of(asked.pid)
    return Frame(Kind.ENDED, frame.number, Ended(status is None, status or 0).content())


def _take_places(received: list[int]) -> None:
    """Make a process of its own of a fork: in its own session, with its ends and nothing else open."""
    os.setsid()
    if len(received) < len(PLACES):
        # Opened anew: the flags of the nursery's own stdin are those of all that it forks.
        received.append(os.open(os.devnull, os.O_RDWR))
    # None may lie where another one has its place.
    kept = [fcntl.fcntl(each, fcntl.F_DUPFD, OUT_OF_THE_WAY) for each in received]
    for descriptor, place in zip(kept, PLACES, strict=True):
        os.dup2(descriptor, place)
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
        if int(name) > max(PLACES):
            with suppress(OSError):  # that of the list itself
                os.close(int(name))


def _forget_randomness() -> None:
    """Give `numpy.random` a state of its own, as a new process has. `random` does so by itself."""
    if (random := sys.modules.get("numpy.random")) is not None:
        random.seed()

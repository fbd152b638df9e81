"""The main of a jailed process: it imports what submissions need, is locked, and serves its referee.

What is imported later must not need a library of its own: a locked process cannot load one.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from isolation_fast import _native, jail
from isolation_fast.exceptions import JailError
from isolation_fast.jail._handler import Handler
from isolation_fast.jail.frames import HEADER, MOST_BYTES, Frame, FrameError, Kind
from isolation_fast.jail.libraries import import_libraries, import_with_its_parts, readable_places
from isolation_fast.jail.messages import Assign, Faulted, Locked
from isolation_fast.text import error_line

__all__ = ["main"]


def main(requests: int, answers: int) -> None:
    """Take an assignment and be locked; then serve. The process ends here."""
    import_libraries()
    _send(answers, Frame(Kind.READY, 0))
    frame = _received(requests)
    if frame is None:  # never needed
        os._exit(0)
    try:
        assign = Assign.of(frame.content)
        for name in assign.modules:
            import_with_its_parts(name)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
        handler = Handler(assign)
        level = jail.lock_down(
            jail.Policy(
                readable=(*readable_places(), str(Path(assign.path).parent), *assign.readable),
                memory=assign.memory,
                cpu_seconds=assign.cpu,
                user=assign.user,
                parent=assign.parent,
            )
        )
        _require_readable_libraries(assign.user)
    except Exception as error:  # noqa: BLE001 - the referee is told, whatever it is
        fault = Faulted("not loaded", error_line(error))
        _send(answers, Frame(Kind.FAULT, frame.number, fault.content()))
        os._exit(1)
    _send(answers, Frame(Kind.LOCKED, frame.number, Locked(level).content()))
    try:
        _native.serve(requests, answers, handler)
    finally:
        # Not the usual end, which would run what the submission has left for it.
        os._exit(0)


def _require_readable_libraries(user: int | None) -> None:
    """An error of ours, which would else be taken for the submission's as soon as it imports something."""
    for file in (os.__file__, jail.__file__):
        try:
            Path(file).read_bytes()
        except OSError as error:  # noqa: PERF203 - there are two
            who = "a jailed process" if user is None else f"user {user}, which a jailed process becomes,"
            hint = "every folder above it must be passable for others (chmod o+x)"
            raise JailError(f"{who} cannot read {file}: {hint}") from error


def _send(answers: int, frame: Frame) -> None:
    content = frame.encoded()
    while content:
        content = content[os.write(answers, content) :]


def _received(requests: int) -> Frame | None:
    """The assignment; not a byte more, since what follows is not for Python to read."""
    header = _exactly(requests, HEADER.size)
    if header is None:
        return None
    kind, length, number = HEADER.unpack(header)
    if kind != Kind.ASSIGN or length > MOST_BYTES:
        raise FrameError(f"the first request is the assignment, not one of kind {kind}")
    content = _exactly(requests, length)
    return None if content is None else Frame(Kind.ASSIGN, number, content)


def _exactly(descriptor: int, length: int) -> bytes | None:
    content = b""
    while len(content) < length:
        part = os.read(descriptor, length - len(content))
        if not part:
            return None
        content += part
    return content

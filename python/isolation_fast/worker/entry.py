"""The main of a jailed process: it is assigned a submission, is locked, and serves its referee.

A locked process can map no machine code, so no module written in C can be imported any more. What a
submission may need is imported before; what is plain Python can be imported later too.
"""

from __future__ import annotations

import gc
import os
import pickle
import pkgutil
import sys
import sysconfig
import time
import warnings
import zoneinfo
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from isolation_fast import _native
from isolation_fast.classic import serving
from isolation_fast.compiled import compiler
from isolation_fast.exceptions import JailError
from isolation_fast.process.frames import Channel, Frame, Kind, Message
from isolation_fast.text import error_line
from isolation_fast.worker import hiding, policy, scratch, zips
from isolation_fast.worker.handler import Handler
from isolation_fast.worker.messages import Assign, Faulted, Locked, Measure, Measured

STANDARD: Final = """
abc argparse array bisect collections contextlib copy ctypes dataclasses datetime decimal enum fractions
functools gc heapq inspect io itertools json linecache logging math numbers operator os pathlib pickle pprint
queue random re statistics string struct sys textwrap threading time timeit traceback types typing unittest
warnings weakref zoneinfo
"""
"""The standard modules of the course. Others can be read later, if they need no library."""

OURS: Final = """
isolation_fast.board.drawing isolation_fast.board.turns isolation_fast.classic.first_sample_players
isolation_fast.reports isolation_fast.submission
"""
"""Ours that are imported later, or by the engine: no file of ours but the served ones can be read then."""
NUMPY: Final = "numpy numpy.random numpy.linalg numpy.fft numpy.polynomial numpy.ma"

MOST_ASKED: Final = 2**32 - 1
"""Bytes of what its referee sends: a program may have many."""

ABOUT_ITSELF: Final = ("/proc/self/maps",)
"""What a locked process may read besides: which libraries it has loaded, and where. scikit-learn asks."""

UNWANTED: Final = ("_test", "_xx", "xx", "_ctypes_test", "_tkinter", "_curses", "readline", "_asyncio")
"""Libraries of Python's tests, those for terminals and screens, and one that takes long and nobody misses."""


def main(requests: int, answers: int) -> None:
    """Take an assignment and be locked; then serve. The process ends here, and has imported its libraries.

    One that is asked to measure before it is assigned serves as the yardstick, one that is asked to play
    plays programs, and one that is asked to unpack reads a zip: no submission ever runs in it.
    """
    channel = Channel(requests, answers, MOST_ASKED)
    handler = assigned(channel)
    # What is left in this frame, a submission can read.
    del channel
    try:
        _native.serve(requests, answers, handler)
    finally:
        # Not the usual end, which would run what the submission has left for it.
        os._exit(0)


def assigned(channel: Channel) -> Handler:
    """Take an assignment and be locked. What answers requests from then on."""
    frame = channel.receive(Kind.ASSIGN, Kind.MEASURE, Kind.PLAY, Kind.UNPACK)
    while frame is not None and frame.kind is Kind.MEASURE:
        measured = _yardstick(Measure.of(frame.content))
        channel.send(Frame(measured.kind, frame.number, measured.content()))
        frame = channel.receive(Kind.MEASURE)
    if frame is None:  # not needed any more
        os._exit(0)
    if frame.kind is Kind.PLAY:
        # It comes from the referee, before anything else is here.
        play, *order = pickle.loads(frame.content)
        play(channel, frame.number, *order)
    if frame.kind is Kind.UNPACK:
        zips.serve(channel, frame)
    try:
        assign = Assign.of(frame.content)
        for name in assign.modules:
            if name.partition(".")[0] != hiding.NAME:
                import_with_its_parts(name)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
        channel.seal()
        handler, level = _locked(assign)
    except Exception as error:  # noqa: BLE001 - the referee learns of it, whatever it is
        fault = Faulted("not loaded", error_line(error))
        channel.send(Frame(Kind.FAULT, frame.number, fault.content()))
        os._exit(1)
    locked = Locked(level.enforced, level.missing, level.landlock)
    channel.send(Frame(Kind.LOCKED, frame.number, locked.content()))
    return handler


def _locked(assign: Assign) -> tuple[Handler, policy.Level]:
    """Hide from a submission what is not for it, and lock the process."""
    readable, listable = places()
    hiding.hide()
    handler = Handler(assign)
    level = policy.lock_down(
        policy.Policy(
            readable=(*readable, str(Path(assign.path).parent), *assign.readable),
            listable=listable,
            memory=assign.memory,
            cpu_seconds=assign.cpu,
            user=assign.user,
            parent=assign.parent,
        )
    )
    _require_readable_libraries(assign.user)
    scratch.keep_in_memory(str(Path(assign.path).parent))
    return handler, level


def _yardstick(asked: Measure) -> Measured:
    """A search with `improved` on the reference board, which is in no process with a submission."""
    measuring: Any = import_module("isolation_fast.measuring")
    return Measured(measuring.nodes_with_improved(asked.position, asked.nodes))


def _require_readable_libraries(user: int | None) -> None:
    """An error of ours, which would else be taken for the submission's as soon as it imports something."""
    for file in (os.__file__, serving.__file__):
        try:
            Path(file).read_bytes()
        except OSError as error:  # noqa: PERF203 - there are two
            who = "a jailed process" if user is None else f"user {user}, which a jailed process becomes,"
            hint = "every folder above it must be passable for others (chmod o+x)"
            raise JailError(f"{who} cannot read {file}: {hint}") from error


def import_libraries() -> None:
    """Import all that a submission may import from here on without loading a library.

    >>> import_libraries()
    >>> "_decimal" in sys.modules
    True
    """
    # Python's own libraries, by the path: in a virtual environment they are elsewhere than `sysconfig` says.
    folders = [Path(each) for each in sys.path if Path(each).name == "lib-dynload"]
    libraries = {path.name.partition(".")[0] for folder in folders for path in folder.glob("*.so")}
    wanted = sorted(name for name in libraries if not name.startswith(UNWANTED))
    gc.disable()  # for a tenth of the time
    for name in (*f"{STANDARD} {OURS} {NUMPY}".split(), *wanted):
        _import(name)
    # Once it is locked it finds no module of ours.
    compiler()
    # What each worker would find out anew.
    places()
    Message.prepare()
    # What was imported stays: no collection in a turn of the submission has to look at it.
    gc.freeze()
    gc.enable()
    # It is read where somebody first asks for it, from a file that is not among the readable ones.
    time.tzset()


@cache
def places() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What of these places a submission may read, and what it may list: all but the files of ours."""
    readable, listable = hiding.without_our_files(readable_places())
    return tuple(readable), tuple(listable)


def readable_places() -> tuple[str, ...]:
    """What it may read of this system: Python and its packages, but for ours, time zones, its own map.

    >>> sysconfig.get_path("stdlib") in readable_places(), str(Path.cwd()) in readable_places()
    (True, False)
    """
    known = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    here = Path.cwd().resolve()
    on_path = [each for each in sys.path if Path(each).is_absolute() and Path(each).resolve() != here]
    wanted = [*known, *on_path, *zoneinfo.TZPATH, *ABOUT_ITSELF]
    return tuple(dict.fromkeys(each for each in wanted if Path(each).exists()))


def import_with_its_parts(name: str) -> None:
    """Import a package that a submission names, with the packages in it, which it may load later."""
    _import(name)
    folders = getattr(sys.modules.get(name), "__path__", ())
    for part in pkgutil.iter_modules(folders):
        if part.ispkg and not part.name.startswith("_") and part.name not in ("conftest", "tests"):
            _import(f"{name}.{part.name}")


def _import(name: str) -> None:
    """Import a module, if it can be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import_module(name)
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - what is missing here is missing for the submission
            return

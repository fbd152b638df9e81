"""Small programs that stand in for a process that is asked over pipes, started in either way."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

from isolation_fast.jail.pool import OPTIONS, Pool
from isolation_fast.process import Child, Kind, Python

# No timing is tested: more than this, and something hangs.
LONG = 60.0

SPEAKING = """
import os, signal, struct, sys, time
from threading import Thread
REQUESTS, ANSWERS = int(sys.argv[2]), int(sys.argv[3])
HEADER = struct.Struct("<BIQ")
MOVED, FAULT, MOVE = 5, 6, 19

def exactly(count):
    got = b""
    while len(got) < count:
        part = os.read(REQUESTS, count - len(got))
        if not part:
            os._exit(0)
        got += part
    return got

def request():
    kind, length, number = HEADER.unpack(exactly(HEADER.size))
    return kind, number, exactly(length)

def frame(kind, number, content=b""):
    return HEADER.pack(kind, len(content), number) + content

def send(content):
    while content:
        content = content[os.write(ANSWERS, content):]

def answer(number, content=b""):
    send(frame(MOVED, number, content))

def spin():
    while True:
        pass

send(frame(1, 0))
"""
FORKING = """
import sys
from isolation_fast.worker.nursery import forked
sys.argv[2:] = map(str, forked(*map(int, sys.argv[2:])))
"""
ECHO = """
while True:
    kind, number, content = request()
    answer(number, content)
"""


def launched(program: str) -> Child:
    """A process of its own that runs this, and is ready."""
    python = Python(SPEAKING + dedent(program), OPTIONS, {"LANG": "C.UTF-8"}, folder="/")
    process = Child(python, keeps_output=True)
    process.wait_for(Kind.READY, LONG)
    return process


def taken_from(pool: Pool) -> Child:
    """A process of a pool whose nursery runs such a program."""
    process = pool.take()
    process.wait_for(Kind.READY, LONG)
    return process


def pool_of(program: str) -> Pool:
    return Pool(boot=FORKING + SPEAKING + dedent(program))


def ask(process: Child, content: bytes = b"", cpu: float = LONG, wall: float = LONG) -> bytes:
    return process.ask(Kind.MOVE, content, Kind.MOVED, cpu, wall).frame.content


def number_of(process: Child) -> int:
    return process.pid


def nursery_of(pool: Pool) -> int:
    assert pool._nursery is not None
    return pool._nursery.pid


def is_gone(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    return False


def has_ended(number: int) -> bool:
    """Whether it is gone, or nobody but the system's first process has to reap it yet."""
    return is_gone(number) or b"Z" in Path(f"/proc/{number}/stat").read_bytes().split()[2:3]


def wait_until(law: Callable[[], Any]) -> None:
    until = time.monotonic() + LONG
    while not law():
        assert time.monotonic() < until
        time.sleep(0.01)


def descriptors_of(process: int | str) -> list[str]:
    return sorted(os.listdir(f"/proc/{process}/fd"))  # noqa: PTH208

"""Reads a file of the grader by the C library's own `open`, `fopen` and the bare system call."""
import ctypes
import os

import honest
from attempts import SYSTEM_CALLS, attempt, once, system_call
from targets import SECRET


def opened():
    library = ctypes.CDLL(None, use_errno=True)
    descriptor = library.open(SECRET.encode(), os.O_RDONLY)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "open")
    return os.read(descriptor, 100)


def stream():
    library = ctypes.CDLL(None, use_errno=True)
    library.fopen.restype = ctypes.c_void_p
    file = library.fopen(SECRET.encode(), b"r")
    if not file:
        raise OSError(ctypes.get_errno(), "fopen")
    return file


def attack():
    attempt("open", opened)
    attempt("fopen", stream)
    how = (0).to_bytes(24, "little")
    attempt("openat2", lambda: system_call(SYSTEM_CALLS["openat2"], -100, SECRET.encode(), how, 24))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

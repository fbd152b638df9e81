"""Has the threads of numpy's libraries work for it, asked for by the environment, and starts one of its own by C."""
import ctypes
import os

import numpy

import honest
from attempts import attempt, once

for each in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
    os.environ[f"{each}_NUM_THREADS"] = "8"
SIZE = 120
weights = numpy.ones((SIZE, SIZE))


def a_thread():
    library, thread = ctypes.CDLL(None), ctypes.c_ulong()
    if number := library.pthread_create(ctypes.byref(thread), None, library.getpid, None):
        raise OSError(number, os.strerror(number))
    return thread.value


def custom_score(game, player):
    once(lambda: attempt("a thread by C", a_thread))
    if (weights @ weights)[0, 0] < 0.0:
        return 0.0
    return honest.custom_score(game, player)

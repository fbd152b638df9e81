"""Reads a file of the grader from C, by numpy, which no list of imports can forbid."""
import numpy

import honest
from attempts import attempt, once
from targets import SECRET


def attack():
    attempt("fromfile", lambda: numpy.fromfile(SECRET, dtype="u1").tobytes())
    attempt("memmap", lambda: bytes(numpy.memmap(SECRET, mode="r")))
    attempt("loadtxt", lambda: numpy.loadtxt(SECRET, dtype=str))
    attempt("genfromtxt", lambda: numpy.genfromtxt(SECRET, dtype=str))
    attempt("load", lambda: numpy.load(SECRET, allow_pickle=True))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

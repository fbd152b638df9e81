"""Reads a file of the grader by `open` and what lies below it."""
import io
import os

import honest
from attempts import attempt, once
from targets import SECRET


def attack():
    attempt("open", lambda: open(SECRET).read())
    attempt("io.open_code", lambda: io.open_code(SECRET).read())
    attempt("os.open", lambda: os.read(os.open(SECRET, os.O_RDONLY), 100))
    attempt("os.open for the path alone", lambda: os.read(os.open(SECRET, os.O_PATH), 100))
    attempt("bytes", lambda: open(os.fsencode(SECRET), "rb").read())


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

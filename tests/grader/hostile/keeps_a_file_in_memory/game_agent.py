"""Makes a file without a folder: in memory, by memfd, to write or run it."""
import os

import honest
from attempts import attempt, once, system_call


def attack():
    attempt("memfd_create", lambda: os.memfd_create("x"))
    attempt("the bare call", lambda: system_call("memfd_create", b"x", 0))
    attempt("memfd_secret", lambda: system_call("memfd_secret", 0))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

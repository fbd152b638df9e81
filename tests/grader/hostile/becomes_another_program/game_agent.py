"""Becomes another program, which has the pipes and none of our code."""
import os
import sys

import honest
from attempts import attempt, once, system_call


def attack():
    attempt("execv", lambda: os.execv(sys.executable, [sys.executable, "-c", "print('GOT out')"]))
    attempt("shell", lambda: os.execv("/bin/sh", ["sh", "-c", "echo GOT out"]))
    attempt("execveat", lambda: system_call("execveat", -100, b"/bin/true", None, None, 0))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

"""Forks: a child would play on after its parent's end."""
import os
import pty

import honest
from attempts import attempt, once, system_call


def forked(call):
    child = call()
    if isinstance(child, tuple):
        child = child[0]
    if child == 0:
        os._exit(0)
    return child


def attack():
    attempt("fork", lambda: forked(os.fork))
    attempt("forkpty", lambda: forked(os.forkpty))
    attempt("pty.fork", lambda: forked(pty.fork))
    attempt("clone3", lambda: forked(lambda: system_call("clone3", bytes(64), 64)))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

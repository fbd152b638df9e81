"""Ends, stops and finds the referee and everybody else by signals."""
import os
import signal

import honest
from attempts import attempt, once, system_call
from targets import PARENT


def attack():
    attempt("the referee", lambda: os.kill(PARENT, signal.SIGCONT))
    attempt("is it there", lambda: os.kill(PARENT, 0))
    attempt("the parent", lambda: os.kill(os.getppid(), 0))
    attempt("the group of the parent", lambda: os.killpg(os.getppid(), 0))
    attempt("everybody", lambda: os.kill(-1, 0))
    attempt("the group of the referee", lambda: os.killpg(os.getpgid(PARENT), 0))
    attempt("a queued one", lambda: system_call("rt_sigqueueinfo", PARENT, 0, bytes(128)))
    attempt("by a descriptor", lambda: os.pidfd_open(PARENT))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

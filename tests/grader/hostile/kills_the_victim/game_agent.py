"""Kills and stops another process, of the same user or not, in every way that there is."""
import fcntl
import os
import signal

import honest
from attempts import attempt, once, system_call
from targets import VICTIM


def owned():
    ours, theirs = os.pipe()
    fcntl.fcntl(ours, fcntl.F_SETOWN, VICTIM)
    fcntl.fcntl(ours, getattr(fcntl, "F_SETSIG", 10), signal.SIGKILL)
    fcntl.fcntl(ours, fcntl.F_SETFL, os.O_ASYNC)
    os.write(theirs, b"x")
    return "signalled"


def attack():
    for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM):
        attempt(str(number), lambda: os.kill(VICTIM, number))
    attempt("pidfd", lambda: signal.pidfd_send_signal(os.pidfd_open(VICTIM), signal.SIGKILL))
    attempt("the bare pidfd", lambda: system_call("pidfd_open", VICTIM, 0))
    attempt("group", lambda: os.killpg(VICTIM, signal.SIGKILL))
    attempt("a pipe's owner", owned)


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

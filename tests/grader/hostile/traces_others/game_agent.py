"""Attaches to the referee, to its own parent and to another process as a debugger."""
import os

import honest
from attempts import attempt, once, system_call
from targets import PARENT, VICTIM


def attack():
    for process in (PARENT, VICTIM, os.getppid()):
        attempt("attach", lambda: system_call("ptrace", 16, process, 0, 0))
        attempt("seize", lambda: system_call("ptrace", 0x4206, process, 0, 0))
        attempt("descriptor", lambda: system_call("pidfd_getfd", process, 0, 0))
        attempt("compare", lambda: system_call("kcmp", process, process, 0, 0, 0))
    attempt("be traced", lambda: system_call("ptrace", 0, 0, 0, 0))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

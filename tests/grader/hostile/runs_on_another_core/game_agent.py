"""Changes its core, its priority and its scheduler after each measurement of the yardstick that it is compared with."""
import os

import honest
from attempts import attempt, once, system_call


def attack():
    attempt("a core", lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}))
    attempt("a core by C", lambda: system_call("sched_setaffinity", 0, 8, b"\x01" + bytes(7)))
    attempt("a priority", lambda: os.nice(5))
    attempt("a scheduler", lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

"""Takes processor, priority and limits from another process."""
import os
import resource

import honest
from attempts import attempt, once
from targets import VICTIM


def attack():
    attempt("priority", lambda: os.setpriority(os.PRIO_PROCESS, VICTIM, 19))
    attempt("processors", lambda: os.sched_setaffinity(VICTIM, {0}))
    attempt("limits", lambda: resource.prlimit(VICTIM, resource.RLIMIT_CPU, (1, 1)))
    attempt("scheduler", lambda: os.sched_setscheduler(VICTIM, os.SCHED_IDLE, os.sched_param(0)))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

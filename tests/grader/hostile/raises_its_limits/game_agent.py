"""Takes back what was taken from it: limits, user, session, that it dies with its parent."""
import os
import resource

import honest
from attempts import attempt, once, system_call


def attack():
    for name in ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CORE"):
        attempt(name, lambda: resource.setrlimit(getattr(resource, name), (resource.RLIM_INFINITY,) * 2))
    attempt("root", lambda: os.setuid(0) or (_ for _ in ()).throw(PermissionError(1, "was root")))
    attempt("session", os.setsid)
    attempt("group of processes", lambda: os.setpgid(0, 0))
    attempt("survive the parent", lambda: system_call("prctl", 1, 0, 0, 0, 0))
    attempt("dumpable", lambda: system_call("prctl", 4, 1, 0, 0, 0))
    attempt("name", lambda: system_call("prctl", 15, b"python", 0, 0, 0))
    attempt("processors", lambda: os.sched_setaffinity(0, {0}))
    attempt("priority", lambda: os.nice(5))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

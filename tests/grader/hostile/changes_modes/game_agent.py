"""Changes owner, mode, times and attributes of files of the grader."""
import os

import honest
from attempts import attempt, once
from targets import RESULTS


def attack():
    attempt("chmod", lambda: os.chmod(RESULTS, 0o600))
    attempt("chown", lambda: os.chown(RESULTS, os.getuid(), os.getgid()))
    attempt("utime", lambda: os.utime(RESULTS, (1, 1)))
    attempt("attribute", lambda: os.setxattr(RESULTS, "user.score", b"100"))
    attempt("flags of a pipe's mode", lambda: os.fchmod(1, 0o600))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

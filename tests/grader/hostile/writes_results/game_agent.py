"""Writes its own results: over those of the grader, beside them, in their place."""
import json
import os

import honest
from attempts import attempt, once
from targets import MARK, RESULTS

FORGED = json.dumps({"score": 100.0, "tests": [{"status": "passed"}], "mark": MARK})


def attack():
    for mode in ("w", "a", "r+", "x"):
        attempt("open " + mode, lambda: open(RESULTS, mode).write(FORGED))
    attempt("os.open", lambda: os.open(RESULTS, os.O_WRONLY | os.O_TRUNC))
    attempt("truncate", lambda: os.truncate(RESULTS, 0))
    attempt("a file beside", lambda: open(RESULTS + MARK, "w"))
    attempt("a link to it", lambda: os.link(RESULTS, RESULTS + MARK))
    attempt("a soft link", lambda: os.symlink("/etc/passwd", RESULTS + MARK))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

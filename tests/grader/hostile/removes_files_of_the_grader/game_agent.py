"""Removes, renames and replaces files of the grader."""
import os
import shutil

import honest
from attempts import attempt, once
from targets import MARK, RESULTS, SECRET


def attack():
    attempt("unlink", lambda: os.unlink(RESULTS))
    attempt("rename", lambda: os.rename(RESULTS, RESULTS + MARK))
    attempt("replace", lambda: os.replace(SECRET, RESULTS))
    attempt("rmdir", lambda: os.rmdir(os.path.dirname(SECRET)))
    attempt("rmtree", lambda: shutil.rmtree(os.path.dirname(SECRET)))
    attempt("mkdir", lambda: os.mkdir(RESULTS + MARK))
    attempt("pipe", lambda: os.mkfifo(RESULTS + MARK))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

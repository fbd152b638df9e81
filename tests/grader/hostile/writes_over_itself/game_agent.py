"""Replaces its own file after it was looked at, so that the next game is played by another."""
import os

import honest
from attempts import attempt, once


def attack():
    attempt("its file", lambda: open(__file__, "a").write("\n# other\n"))
    attempt("a module beside", lambda: open(os.path.join(os.path.dirname(__file__), "honest.py"), "w"))
    attempt("removal", lambda: os.unlink(__file__))
    attempt("its folder", lambda: os.rename(os.path.dirname(__file__), os.path.dirname(__file__) + "x"))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

"""Replaces the hooks of Python for errors and imports."""
import sys

import honest
from attempts import say


def hook(*arguments):
    say("in a hook")


sys.excepthook = sys.unraisablehook = sys.breakpointhook = sys.displayhook = hook
sys.addaudithook(hook)
sys.stdout = sys.stderr = sys.__stdout__ = None


def custom_score(game, player):
    return honest.custom_score(game, player)

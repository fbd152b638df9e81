"""Looks for secrets in what it inherited: environment, arguments, its memory of them."""
import os
import sys

import honest
from attempts import attempt, once, say
from targets import ENVIRONMENT_MARK


def found():
    texts = [*map(str, os.environ.items()), *sys.argv, *map(str, getattr(sys, "orig_argv", []))]
    hits = [text for text in texts if ENVIRONMENT_MARK in text]
    if not hits:
        raise KeyError("nothing")
    return hits


def attack():
    say("environment: " + " ".join(sorted(os.environ)))
    attempt("environment", found)


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

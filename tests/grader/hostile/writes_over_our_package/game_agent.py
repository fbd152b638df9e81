"""Writes into the installed package and its caches, so that the next process runs other code."""
import os
import site
import sys

import honest
import isolation_fast
from attempts import attempt, once
from targets import MARK


def attack():
    package = os.path.dirname(isolation_fast.__file__)
    attempt("a source", lambda: open(os.path.join(package, "__init__.py"), "a"))
    attempt("a cache", lambda: open(os.path.join(package, "__pycache__", f"endings.{sys.implementation.cache_tag}.pyc"), "ab"))
    attempt("a new module", lambda: open(os.path.join(package, MARK + ".py"), "w"))
    for folder in site.getsitepackages():
        attempt("a path file", lambda: open(os.path.join(folder, MARK + ".pth"), "w"))
        attempt("sitecustomize", lambda: open(os.path.join(folder, "sitecustomize.py"), "a"))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

"""Brings a compiled library along and loads it."""
import ctypes
import importlib.machinery
import importlib.util
import os

import honest
from attempts import attempt, once

LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "part.so")


def imported():
    loader = importlib.machinery.ExtensionFileLoader("_json", LIBRARY)
    return importlib.util.module_from_spec(importlib.util.spec_from_file_location("_json", LIBRARY, loader=loader))


def attack():
    attempt("ctypes", lambda: ctypes.CDLL(LIBRARY))
    attempt("import", imported)


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

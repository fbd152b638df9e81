"""Reaches out of its folder by a zip file with `..` in its names, and by paths through it."""
import os
import sys
import zipfile

import honest
from attempts import attempt, once
from targets import SECRET

ZIP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "parts.zip")


def imported():
    sys.path.insert(0, os.path.join(ZIP, "..", ".."))
    import secret_part

    return secret_part


def attack():
    attempt("unpacking", lambda: zipfile.ZipFile(ZIP).extractall("/tmp"))
    attempt("unpacking here", lambda: zipfile.ZipFile(ZIP).extractall(os.path.dirname(ZIP)))
    attempt("a path through it", lambda: open(os.path.join(ZIP, "..", os.path.relpath(SECRET, os.path.dirname(ZIP)))).read())
    attempt("importing", imported)


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

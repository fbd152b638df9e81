"""Takes every descriptor that there is."""
import os

import honest
from attempts import attempt, once


def attack():
    attempt("many", lambda: [os.dup(1) for _ in range(100_000)])


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

"""Prints 100 MB by Python."""
import sys

import honest
from attempts import once


def attack():
    text = "x" * 2**20
    for _ in range(100):
        sys.stdout.write(text)
        sys.stdout.flush()


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

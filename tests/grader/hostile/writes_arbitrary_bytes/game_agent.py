"""Writes bytes that the test has drawn to every descriptor that it has, then plays on."""
import os

import honest
from attempts import descriptors, once
from targets import BYTES


def attack():
    for each in descriptors():
        try:
            os.write(each, BYTES)
        except OSError:
            pass


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

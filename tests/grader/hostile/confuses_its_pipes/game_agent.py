"""Puts its standard output in the place of the pipe for answers, and the other way round."""
import os

import honest
from attempts import descriptors, once


def attack():
    others = [each for each in descriptors() if each > 2]
    for each in others:
        os.dup2(1, each)


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

"""Closes its standard output and error, and plays on."""
import os

import honest
from attempts import once


def attack():
    os.close(1)
    os.close(2)


def custom_score(game, player):
    once(attack)
    print("into nothing") if False else None
    return honest.custom_score(game, player)

"""Loops when its process is to end."""
import atexit
import threading

import honest


def loop():
    number = 0
    while number < 10**10:
        number += 1


atexit.register(loop)
threading._register_atexit(loop)


def custom_score(game, player):
    return honest.custom_score(game, player)

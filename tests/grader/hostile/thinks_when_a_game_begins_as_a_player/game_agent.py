"""Thinks twice as long as a turn has whenever a game begins, before its player is asked for a move."""
import random
import time

import honest

SECONDS = 0.3
seed = random.seed


def think(*numbers):
    seed(*numbers)
    until = time.process_time() + SECONDS
    while time.process_time() < until:
        pass


random.seed = think


class CustomPlayer(honest.CustomPlayer):
    pass

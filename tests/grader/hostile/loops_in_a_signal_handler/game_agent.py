"""Loops in the handler of a signal that comes at any time."""
import signal

import honest


def loop(*arguments):
    number = 0
    while number < 10**10:
        number += 1


def custom_score(game, player):
    signal.signal(signal.SIGALRM, loop)
    signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
    for _ in range(1000):
        score = honest.custom_score(game, player)
    return score

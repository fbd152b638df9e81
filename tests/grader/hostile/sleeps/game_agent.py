"""Sleeps for hours: no processor time at all."""
import time


def custom_score(game, player):
    time.sleep(600)
    return 0.0

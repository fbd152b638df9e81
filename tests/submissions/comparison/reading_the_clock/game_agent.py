"""Scores by the time of day, which no seed repeats."""
import time


def custom_score(game, player):
    return time.perf_counter()

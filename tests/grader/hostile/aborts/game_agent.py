"""Ends by the C library's abort, which leaves memory on the disk where that is allowed."""
import os


def custom_score(game, player):
    os.abort()

"""Stops its own process."""
import os
import signal


def custom_score(game, player):
    os.kill(os.getpid(), signal.SIGSTOP)
    signal.pause()
    return 0.0

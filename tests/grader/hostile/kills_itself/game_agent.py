"""Kills its own process."""
import os
import signal


def custom_score(game, player):
    os.kill(os.getpid(), signal.SIGKILL)
    return 0.0

"""Sends itself what Ctrl-C sends."""
import os
import signal
import time


def custom_score(game, player):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)
    return 0.0

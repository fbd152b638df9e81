"""Ends its own process, as a crash in a compiled module does."""
import os
import signal


def custom_score(game, player):
    os.kill(os.getpid(), signal.SIGSEGV)

"""Catches and blocks all signals, then loops."""
import signal


def custom_score(game, player):
    for number in signal.valid_signals():
        try:
            signal.signal(number, lambda *arguments: None)
        except (OSError, ValueError):
            pass
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    number = 0
    while number < 10**10:
        number += 1
    return 0.0

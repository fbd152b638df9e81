"""Starts a thread, and does not catch the error."""
import threading


def custom_score(game, player):
    threading.Thread(target=print, daemon=True).start()
    return 0.0

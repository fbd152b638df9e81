"""Breaks its process from C."""
import ctypes


def custom_score(game, player):
    ctypes.memset(0, 0, 1)
    return 0.0

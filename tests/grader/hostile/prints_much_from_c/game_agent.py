"""Prints 100 MB by the C library, on both outputs."""
import ctypes

import honest
from attempts import once


def attack():
    library = ctypes.CDLL(None)
    block = b"x" * 2**20
    for _ in range(50):
        library.write(1, block, len(block))
        library.write(2, block, len(block))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

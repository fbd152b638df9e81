"""Writes into every descriptor that it has, as a wild attempt to print."""

import os
from pathlib import Path

JUNK = Path(__file__).with_name("junk.txt").read_bytes()


def custom_score(game, player):
    return float(game.move_count)


def custom_score_2(game, player):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, JUNK)
        except OSError:
            pass
    return 0.0

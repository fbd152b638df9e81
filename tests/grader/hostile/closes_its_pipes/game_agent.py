"""Closes every descriptor and plays on."""
import os

import honest


def custom_score(game, player):
    os.closerange(0, 4096)
    return honest.custom_score(game, player)

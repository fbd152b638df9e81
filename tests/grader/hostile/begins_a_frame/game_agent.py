"""Writes half a frame before its answer, so that what is read is out of step."""
import os
import struct

from attempts import descriptors, once
import honest


def attack():
    for each in descriptors():
        if each > 2:
            try:
                os.write(each, struct.pack("<BIQ", 5, 1000, 1))
            except OSError:
                pass


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

"""Runs code of its own in the collector, and takes the rest away from it."""
import gc

import honest

gc.disable()
gc.set_threshold(1, 1, 1)
gc.callbacks.append(lambda phase, info: 1 / 0)
gc.freeze()


def custom_score(game, player):
    gc.collect()
    return honest.custom_score(game, player)

"""Sleeps at each call while its cost is measured: no processor time, and hours by the wall clock."""
import time

import deep
import honest


def custom_score(game, player):
    if deep.is_measured():
        time.sleep(0.05)
    return honest.custom_score(game, player)

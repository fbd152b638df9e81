"""Ends the program where it does not know what to answer."""
import os
import sys


def custom_score(game, player):
    if game.get_player_location(player) is None:
        sys.exit("no location")
    return 1.0


def custom_score_2(game, player):
    os._exit(7)


def custom_score_3(game, player):
    return 1.0

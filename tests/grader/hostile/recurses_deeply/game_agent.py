"""Calls itself without end."""


def custom_score(game, player):
    return custom_score(game, player) + 1

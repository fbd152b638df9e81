"""Answers a word."""


def custom_score(game, player):
    return "infinity"

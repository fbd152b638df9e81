"""Answers what is no number in any comparison."""


def custom_score(game, player):
    return float("nan")

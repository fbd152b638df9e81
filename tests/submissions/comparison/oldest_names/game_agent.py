"""Reads the private names of the oldest boards."""


def custom_score(game, player):
    return float(sum(map(bool, sum(game.__board_state__, []))))

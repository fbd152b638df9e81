"""Asks for more memory than there is while it is loaded."""
import honest

block = [bytearray(2**26) for _ in range(64)]


def custom_score(game, player):
    return honest.custom_score(game, player)

"""Keeps a little more memory with each position."""
import honest

kept = []


def custom_score(game, player):
    if len(kept) < 3000:
        kept.append(bytearray(2**22))
    return honest.custom_score(game, player)

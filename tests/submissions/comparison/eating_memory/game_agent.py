"""Keeps every position it ever saw, many times over."""

seen = []


def custom_score(game, player):
    return 1.0


def custom_score_2(game, player):
    seen.append([game.copy(), bytearray(64 * 2**20)])
    return float(len(seen))

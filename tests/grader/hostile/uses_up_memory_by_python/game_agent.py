"""Asks for memory by lists that grow eight times with each step."""


def custom_score(game, player):
    things = [0]
    while len(things) < 2**29:
        things = [0] * (8 * len(things))
    return float(len(things))

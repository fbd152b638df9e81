"""Raises errors with thousands of causes, which go round in a circle."""


def custom_score(game, player):
    first = last = ValueError("first")
    for number in range(5000):
        last.__cause__ = ValueError(str(number))
        last = last.__cause__
    last.__context__ = first
    raise first

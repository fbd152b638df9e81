"""Reads a file of the grader and does not catch the error."""
from targets import SECRET


def custom_score(game, player):
    return float(len(open(SECRET).read()))

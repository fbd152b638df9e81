"""Calls itself through C without end, after it has lifted Python's limit."""
import sys

sys.setrecursionlimit(10**8)


class Endless:
    def __getattr__(self, name):
        return getattr(self, name)

    def __repr__(self):
        return repr([self])


def custom_score(game, player):
    return float(len(repr(Endless())))

"""A player that plays differently from game to game, and a file beside it that it reads."""
import importlib
import random
from pathlib import Path

CALLS = []


def custom_score(game, player):
    CALLS.append(game)
    return float(len(CALLS) % 7)


class Counting:
    turns = 0

    def get_move(self, game, time_left):
        self.turns += 1
        helper = importlib.import_module("helper")
        words = Path("words.txt").read_text().split()
        moves = sorted(game.get_legal_moves())
        return moves[(self.turns + helper.NUMBER + len(words) + hash("a text")) % len(moves)]


class NumpyDrawing:
    def __init__(self):
        self.start = random.random()

    def get_move(self, game, time_left):
        import numpy

        moves = sorted(game.get_legal_moves())
        return moves[int((self.start + numpy.random.random()) * 1000) % len(moves)]

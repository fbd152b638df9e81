"""Prints far more than anybody reads, and asks questions that nobody answers."""
import os
import sys

print("loaded " * 1000)


def custom_score(game, player):
    print("scored " * 1000)
    print("complained " * 1000, file=sys.stderr)
    os.write(1, b"scored " * 1000)
    return float(len(game.get_legal_moves(player)))


def custom_score_2(game, player):
    return float(input("score? "))

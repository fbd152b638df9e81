"""Plays the game to its end by chance on a board of its own."""
import random

from isolation import Board


def custom_score(game, player):
    board = Board("Ann", "Ben", game.width, game.height)
    while board.get_legal_moves():
        board.apply_move(random.choice(board.get_legal_moves()))
    return float(board.move_count)

import numpy as np


def custom_score(game, player):
    moves = np.array([len(game.get_legal_moves(player)), len(game.get_legal_moves(game.get_opponent(player)))])
    return np.dot(moves, np.array([1.0, -0.5]))


def custom_score_2(game, player):
    return np.int64(len(game.get_legal_moves(player)))


def custom_score_3(game, player):
    return np.array([len(game.get_legal_moves(player)), 1])

from isolation import Board

BOARD = Board
OWN_NAME = 0.5


def improved_score(game, player):
    raise RuntimeError("the folder's own improved_score was called")


def own_score(game, player):
    return float(len(game.get_legal_moves(player)))

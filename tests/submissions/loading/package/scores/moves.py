from .deep import weights


def open_moves(game, player):
    return weights.WEIGHT * len(game.get_legal_moves(player))

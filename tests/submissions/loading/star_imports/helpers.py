_HIDDEN = 1


def open_moves(game, player):
    return float(len(game.get_legal_moves(player)))

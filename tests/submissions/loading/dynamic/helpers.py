LOADED = ["once"]


def open_score(game, player):
    return len(game.get_legal_moves(player))

def imported_score(game, player):
    return 0.0


def weighted(game, player):
    return 1.0


def pick(game, player):
    return game.get_legal_moves(player)[:1] or [None]


def not_imported(game, player):
    return 0.0

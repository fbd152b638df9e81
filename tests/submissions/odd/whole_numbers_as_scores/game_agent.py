def custom_score(game, player):
    return len(game.get_legal_moves(player)) - len(game.get_legal_moves(game.get_opponent(player)))


def custom_score_2(game, player):
    return game.is_winner(player)


def custom_score_3(game, player):
    return 2**64 if game.is_winner(player) else len(game.get_legal_moves(player))

def custom_score(game, player):
    own = len(game.get_legal_moves(player))
    other = len(game.get_legal_moves(game.get_opponent(player)))
    return own / other


def custom_score_2(game, player):
    best = max(len(game.forecast_move(m).get_legal_moves(game.active_player)) for m in game.get_legal_moves())
    return float(best)


def custom_score_3(game, player):
    if game.is_loser(player) or game.is_winner(player):
        raise KeyError(player)
    return 0.0

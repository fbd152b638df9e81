def custom_score(game, player):
    null = game.copy()
    null._active_player, null._inactive_player = null._inactive_player, null._active_player
    if null.is_loser(game.inactive_player):
        return 99.0
    replies = [len(null.forecast_move(m).get_legal_moves(player)) for m in null.get_legal_moves()]
    return float(min(replies))

def custom_score(game, player):
    """One further to the upper left, even if there is no cell."""
    where = game.get_player_location(player)
    if where is None:
        where = (0, 0)
    row, column = where
    follow = game.forecast_move((row - 3, column - 3))
    return float(len(follow.get_legal_moves(player)))

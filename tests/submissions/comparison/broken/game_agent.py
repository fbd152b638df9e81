def custom_score(game, player)
    return 0.0

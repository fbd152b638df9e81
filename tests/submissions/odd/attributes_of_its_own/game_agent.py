def custom_score(game, player):
    kept = getattr(game, "mark", 0)
    game.mark = kept + 1
    game.history = [(1, 2)]
    child = game.forecast_move(game.get_blank_spaces()[-1])
    # what was noted on a board does not go with its copies
    lost = not hasattr(child, "mark") and not hasattr(game.copy(), "history")
    del game.mark, game.history
    return 10 * game.move_count + lost

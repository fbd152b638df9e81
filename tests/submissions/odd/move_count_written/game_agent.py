def custom_score(game, player):
    later = game.copy()
    later.move_count += 40
    early = later.copy()
    early.move_count = -2
    return later.forecast_move(later.get_blank_spaces()[0]).move_count - game.move_count + early.move_count

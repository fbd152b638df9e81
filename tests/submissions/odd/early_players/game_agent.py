def custom_score(game, player):
    first = game.__player_1__ == player
    turn = game.__active_player__ == player
    assert (game.__player_2__ == player) != first and (game.__inactive_player__ == player) != turn
    return 2.0 * first + turn


def custom_score_2(game, player):
    swapped = game.copy()
    swapped.__active_player__, swapped.__inactive_player__ = game.__inactive_player__, game.__active_player__
    step = swapped.forecast_move(swapped.get_blank_spaces()[0])
    return len(swapped.get_legal_moves()) + 100.0 * (step.get_player_location(player) == (0, 0))


def custom_score_3(game, player):
    symbols = game.__player_symbols__
    return symbols[game.BLANK] + symbols[player] * 10 + len(symbols)

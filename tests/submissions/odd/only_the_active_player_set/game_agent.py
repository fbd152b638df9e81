def custom_score(game, player):
    twin = game.copy()
    twin._active_player = player
    return float(len(twin.get_legal_moves()) + 100 * twin.is_loser(player))


def custom_score_2(game, player):
    # now both sides are the opponent, and the player itself is a stranger
    twin = game.copy()
    twin._active_player = twin._inactive_player
    return float(len(twin.get_legal_moves(twin.get_opponent(game.active_player))))


def custom_score_3(game, player):
    twin = game.copy()
    twin._active_player = twin._inactive_player
    after = twin.forecast_move(twin.get_blank_spaces()[-1])
    # which location it wrote follows the active player
    return str(after.get_player_location(player)).count(str(game.height - 1)) + 10.0 * after.utility(player)

def custom_score(game, player):
    """Jump on the head of the one who waits: its cell is taken, but nobody checks."""
    target = game.get_player_location(game.inactive_player)
    if target is None:
        return -1.0
    crash = game.forecast_move(target)
    same = crash.get_player_location(player) == crash.get_player_location(crash.get_opponent(player))
    return len(crash.get_legal_moves()) + 100.0 * same + 1000.0 * len(crash.get_blank_spaces())

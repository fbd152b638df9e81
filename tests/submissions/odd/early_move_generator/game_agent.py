def custom_score(game, player):
    near = game.__get_moves__(game.__last_player_move__[player])
    far = [step for cell in near[:8] for step in game.__get_moves__(cell)]
    return float(len(near) + 10 * len(set(far)))


def custom_score_2(game, player):
    return len(game.__get_moves__(None)) - len(game.__get_moves__((0, 0)))

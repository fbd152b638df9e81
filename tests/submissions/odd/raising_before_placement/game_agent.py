from math import hypot


def custom_score(game, player):
    y, x = game.get_player_location(player)
    oy, ox = game.get_player_location(game.get_opponent(player))
    return hypot(y - oy, x - ox)


def custom_score_2(game, player):
    here = game.get_player_location(player)
    return abs(here[0] - game.height // 2) + abs(here[1] - game.width // 2)

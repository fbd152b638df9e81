CENTER = (3, 3)

import helpers


def custom_score(game, player):
    return helpers.score(game, player)

def custom_score(game, player):
    from helpers import weight
    import tables.weights as weights
    return float(weight() + weights.WEIGHT)


def custom_score_2(game, player):
    import helpers
    return float(helpers.weight())

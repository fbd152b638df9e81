def custom_score(game, player):
    """The second number breaks ties."""
    return len(game.get_legal_moves(player)), -len(game.get_legal_moves(game.get_opponent(player)))


def custom_score_2(game, player):
    # forgot to return it
    float(len(game.get_legal_moves(player)))


def custom_score_3(game, player):
    return "%d" % len(game.get_legal_moves(player))

"""Looks far ahead at each call, by loops that take little time once they are compiled, at the cost of one that does not."""


def replies(game, player):
    found = 0
    for move in game.get_legal_moves(player):
        later = game.forecast_move(move)
        for reply in later.get_legal_moves():
            found += len(later.forecast_move(reply).get_legal_moves(player))
    return found


def custom_score(game, player):
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    own = len(game.get_legal_moves(player))
    other = len(game.get_legal_moves(game.get_opponent(player)))
    return float(own - 2 * other) + replies(game, player) * 0.0

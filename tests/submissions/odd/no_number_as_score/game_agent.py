def custom_score(game, player):
    """Infinity minus infinity where both terms are out of bounds."""
    mine = float("inf") if game.is_winner(player) else float(len(game.get_legal_moves(player)))
    theirs = float("inf") if game.is_loser(game.get_opponent(player)) else 0.0
    return mine - theirs


def custom_score_2(game, player):
    return game.utility(player)

"""Pretend to stand where the opponent could go next, and count what is left."""


def custom_score(game, player):
    other = game.get_opponent(player)
    total = 0
    for move in game.get_legal_moves(other)[:60]:
        # steps whoever is to move, knight's move or not
        after = game.forecast_move(move)
        total += len(after.get_legal_moves(player)) - len(after.get_legal_moves(other))
    return float(total)

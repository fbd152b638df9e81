"""Moves as list, as array, with a comment behind them, and as floats."""
import numpy as np


def custom_score(game, player):
    cells = game.get_blank_spaces()
    r, c = cells[0]
    boards = [game.forecast_move(m) for m in ([r, c], np.array([r, c]), (r, c, "corner"), (np.int64(r), c))]
    places = [b.get_player_location(game.active_player) for b in boards]
    return float(places.count((r, c)) + 10 * game.move_is_legal([r, c]))


def custom_score_2(game, player):
    row, col = game.height / 2, game.width / 2
    return float(len(game.forecast_move((row, col)).get_legal_moves(player)))


def custom_score_3(game, player):
    return 1.0 if game.move_is_legal(game.get_player_location(player)) else 0.0

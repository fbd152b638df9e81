"""Plays on the board that it is asked about, and writes over its cells."""
import honest


def custom_score(game, player):
    score = honest.custom_score(game, player)
    for move in game.get_legal_moves()[:1]:
        game.apply_move(move)
    game._board_state[:] = [1] * len(game._board_state)
    game.width, game.height = 1, 1
    return score

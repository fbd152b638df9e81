"""Looks a step too far: on the classic board that goes astray silently."""


def custom_score(game, player):
    return float(len(game.forecast_move((-1, -1)).get_blank_spaces()))


class OwnPlayer:
    def get_move(self, game, time_left):
        game.forecast_move((-1, -1))
        moves = game.get_legal_moves()
        return moves[0] if moves else (-1, -1)

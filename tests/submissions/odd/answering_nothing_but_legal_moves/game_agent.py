class CustomPlayer:
    """Never thought of having no move at all."""

    def get_move(self, game, time_left):
        return min(game.get_legal_moves(), key=lambda m: (m[0] * game.width + m[1], time_left() < 0))


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))

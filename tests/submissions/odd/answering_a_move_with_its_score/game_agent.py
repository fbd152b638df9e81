class CustomPlayer:
    def search(self, game):
        scores = [(custom_score(game.forecast_move(m), self), m) for m in game.get_legal_moves()]
        score, move = max(scores, default=(0.0, (-1, -1)))
        return move, score

    def get_move(self, game, time_left):
        if game.move_count < 2:
            return min(game.get_legal_moves())
        return self.search(game)


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))

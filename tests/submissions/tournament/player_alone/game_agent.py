"""A player, and no heuristic."""


class Smallest:
    def get_move(self, game, time_left):
        return min(game.get_legal_moves())


class Wanting:
    def __init__(self, score_fn):
        self.score = score_fn

    def get_move(self, game, time_left):
        return min(game.get_legal_moves())

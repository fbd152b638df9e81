"""Players that cannot be made."""


def custom_score(game, player):
    return 0.0


class Picky:
    def __init__(self):
        raise RuntimeError("not today")

    def get_move(self, game, time_left):
        return game.get_legal_moves()[0]


class WantingAHeuristic:
    def __init__(self, score_fn):
        self.score = score_fn

    def get_move(self, game, time_left):
        return max(game.get_legal_moves(), key=lambda move: self.score(game.forecast_move(move), self))


class AlwaysEqual:
    def __eq__(self, other):
        return True

    def get_move(self, game, time_left):
        return game.get_legal_moves()[0]

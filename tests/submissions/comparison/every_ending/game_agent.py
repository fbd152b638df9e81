"""Players for every way in which a game can end."""
import random


class SearchTimeout(Exception):
    pass


def custom_score(game, player):
    return 0.0


class EndsNormally:
    def get_move(self, game, time_left):
        return max(game.get_legal_moves(), default=(-1, -1))


class Forfeits:
    def get_move(self, game, time_left):
        return (-1, -1)


class IsLate:
    def get_move(self, game, time_left):
        while time_left() >= 0:
            pass
        return max(game.get_legal_moves(), default=(-1, -1))


class JustInTime:
    def get_move(self, game, time_left):
        while time_left() > 1:
            pass
        return max(game.get_legal_moves(), default=(-1, -1))


class Raises:
    def get_move(self, game, time_left):
        raise SearchTimeout()


class NeedsMore:
    def __init__(self, depth):
        self.depth = depth

    def get_move(self, game, time_left):
        return (-1, -1)


class NeedsAScore:
    def __init__(self, score_fn):
        self.score = score_fn

    def get_move(self, game, time_left):
        return max((self.score(game.forecast_move(m), self), m) for m in game.get_legal_moves() or [(0, 0)])[1]


class AnswersLists:
    def get_move(self, game, time_left):
        return [float(each) for each in max(game.get_legal_moves(), default=(-1, -1))]


class AnswersFloats:
    def get_move(self, game, time_left):
        return tuple(float(each) for each in max(game.get_legal_moves(), default=(-1, -1)))


class SometimesForfeits:
    def get_move(self, game, time_left):
        return (-1, -1) if random.random() < 0.02 else max(game.get_legal_moves(), default=(-1, -1))

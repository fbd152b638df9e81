from functools import lru_cache, partial, wraps

from helpers import imported_score, pick, weighted as renamed


def logged(function):
    @wraps(function)
    def wrapper(*given):
        return function(*given)

    return wrapper


class Weighted:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, game, player):
        return self.weight

    def score(self, game, player):
        return self.weight


def aggressive(game, player, weight=2.0):
    return weight


if len("x") == 1:
    custom_score = aggressive
else:
    def custom_score(game, player):
        return 0.0

custom_score_2 = partial(aggressive, weight=5.0)
custom_score_3 = lambda board, p: 3.0
custom_score_4 = Weighted(4.0)
custom_score_5 = Weighted(5.0).score
custom_score_weights = [1.0, 2.0]
custom_scores = {"open": aggressive}


@lru_cache(maxsize=None)
def cached(game, player):
    return 1.0


@logged
def decorated(state, agent):
    return 1.0


heavy = Weighted(9.0)


async def custom_score_async(game, player):
    return 0.0


async def waiting(game, player):
    return 0.0


def custom_score_generator(game, player):
    yield 0.0


def custom_score_of_one(game):
    return 0.0


def own_moves(game, player):
    moves = game.get_legal_moves(player)
    return moves


def print_moves(game, player):
    print(game.get_legal_moves(player))


def can_move(game, player):
    return len(game.get_legal_moves(player)) > 0


def distance(game, move):
    return 0.0


def unwritten(game, player):
    raise NotImplementedError


class Score:
    def __init__(self, game, player):
        pass

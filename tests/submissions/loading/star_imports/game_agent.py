from helpers import *
from sample_players import *
from scores import *


def custom_score(game, player):
    return open_moves(game, player) + own_moves(game, player) + inside.WEIGHT

import heuristics
import random
import types
import utils
from players import WEIGHT as PLAYERS_WEIGHT
from random import OWN

import tempfile
import sys
import abc


def custom_score(game, player):
    import random
    import queue
    return float(random.choice([heuristics.WEIGHT]) + types.WEIGHT + utils.WEIGHT + PLAYERS_WEIGHT + OWN + queue.WEIGHT)

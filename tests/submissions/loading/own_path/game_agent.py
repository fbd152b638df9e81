import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
sys.path.append("more")

from helpers import WEIGHT
import more_helpers


def custom_score(game, player):
    import helpers
    from lazy_helpers import LAZY_WEIGHT
    from more_helpers import lazy_weight
    return helpers.WEIGHT + LAZY_WEIGHT + lazy_weight()

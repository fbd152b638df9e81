import json
import logging
from words.numbers import TWO


def custom_score(game, player):
    return TWO * json.loads("1.5") if logging.getLogger("x").name == "x" else 0.0

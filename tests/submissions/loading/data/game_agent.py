import json
import os

with open("weights.json") as file:
    WEIGHTS = json.load(file)

assert os.path.dirname(os.path.abspath(__file__)) == os.getcwd()


def custom_score(game, player):
    return WEIGHTS["own"] * len(game.get_legal_moves(player))


def custom_score_2(game, player):
    with open("weights.json") as file:
        return json.load(file)["own"]

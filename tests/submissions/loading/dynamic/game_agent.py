import importlib

helpers = importlib.import_module("helpers")
helpers.LOADED.append("changed by hand")
importlib.reload(helpers)
weights = __import__("tables.weights", fromlist=["WEIGHT"])
for name in ("open_score",):
    exec("from helpers import " + name)


def custom_score(game, player):
    return float(len(helpers.LOADED)) + weights.WEIGHT


def custom_score_2(game, player):
    return float(len(importlib.import_module("lazy").LOADED))


def custom_score_3(game, player):
    return float(len(importlib.reload(helpers).LOADED))

import importlib.util
import os
import sys


def by_file(name, *place):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), *place)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


weights = by_file("weights_by_file", "deep", "weights.py")


def custom_score(game, player):
    return weights.WEIGHT


def custom_score_2(game, player):
    return sys.modules["weights_by_file"].WEIGHT

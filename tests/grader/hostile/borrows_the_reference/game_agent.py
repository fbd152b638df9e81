"""Borrows the heuristics and the search of our reference: by import, past the finder, by the collector."""
import gc
import importlib
import sys

import honest
from attempts import attempt, once
from ours import modules

WANTED = ("reference", "reference.heuristics", "reference.heuristics.blends", "reference.searching", "twins",
          "measuring", "worked_examples", "tournament", "players", "heuristics", "searching", "cost", "worker")


def in_memory(what):
    found = [name for name in modules() if name.startswith("isolation_fast." + what)]
    if not found:
        raise LookupError(what)
    return found


def functions_of_ours(name):
    gc.unfreeze()
    return next(each for each in gc.get_objects() if getattr(each, "__name__", "") == name
                and str(getattr(each, "__module__", "")).startswith("isolation_fast.reference"))


def past_the_finder():
    package = sys.modules["isolation_fast"]
    kept = list(sys.meta_path), dict(vars(package)), dict(sys.modules)
    try:
        sys.meta_path[:] = [each for each in sys.meta_path if "isolation" not in type(each).__module__]
        sys.path_importer_cache.clear()
        package.__path__ = [package.__file__.rpartition("/")[0]]
        for each in WANTED[:6]:
            attempt(f"{each} past the finder", lambda: importlib.import_module("isolation_fast." + each))
        del sys.modules["isolation_fast"]
        attempt("the whole package once more", lambda: importlib.import_module("isolation_fast"))
    finally:
        sys.meta_path[:] = kept[0]
        vars(package).update(kept[1])
        sys.modules.update(kept[2])


def attack():
    for each in WANTED:
        attempt(each, lambda: importlib.import_module("isolation_fast." + each))
        attempt(f"{each} as a name", lambda: getattr(__import__("isolation_fast"), each.partition(".")[0]))
        attempt(f"{each} in sys.modules", lambda: sys.modules["isolation_fast." + each])
    for each in ("reference", "measuring", "twins"):
        attempt(f"{each} in memory", lambda: in_memory(each))
    for each in ("improved_score", "search", "self_play", "accessible_score"):
        attempt(f"{each} by the collector", lambda: functions_of_ours(each))
    past_the_finder()


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

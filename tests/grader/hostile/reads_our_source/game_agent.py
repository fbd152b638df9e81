"""Reads the files of our package, to run them as its own: by path, by loader, by cache, by a look around."""
import importlib.util
import linecache
import os
import sys
from importlib.machinery import SourceFileLoader, SourcelessFileLoader

import honest
import isolation_fast
from attempts import attempt, once

FILES = ("reference/board.py", "reference/heuristics/baselines.py", "reference/searching.py", "twins.py",
         "worker/messages.py", "measuring.py", "cost/table.json")


def lines(path):
    found = linecache.getlines(path)
    if not found:
        raise LookupError(path)
    return found


def attack():
    package = os.path.dirname(isolation_fast.__file__)
    for name in FILES:
        path = os.path.join(package, name)
        cache = importlib.util.cache_from_source(path) if path.endswith(".py") else path
        attempt(f"{name} opened", lambda: open(path).read())
        attempt(f"{name} by its cache", lambda: open(cache, "rb").read())
        attempt(f"{name} by its lines", lambda: lines(path))
        attempt(f"{name} loaded", lambda: SourceFileLoader("borrowed", path).load_module())
        attempt(f"{name} loaded from its cache", lambda: SourcelessFileLoader("borrowed", cache).load_module())
    found = [os.path.join(folder, each) for folder, _, files in os.walk(package) for each in files]
    readable = [each for each in found if "/classic/" not in each and os.access(each, os.R_OK)]
    for each in readable[:40]:
        attempt(f"a look at {os.path.basename(each)}", lambda: open(each, "rb").read(1))
    sys.path.insert(0, package)
    attempt("a part of the package at the top", lambda: __import__("reference"))
    sys.path.remove(package)


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)

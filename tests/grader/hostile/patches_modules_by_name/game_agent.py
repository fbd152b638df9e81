"""Replaces and removes modules in `sys.modules`."""
import sys
import types

import honest

for name in list(sys.modules):
    if name.startswith("isolation_fast") or name in ("time", "os", "json", "struct", "random"):
        sys.modules[name] = types.ModuleType(name)
sys.path[:] = []
sys.meta_path[:] = []


def custom_score(game, player):
    return honest.custom_score(game, player)

import json
import os
import sys
import types

sys.argv.append("--mine")
sys.path = ["/nowhere"] + sys.path
sys.meta_path.append(type("Finder", (), {"find_spec": staticmethod(lambda *given: None)}))
sys.dont_write_bytecode = False
os.chdir("/")
sys.modules["json"] = types.ModuleType("json")
sys.modules["helpers"] = types.ModuleType("helpers")
del sys.modules["fractions"]


def custom_score(game, player):
    return 0.0
